// Events are eventfds, and handles their numbers.
#pragma once

#include <unistd.h>

#include <climits>
#include <cstdint>
#include <cstdio>
#include <string_view>

#include <wsl/winadapter.h>

namespace residue {

// Reading or writing eight bytes of whatever descriptor a stray handle names would do harm.
inline bool IsEventDescriptor(int descriptor) noexcept {
  char path[32];
  std::snprintf(path, sizeof(path), "/proc/self/fd/%d", descriptor);
  char target[64];
  const ssize_t length = readlink(path, target, sizeof(target));
  return length > 0 && std::string_view(target, static_cast<size_t>(length)) == "anon_inode:[eventfd]";
}

// -1 for a handle that cannot be an event's.
inline int ToDescriptor(HANDLE event) noexcept {
  const auto handle = reinterpret_cast<intptr_t>(event);
  return handle > 0 && handle <= INT_MAX ? static_cast<int>(handle) : -1;
}

}  // namespace residue
