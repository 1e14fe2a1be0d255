// What reference functions share: the numbers that elements are computed in, their order, and their way back.
#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/half.h"
#include "cpu/rows/reference_float.h"

namespace residue::reference {

// What floating-point elements are computed in; other elements are themselves.
template <class T>
auto Widen(T a) noexcept {
  if constexpr (std::is_same_v<T, Float16>) {
    return HalfToFloat(a);
  } else {
    return a;
  }
}
// Back: rounded, any NaN the quiet one.
template <class T, std::floating_point F>
T Narrow(F result) noexcept {
  if (std::isnan(result)) result = std::numeric_limits<F>::quiet_NaN();
  if constexpr (std::is_same_v<T, Float16>) {
    return DoubleToHalf(static_cast<double>(result));
  } else {
    return result;
  }
}

template <class T>
bool IsNanElement(T x) noexcept {
  if constexpr (std::integral<T>) {
    return false;
  } else {
    return FloatBits<T>::MagnitudeBits(x) > FloatBits<T>::kInfinity;
  }
}

template <class T>
T QuietNanElement() noexcept {
  return std::bit_cast<T>(FloatBits<T>::kNan);
}

// A number's place among all of its type, read from its bits; -0 comes just before 0.
template <class T>
auto PlaceOf(T x) noexcept {
  if constexpr (std::integral<T>) {
    return x;
  } else {
    const auto magnitude = static_cast<int64_t>(FloatBits<T>::MagnitudeBits(x));
    return FloatBits<T>::SignOf(x) != 0 ? -1 - magnitude : magnitude;
  }
}
// The same for comparisons, where -0 is 0.
template <class T>
auto RankOf(T x) noexcept {
  if constexpr (std::integral<T>) {
    return x;
  } else {
    const auto magnitude = static_cast<int64_t>(FloatBits<T>::MagnitudeBits(x));
    return FloatBits<T>::SignOf(x) != 0 ? -magnitude : magnitude;
  }
}

}  // namespace residue::reference
