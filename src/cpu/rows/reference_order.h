// Reference functions of order, signs and whole numbers, on the bits of floats.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>

#include "core/params.h"
#include "cpu/rows/reference_compute.h"

namespace residue::reference {

// IEEE 754's maximum and minimum: NaN if one is, and -0 is less than 0.
template <class T>
T Max(T a, T b) noexcept {
  if constexpr (!std::integral<T>) {
    if (IsNanElement(a) || IsNanElement(b)) return QuietNanElement<T>();
  }
  return PlaceOf(a) > PlaceOf(b) ? a : b;
}
template <class T>
T Min(T a, T b) noexcept {
  if constexpr (!std::integral<T>) {
    if (IsNanElement(a) || IsNanElement(b)) return QuietNanElement<T>();
  }
  return PlaceOf(a) < PlaceOf(b) ? a : b;
}

// Params hold elements as bits, in the first bytes.
template <class T>
T ElementOfBits(const uint64_t& bits) noexcept {
  T element;
  std::memcpy(&element, &bits, sizeof(T));
  return element;
}

// max(min, min(x, max)); a bound that is NaN is none.
template <class T>
T Clip(T x, const BoundsParams& params) noexcept {
  const auto least = ElementOfBits<T>(params.min);
  const auto most = ElementOfBits<T>(params.max);
  if constexpr (!std::integral<T>) {
    if (IsNanElement(x)) return QuietNanElement<T>();
  }
  const T below = IsNanElement(most) ? x : Min(x, most);
  return IsNanElement(least) ? below : Max(below, least);
}

// Floats: only the sign bit changes.
template <class T>
T Abs(T x) noexcept {
  if constexpr (std::integral<T>) {
    return x < 0 ? static_cast<T>(uint64_t{0} - static_cast<uint64_t>(x)) : x;
  } else {
    return std::bit_cast<T>(FloatBits<T>::MagnitudeBits(x));
  }
}
template <class T>
T Negate(T x) noexcept {
  if constexpr (std::integral<T>) {
    return static_cast<T>(uint64_t{0} - static_cast<uint64_t>(x));
  } else {
    using F = FloatBits<T>;
    return std::bit_cast<T>(static_cast<typename F::Bits>(std::bit_cast<typename F::Bits>(x) ^ F::kSign));
  }
}

// 0 for NaN.
template <class T>
T Sign(T x) noexcept {
  const auto rank = RankOf(x);
  const int sign = IsNanElement(x) ? 0 : (rank > 0) - (rank < 0);
  if constexpr (std::integral<T>) {
    return static_cast<T>(sign);
  } else {
    return Narrow<T>(static_cast<float>(sign));
  }
}

// A magnitude below 2^53 without its fraction, and how large that was.
struct Whole {
  uint64_t magnitude;
  int rest;  // 0: nothing, 1: less than a half, 2: a half, 3: more
};
inline Whole SplitWhole(Magnitude x) noexcept {
  if (x.exponent >= 0) return {x.significand << x.exponent, 0};
  const int places = -x.exponent;
  if (places > 60) return {0, x.significand == 0 ? 0 : 1};
  const uint64_t unit = uint64_t{1} << places;
  const uint64_t rest = x.significand & (unit - 1);
  return {x.significand >> places, rest == 0 ? 0 : rest < unit / 2 ? 1 : rest == unit / 2 ? 2 : 3};
}

// Rounds by a function of the whole part and the rest that says whether to go away from zero.
template <class T, class GoesAway>
T RoundWhole(T x, GoesAway goes_away) noexcept {
  using F = FloatBits<T>;
  if (IsNanElement(x)) return QuietNanElement<T>();
  const Magnitude split = F::Split(F::MagnitudeBits(x));
  if (F::MagnitudeBits(x) == F::kInfinity || split.exponent >= 0) return x;
  const Whole whole = SplitWhole(split);
  const uint64_t rounded = whole.magnitude + (goes_away(whole, F::SignOf(x) != 0) ? 1 : 0);
  return std::bit_cast<T>(static_cast<typename F::Bits>(F::Join(rounded, 0) | F::SignOf(x)));
}
template <class T>
T Ceil(T x) noexcept {
  return RoundWhole(x, [](const Whole& whole, bool negative) { return whole.rest != 0 && !negative; });
}
template <class T>
T Floor(T x) noexcept {
  return RoundWhole(x, [](const Whole& whole, bool negative) { return whole.rest != 0 && negative; });
}
template <class T>
T Round(T x, const RoundParams& params) noexcept {
  return RoundWhole(x, [&](const Whole& whole, bool) {
    if (params.mode == RoundParams::kTowardZero) return false;
    if (params.mode == RoundParams::kHalvesAwayFromZero) return whole.rest >= 2;
    return whole.rest == 3 || (whole.rest == 2 && (whole.magnitude & 1) != 0);
  });
}

// Quiet comparisons: NaN makes all of them false.
template <class T>
bool AreOrdered(T a, T b) noexcept {
  return !IsNanElement(a) && !IsNanElement(b);
}
template <class T, class R>
R Equals(T a, T b) noexcept {
  return AreOrdered(a, b) && RankOf(a) == RankOf(b);
}
template <class T, class R>
R GreaterThan(T a, T b) noexcept {
  return AreOrdered(a, b) && RankOf(a) > RankOf(b);
}
template <class T, class R>
R GreaterThanOrEqual(T a, T b) noexcept {
  return AreOrdered(a, b) && RankOf(a) >= RankOf(b);
}
template <class T, class R>
R LessThan(T a, T b) noexcept {
  return AreOrdered(a, b) && RankOf(a) < RankOf(b);
}
template <class T, class R>
R LessThanOrEqual(T a, T b) noexcept {
  return AreOrdered(a, b) && RankOf(a) <= RankOf(b);
}

template <class T, class R>
R IsNan(T x) noexcept {
  return IsNanElement(x);
}
template <class T, class R>
R IsInfinity(T x, const InfinityParams& params) noexcept {
  using F = FloatBits<T>;
  if (F::MagnitudeBits(x) != F::kInfinity) return false;
  const bool negative = F::SignOf(x) != 0;
  return params.mode != (negative ? InfinityParams::kPositive : InfinityParams::kNegative);
}

}  // namespace residue::reference
