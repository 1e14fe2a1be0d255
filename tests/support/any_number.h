// An enumerator that may not exist, as a program in another language might pass it.
#pragma once

#include <cstdint>
#include <cstring>

namespace residue::testing {

template <class Enum>
Enum AnyNumber(long long number) {
  const auto bits = static_cast<int32_t>(number);
  Enum value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

}  // namespace residue::testing
