// Floating-point modulus for the reference, by long division on the bits: no floating-point instruction at
// all, so nothing depends on the rounding mode, on flushing of subnormals, or on a math library.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "core/half.h"

namespace residue::reference {

template <class T>
struct FloatFormat;
template <>
struct FloatFormat<Float16> {
  using Bits = uint16_t;
  static constexpr int kFractionBits = 10;
};
template <>
struct FloatFormat<float> {
  using Bits = uint32_t;
  static constexpr int kFractionBits = 23;
};
template <>
struct FloatFormat<double> {
  using Bits = uint64_t;
  static constexpr int kFractionBits = 52;
};

// A finite magnitude: significand * 2^exponent. Normal numbers have their hidden bit set in the significand.
struct Magnitude {
  uint64_t significand;
  int exponent;
};

template <class T>
struct FloatBits {
  using Format = FloatFormat<T>;
  using Bits = typename Format::Bits;
  static constexpr int kFraction = Format::kFractionBits;
  static constexpr int kWidth = static_cast<int>(sizeof(Bits) * 8);
  static constexpr Bits kSign = static_cast<Bits>(Bits{1} << (kWidth - 1));
  static constexpr Bits kHidden = static_cast<Bits>(Bits{1} << kFraction);
  static constexpr Bits kInfinity = static_cast<Bits>(kSign - kHidden);
  static constexpr Bits kNan = static_cast<Bits>(kInfinity | (kHidden >> 1));
  static constexpr int kSmallestExponent = 2 - (1 << (kWidth - kFraction - 2)) - kFraction;

  static Bits MagnitudeBits(T x) { return static_cast<Bits>(std::bit_cast<Bits>(x) & ~kSign); }
  static Bits SignOf(T x) { return static_cast<Bits>(std::bit_cast<Bits>(x) & kSign); }

  static Magnitude Split(Bits magnitude) {
    const int field = static_cast<int>(magnitude >> kFraction);
    const uint64_t fraction = magnitude & (kHidden - 1u);
    if (field == 0) return {fraction, kSmallestExponent};
    return {fraction | kHidden, kSmallestExponent + field - 1};
  }

  // value * 2^exponent to nearest even, infinity if that is too large, for a value of any unsigned type whose
  // highest bit is clear; a sticky lowest bit is allowed.
  template <class Value>
  static Bits Join(Value value, int exponent) {
    if (value == 0) return 0;
    int length = 0;
    for (Value rest = value; rest != 0; rest >>= 1) ++length;
    // Bits to drop so that the significand fits and the exponent is not below the smallest.
    int drop = length - (kFraction + 1);
    if (exponent + drop < kSmallestExponent) drop = kSmallestExponent - exponent;
    if (drop > length) return 0;  // less than half of the smallest
    uint64_t significand;
    if (drop <= 0) {
      significand = static_cast<uint64_t>(value << -drop);
    } else {
      const Value unit = static_cast<Value>(1) << drop;
      const Value rest = value & (unit - 1);
      significand = static_cast<uint64_t>(value >> drop);
      if (rest > unit / 2 || (rest == unit / 2 && (significand & 1) != 0)) ++significand;
    }
    // A normal significand carries its hidden bit, which plain addition turns into the exponent field; a
    // carry out of rounding goes the same way, up to infinity.
    const uint64_t field = static_cast<uint64_t>(exponent + drop - kSmallestExponent);
    const uint64_t joined = (field << kFraction) + significand;
    return joined < kInfinity ? static_cast<Bits>(joined) : kInfinity;
  }
};

// |a| mod |b| for finite a and finite b > 0: schoolbook long division, one bit of the quotient at a time.
template <class T>
typename FloatBits<T>::Bits RemainderOfMagnitudes(T a, T b) {
  using F = FloatBits<T>;
  if (F::MagnitudeBits(a) < F::MagnitudeBits(b)) return F::MagnitudeBits(a);
  const Magnitude x = F::Split(F::MagnitudeBits(a));
  const Magnitude y = F::Split(F::MagnitudeBits(b));
  uint64_t remainder = x.significand % y.significand;
  for (int exponent = x.exponent; exponent > y.exponent; --exponent) {
    remainder = (remainder << 1) % y.significand;
  }
  return F::Join(remainder, y.exponent);
}

// |b| - r rounded once to nearest even, for 0 < r < |b|: exact if r's last place is near that of |b|,
// otherwise with a few places more than |b| has, and a sticky last one for whatever r has beyond them. With r
// that much shorter at most one leading bit is lost, so rounding sees the place it looks at and the sticky
// one apart.
template <class T>
typename FloatBits<T>::Bits DivisorMinus(typename FloatBits<T>::Bits r, T b) {
  using F = FloatBits<T>;
  const Magnitude x = F::Split(F::MagnitudeBits(b));
  const Magnitude y = F::Split(r);
  constexpr int kPlaces = 8;
  const int gap = x.exponent - y.exponent;
  if (gap <= kPlaces) return F::Join((x.significand << gap) - y.significand, y.exponent);
  const int beyond = gap - kPlaces;
  const uint64_t whole = beyond < 64 ? y.significand >> beyond : 0;
  const bool has_rest = beyond >= 64 || (y.significand & ((uint64_t{1} << beyond) - 1)) != 0;
  const uint64_t difference = (x.significand << kPlaces) - whole - (has_rest ? 1 : 0);
  return F::Join(difference << 1 | (has_rest ? 1 : 0), x.exponent - kPlaces - 1);
}

// The result is NaN.
template <class T>
bool GivesNan(T a, T b) {
  using F = FloatBits<T>;
  const bool a_finite = F::MagnitudeBits(a) < F::kInfinity;
  const bool b_usable = F::MagnitudeBits(b) != 0 && F::MagnitudeBits(b) <= F::kInfinity;
  return !a_finite || !b_usable;
}

// What IEEE 754 calls an invalid operation: a quiet NaN only passes through, a signalling one does not.
template <class T>
bool IsInvalidOperation(T a, T b) {
  using F = FloatBits<T>;
  const auto is_nan = [](T x) { return F::MagnitudeBits(x) > F::kInfinity; };
  const auto is_signalling = [&](T x) { return is_nan(x) && F::MagnitudeBits(x) < F::kNan; };
  if (is_signalling(a) || is_signalling(b)) return true;
  if (is_nan(a) || is_nan(b)) return false;
  return F::MagnitudeBits(a) == F::kInfinity || F::MagnitudeBits(b) == 0;
}

template <class T>
T TruncateFloat(T a, T b) {
  using F = FloatBits<T>;
  using Bits = typename F::Bits;
  if (GivesNan(a, b)) return std::bit_cast<T>(F::kNan);
  if (F::MagnitudeBits(b) == F::kInfinity) return a;
  return std::bit_cast<T>(static_cast<Bits>(RemainderOfMagnitudes(a, b) | F::SignOf(a)));
}

template <class T>
T FloorFloat(T a, T b) {
  using F = FloatBits<T>;
  using Bits = typename F::Bits;
  if (GivesNan(a, b)) return std::bit_cast<T>(F::kNan);
  const bool b_infinite = F::MagnitudeBits(b) == F::kInfinity;
  Bits r = b_infinite ? F::MagnitudeBits(a) : RemainderOfMagnitudes(a, b);
  if (r != 0 && F::SignOf(a) != F::SignOf(b)) r = b_infinite ? F::kInfinity : DivisorMinus(r, b);
  return std::bit_cast<T>(static_cast<Bits>(r | F::SignOf(b)));
}

}  // namespace residue::reference
