// The few Win32 functions that Direct3D 12 samples call, for Linux, on top of libresidue_d3d12.
//
// An event is an eventfd descriptor in a HANDLE, as in Microsoft's own Direct3D 12 for Linux, so poll() works
// on it too. All functions are thread-safe. The library exports names of its own, and the Win32 names exist
// only in programs that include this file, so that they do not get in the way of other libraries' Win32.
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

// Null on failure.
RESIDUE_COMPAT_API HANDLE ResidueCreateEvent(BOOL manual_reset, BOOL initially_set) noexcept;
RESIDUE_COMPAT_API BOOL ResidueSetEvent(HANDLE event) noexcept;
RESIDUE_COMPAT_API BOOL ResidueResetEvent(HANDLE event) noexcept;
// WAIT_OBJECT_0, WAIT_TIMEOUT or WAIT_FAILED.
RESIDUE_COMPAT_API DWORD ResidueWaitForEvent(HANDLE event, DWORD milliseconds) noexcept;
RESIDUE_COMPAT_API BOOL ResidueCloseEvent(HANDLE event) noexcept;

// Debug strings go to a handler if there is one, to standard error if the environment variable
// RESIDUE_DEBUG_STRINGS is set, and are dropped otherwise, as they are on Windows without a debugger. The
// handler also gets the messages of DirectML devices made with DML_CREATE_DEVICE_FLAG_DEBUG, which go to
// standard error without one. One thread at a time is in the handler, and it may be a queue's, so a handler
// must not wait for a queue; null removes it.
RESIDUE_COMPAT_API void ResidueOutputDebugString(const char* text) noexcept;
RESIDUE_COMPAT_API void ResidueOutputWideDebugString(const WCHAR* text) noexcept;
typedef void (*ResidueDebugStringHandler)(void* context, const char* text);
RESIDUE_COMPAT_API void ResidueSetDebugStringHandler(ResidueDebugStringHandler handler,
                                                     void* context) noexcept;

// The Win32 names. Security attributes and names of events are ignored.
inline HANDLE CreateEventW(SECURITY_ATTRIBUTES*, BOOL manual_reset, BOOL initially_set,
                           const WCHAR*) noexcept {
  return ResidueCreateEvent(manual_reset, initially_set);
}
inline HANDLE CreateEventA(SECURITY_ATTRIBUTES*, BOOL manual_reset, BOOL initially_set,
                           const char*) noexcept {
  return ResidueCreateEvent(manual_reset, initially_set);
}
inline BOOL SetEvent(HANDLE event) noexcept { return ResidueSetEvent(event); }
inline BOOL ResetEvent(HANDLE event) noexcept { return ResidueResetEvent(event); }
inline DWORD WaitForSingleObject(HANDLE event, DWORD milliseconds) noexcept {
  return ResidueWaitForEvent(event, milliseconds);
}
inline DWORD WaitForSingleObjectEx(HANDLE event, DWORD milliseconds, BOOL) noexcept {
  return ResidueWaitForEvent(event, milliseconds);
}
inline BOOL CloseHandle(HANDLE event) noexcept { return ResidueCloseEvent(event); }
inline void OutputDebugStringA(const char* text) noexcept { ResidueOutputDebugString(text); }
inline void OutputDebugStringW(const WCHAR* text) noexcept { ResidueOutputWideDebugString(text); }

#ifndef CreateEvent
#define CreateEvent CreateEventW
#define OutputDebugString OutputDebugStringW
#endif

#endif  // RESIDUE_COMPAT_WIN32_H_
