// Reference functions of the moduli, in integer arithmetic only.
#pragma once

#include <concepts>
#include <type_traits>

#include "cpu/rows/reference_float.h"

namespace residue::reference {

// The rule for an integer divisor of zero: the result is 0, for both operators and all types.
template <class T>
constexpr T kModulusByZero = 0;

// The remainder with the sign of a: C's % and fmod.
template <class T>
T ModulusTruncate(T a, T b) noexcept {
  if constexpr (std::integral<T>) {
    if (b == 0) return kModulusByZero<T>;
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return 0;  // MIN % -1 is 0, but the division would trap
    }
    return static_cast<T>(a % b);
  } else {
    return TruncateFloat(a, b);
  }
}

// The remainder with the sign of b: Python's %.
template <class T>
T ModulusFloor(T a, T b) noexcept {
  if constexpr (std::integral<T>) {
    const T r = ModulusTruncate(a, b);
    const bool signs_differ = (r < 0) != (b < 0);
    return r != 0 && signs_differ ? static_cast<T>(r + b) : r;
  } else {
    return FloorFloat(a, b);
  }
}

}  // namespace residue::reference
