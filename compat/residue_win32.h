// The few Win32 functions that Direct3D 12 samples call, for Linux; implemented by libresidue_d3d12.
//
// An event is an eventfd descriptor in a HANDLE, as in Microsoft's own Direct3D 12 for Linux, so poll() works
// on it too. All functions are thread-safe.
#ifndef RESIDUE_COMPAT_WIN32_H_
#define RESIDUE_COMPAT_WIN32_H_

#include <wsl/winadapter.h>

#ifndef INFINITE
#define INFINITE 0xFFFFFFFF
#endif
#ifndef WAIT_OBJECT_0
#define WAIT_OBJECT_0 0x00000000L
#define WAIT_TIMEOUT 0x00000102L
#define WAIT_FAILED 0xFFFFFFFF
#endif
#ifndef ARRAYSIZE
#define ARRAYSIZE(array) (sizeof(array) / sizeof((array)[0]))
#endif

#define RESIDUE_COMPAT_API extern "C" __attribute__((visibility("default")))

// Null on failure. Security attributes and names are ignored.
RESIDUE_COMPAT_API HANDLE CreateEventW(SECURITY_ATTRIBUTES* attributes, BOOL manual_reset, BOOL initially_set,
                                       const WCHAR* name) noexcept;
RESIDUE_COMPAT_API HANDLE CreateEventA(SECURITY_ATTRIBUTES* attributes, BOOL manual_reset, BOOL initially_set,
                                       const char* name) noexcept;
RESIDUE_COMPAT_API BOOL SetEvent(HANDLE event) noexcept;
RESIDUE_COMPAT_API BOOL ResetEvent(HANDLE event) noexcept;
RESIDUE_COMPAT_API DWORD WaitForSingleObject(HANDLE event, DWORD milliseconds) noexcept;
RESIDUE_COMPAT_API DWORD WaitForSingleObjectEx(HANDLE event, DWORD milliseconds, BOOL alertable) noexcept;
RESIDUE_COMPAT_API BOOL CloseHandle(HANDLE event) noexcept;

// Debug strings go to a handler if there is one, to standard error if the environment variable
// RESIDUE_DEBUG_STRINGS is set, and are dropped otherwise, as they are on Windows without a debugger. The
// handler also gets the messages of DirectML devices made with DML_CREATE_DEVICE_FLAG_DEBUG, which go to
// standard error without one. It is called under a lock and must not write debug strings itself; null removes
// it.
RESIDUE_COMPAT_API void OutputDebugStringA(const char* text) noexcept;
RESIDUE_COMPAT_API void OutputDebugStringW(const WCHAR* text) noexcept;
typedef void (*ResidueDebugStringHandler)(void* context, const char* text);
RESIDUE_COMPAT_API void ResidueSetDebugStringHandler(ResidueDebugStringHandler handler,
                                                     void* context) noexcept;

#ifndef CreateEvent
#define CreateEvent CreateEventW
#define OutputDebugString OutputDebugStringW
#endif

#endif  // RESIDUE_COMPAT_WIN32_H_
