// Floating-point modulus for the judge, by long division on the bits: no floating-point instruction at all,
// so nothing depends on the rounding mode, on flushing of subnormals, or on a math library.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "base/half.h"

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

  // value * 2^exponent to nearest even; value has at most 127 bits, and a sticky lowest bit is allowed.
  static Bits Join(unsigned __int128 value, int exponent) {
    if (value == 0) return 0;
    int length = 0;
    for (unsigned __int128 rest = value; rest != 0; rest >>= 1) ++length;
    // Bits to drop so that the significand fits and the exponent is not below the smallest.
    int drop = length - (kFraction + 1);
    if (exponent + drop < kSmallestExponent) drop = kSmallestExponent - exponent;
    uint64_t significand;
    if (drop <= 0) {
      significand = static_cast<uint64_t>(value << -drop);
    } else {
      const unsigned __int128 unit = static_cast<unsigned __int128>(1) << drop;
      const unsigned __int128 rest = value & (unit - 1);
      significand = static_cast<uint64_t>(value >> drop);
      if (rest > unit / 2 || (rest == unit / 2 && (significand & 1) != 0)) ++significand;
    }
    // A normal significand carries its hidden bit, which plain addition turns into the exponent field; a
    // carry out of rounding goes the same way, up to infinity.
    const uint64_t field = static_cast<uint64_t>(exponent + drop - kSmallestExponent);
    return static_cast<Bits>((field << kFraction) + significand);
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

// |b| - r rounded once to nearest even, for 0 < r < |b|.
template <class T>
typename FloatBits<T>::Bits DivisorMinus(typename FloatBits<T>::Bits r, T b) {
  using F = FloatBits<T>;
  const Magnitude x = F::Split(F::MagnitudeBits(b));
  const Magnitude y = F::Split(r);
  constexpr int kRoom = 64;
  const int gap = x.exponent - y.exponent;
  const auto wide = static_cast<unsigned __int128>(x.significand);
  // Far below the last place of |b| only the fact that something was taken away matters: a sticky one.
  if (gap > kRoom) return F::Join((wide << kRoom) - 1, x.exponent - kRoom);
  return F::Join((wide << gap) - y.significand, y.exponent);
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
