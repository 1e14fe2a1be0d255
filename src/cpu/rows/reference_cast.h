// Reference functions of conversions, by integer arithmetic on significands.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/params.h"
#include "cpu/rows/reference_compute.h"
#include "cpu/rows/reference_order.h"

namespace residue::reference {

// An integer, brought into the range of an element.
template <std::integral R>
R Saturate(bool negative, uint64_t magnitude) noexcept {
  constexpr auto kMost = static_cast<uint64_t>(std::numeric_limits<R>::max());
  if (!negative) return magnitude > kMost ? std::numeric_limits<R>::max() : static_cast<R>(magnitude);
  constexpr uint64_t kLeast = std::is_signed_v<R> ? kMost + 1 : 0;
  return magnitude > kLeast ? std::numeric_limits<R>::min() : static_cast<R>(uint64_t{0} - magnitude);
}
template <std::integral R>
R Saturate(int64_t value) noexcept {
  return Saturate<R>(value < 0,
                     value < 0 ? uint64_t{0} - static_cast<uint64_t>(value) : static_cast<uint64_t>(value));
}

template <std::integral R, class T>
R FloatToInteger(T x) noexcept {
  using F = FloatBits<T>;
  if (IsNanElement(x)) return 0;
  const bool negative = F::SignOf(x) != 0;
  const Magnitude split = F::Split(F::MagnitudeBits(x));
  uint64_t whole = 0;
  if (F::MagnitudeBits(x) == F::kInfinity) {
    whole = UINT64_MAX;
  } else if (split.exponent >= 0) {
    const bool fits = split.exponent < 64 && split.significand <= UINT64_MAX >> split.exponent;
    whole = fits ? split.significand << split.exponent : UINT64_MAX;  // as good as any number beyond it
  } else if (split.exponent > -64) {
    whole = split.significand >> -split.exponent;
  }
  return Saturate<R>(negative, whole);
}

template <class R, std::integral T>
R IntegerToFloat(T x) noexcept {
  using F = FloatBits<R>;
  const bool negative = x < 0;
  const auto magnitude = negative ? uint64_t{0} - static_cast<uint64_t>(x) : static_cast<uint64_t>(x);
  // The highest bit of what is joined is clear: of the two lowest, whether one is set matters.
  const uint64_t sticky = magnitude >> 1 | (magnitude & 1);
  const auto joined = magnitude >> 63 != 0 ? F::Join(sticky, 1) : F::Join(magnitude, 0);
  return std::bit_cast<R>(static_cast<typename F::Bits>(joined | (negative ? F::kSign : 0)));
}

template <class R, class T>
R FloatToFloat(T x) noexcept {
  using From = FloatBits<T>;
  using To = FloatBits<R>;
  if (IsNanElement(x)) return QuietNanElement<R>();
  const auto sign = static_cast<typename To::Bits>(From::SignOf(x) != 0 ? To::kSign : 0);
  if (From::MagnitudeBits(x) == From::kInfinity) {
    return std::bit_cast<R>(static_cast<typename To::Bits>(To::kInfinity | sign));
  }
  const Magnitude split = From::Split(From::MagnitudeBits(x));
  const auto joined = To::Join(split.significand, split.exponent);
  return std::bit_cast<R>(static_cast<typename To::Bits>(joined | sign));
}

template <class T, class R>
R Cast(T x) noexcept {
  if constexpr (std::is_same_v<T, R>) {
    return x;
  } else if constexpr (std::integral<T> && std::integral<R>) {
    return static_cast<R>(x);
  } else if constexpr (std::integral<T>) {
    return IntegerToFloat<R>(x);
  } else if constexpr (std::integral<R>) {
    return FloatToInteger<R>(x);
  } else {
    return FloatToFloat<R>(x);
  }
}

// The quotient rounded to nearest, ties to even, plus the zero point, saturated; NaN gives the zero point.
template <class T, class R>
R QuantizeLinear(T x, T scale, R zero_point) noexcept {
  const T quotient = Round(x / scale, RoundParams{RoundParams::kHalvesToEven});
  return Saturate<R>(int64_t{FloatToInteger<int32_t>(quotient)} + zero_point);
}

// The difference is exact and rounded once, the product once more.
template <class T, class R>
R DequantizeLinear(T x, R scale, T zero_point) noexcept {
  const auto difference = static_cast<int64_t>(x) - static_cast<int64_t>(zero_point);
  return Narrow<R>(IntegerToFloat<R>(difference) * scale);
}

}  // namespace residue::reference
