// IUnknown, identifiers and HRESULTs, which on Linux come with the Direct3D 12 headers. COM itself needs no
// initialization here: objects may be used on any thread.
#ifndef RESIDUE_COMPAT_COMBASEAPI_H_
#define RESIDUE_COMPAT_COMBASEAPI_H_

#include <residue_d3d12.h>

enum COINIT : DWORD { COINIT_MULTITHREADED = 0, COINIT_APARTMENTTHREADED = 2 };

inline HRESULT CoInitializeEx(void*, DWORD) noexcept { return S_OK; }
inline HRESULT CoInitialize(void*) noexcept { return S_OK; }
inline void CoUninitialize() noexcept {}

#endif  // RESIDUE_COMPAT_COMBASEAPI_H_
