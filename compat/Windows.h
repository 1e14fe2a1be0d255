// What DirectML programs take from <Windows.h>, for Linux: its types, events and debug strings.
#ifndef RESIDUE_COMPAT_WINDOWS_H_
#define RESIDUE_COMPAT_WINDOWS_H_

#include <residue_d3d12.h>
#include <residue_win32.h>

#include <cstdint>

using LPARAM = intptr_t;
using WPARAM = uintptr_t;
using LRESULT = intptr_t;

#endif  // RESIDUE_COMPAT_WINDOWS_H_
