// Enumerations that programs fill in, in whatever language: any number may be in them.
#pragma once

#include <cstdint>
#include <cstring>

namespace residue {

// The number, whether or not an enumerator has it.
template <class Enum>
int32_t NumberOf(const Enum& value) noexcept {
  static_assert(sizeof(Enum) == sizeof(int32_t));
  int32_t number;
  std::memcpy(&number, &value, sizeof(number));
  return number;
}

}  // namespace residue
