// Operands that break modulus implementations: the special values of each type, and random pairs of every
// hard class. Every generator yields zeros, both signs, MIN, and values above 2^24, 2^31 and 2^53.
#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "core/data_type.h"
#include "core/half.h"
#include "cpu/rows/reference_bits.h"
#include "cpu/rows/reference_float.h"
#include "verification/random.h"

namespace residue::testing {

// An element's bits, and back.
template <class T>
using BitsOf = reference::BitsOfSize<sizeof(T)>;
using reference::FromBits;
using reference::ToBits;

// Edge values: for integers 0, 1, MIN, MAX, 2^k and neighbours with both signs; for floats the same idea in
// bit patterns (zero, subnormals, powers of two and neighbours, largest, infinity, quiet and signalling NaN).
template <class T>
std::vector<T> EdgeValues() {
  std::vector<T> values;
  constexpr int kWidth = static_cast<int>(sizeof(T)) * 8;
  if constexpr (std::integral<T>) {
    for (int k = 0; k < kWidth; ++k) {
      const BitsOf<T> power = static_cast<BitsOf<T>>(BitsOf<T>{1} << k);
      for (int delta = -2; delta <= 2; ++delta) {
        const auto bits = static_cast<BitsOf<T>>(power + static_cast<BitsOf<T>>(delta));
        values.push_back(static_cast<T>(bits));
        values.push_back(static_cast<T>(BitsOf<T>{0} - bits));
      }
    }
  } else {
    using F = reference::FloatBits<T>;
    std::vector<uint64_t> magnitudes = {
        0, 1, 2, 3, F::kHidden / 2u, F::kHidden - 1u, F::kHidden, F::kHidden + 1u};
    const uint64_t one = (F::kInfinity >> 1) & ~uint64_t{F::kHidden - 1u};
    for (const int64_t exponent : {-60, -24, -11, -2, -1, 0, 1, 2, 3, 10, 11, 23, 24, 25, 52, 53, 60, 100}) {
      const int64_t bits = static_cast<int64_t>(one) + exponent * static_cast<int64_t>(F::kHidden);
      if (bits <= 1 || bits >= static_cast<int64_t>(F::kInfinity)) continue;
      for (const int64_t delta : {-1, 0, 1, 2}) magnitudes.push_back(static_cast<uint64_t>(bits + delta));
      magnitudes.push_back(static_cast<uint64_t>(bits) + F::kHidden / 2u);  // 1.5 * 2^exponent
    }
    constexpr uint64_t kInfinity = F::kInfinity;
    for (const uint64_t bits : {kInfinity - F::kHidden, kInfinity - 2, kInfinity - 1, kInfinity,
                                kInfinity + 1, uint64_t{F::kNan}}) {
      magnitudes.push_back(bits);
    }
    for (const uint64_t bits : magnitudes) {
      values.push_back(FromBits<T>(bits));
      values.push_back(FromBits<T>(bits | F::kSign));
    }
  }
  std::sort(values.begin(), values.end(), [](T x, T y) { return ToBits(x) < ToBits(y); });
  values.erase(std::unique(values.begin(), values.end(), [](T x, T y) { return ToBits(x) == ToBits(y); }),
               values.end());
  return values;
}

template <class T>
class PairGenerator {
 public:
  explicit PairGenerator(uint64_t seed) : random_(seed), edges_(EdgeValues<T>()) {}

  void Fill(std::span<T> a, std::span<T> b) {
    for (size_t i = 0; i < a.size(); ++i) Next(&a[i], &b[i]);
  }

  // Numbers as most programs have them: no zero divisor, no large quotient.
  void NextUsual(T* a, T* b) {
    if constexpr (std::integral<T>) {
      *a = FromBits<T>(random_.Next() >> (64 - kWidth / 2));
      *b = FromBits<T>(random_.Next() >> (64 - kWidth / 2) | 1);
    } else {
      using F = reference::FloatBits<T>;
      constexpr uint64_t kOne = (F::kInfinity >> 1) & ~uint64_t{F::kHidden - 1u};
      for (T* number : {a, b}) {
        *number = FromBits<T>((random_.Next() & F::kSign) | (kOne + random_.Below(uint64_t{F::kHidden} * 8)));
      }
    }
  }

  void Next(T* a, T* b) {
    if constexpr (std::integral<T>) {
      NextInteger(a, b);
    } else {
      NextFloat(a, b);
    }
  }

 private:
  static constexpr uint64_t kWidth = sizeof(T) * 8;

  T Edge() { return edges_[random_.Below(edges_.size())]; }

  void NextInteger(T* a, T* b) {
    switch (random_.Below(8)) {
      case 0:  // full width
      case 1:
        *a = FromBits<T>(random_.Next());
        *b = FromBits<T>(random_.Next());
        return;
      case 2:  // edges
        *a = Edge();
        *b = Edge();
        return;
      case 3:
        *a = FromBits<T>(random_.Next());
        *b = Edge();
        return;
      case 4: {  // near a multiple of b
        *b = Length();
        const uint64_t k = random_.Next() >> random_.Below(64);
        *a = FromBits<T>(static_cast<uint64_t>(*b) * k + random_.Below(3) - 1);
        return;
      }
      default:  // all lengths
        *a = Length();
        *b = Length();
        return;
    }
  }

  // A random number of random length and sign.
  T Length() {
    const uint64_t bits = random_.Next() >> (64 - kWidth) >> random_.Below(kWidth);
    return FromBits<T>(random_.OneIn(2) ? uint64_t{0} - bits : bits);
  }

  // k * b, rounded once: the product of narrower types is exact in float64.
  static T Times(T b, uint64_t k) {
    const auto factor = static_cast<double>(k);
    if constexpr (std::is_same_v<T, Float16>) {
      return DoubleToHalf(static_cast<double>(HalfToFloat(b)) * factor);
    } else {
      return static_cast<T>(static_cast<double>(b) * factor);
    }
  }

  void NextFloat(T* a, T* b) {
    using F = reference::FloatBits<T>;
    constexpr uint64_t kFractionMask = F::kHidden - 1u;
    constexpr uint64_t kFields = F::kInfinity / F::kHidden;  // finite exponent fields, 0 is subnormal
    const auto number = [&](uint64_t field) {
      return FromBits<T>(field * F::kHidden | (random_.Next() & kFractionMask) |
                         (random_.OneIn(2) ? uint64_t{F::kSign} : 0));
    };
    switch (random_.Below(16)) {
      default:  // random bits: half of all pairs
        *a = FromBits<T>(random_.Next());
        *b = FromBits<T>(random_.Next());
        break;
      case 0:
      case 1:
      case 2:
      case 3: {  // a chosen exponent gap, every one of them in turn
        const uint64_t gap = gap_++ % kFields;
        const uint64_t field = random_.Below(kFields - gap);
        *b = number(field);
        *a = number(field + gap);
        break;
      }
      case 4:
      case 5:
      case 6: {  // k * b and its neighbours, for a k of few bits
        const uint64_t k = 1 + (random_.Next() >> (64 - 1 - random_.Below(F::kFraction)));
        *b = number(random_.Below(kFields));
        uint64_t bits = F::MagnitudeBits(Times(*b, k));
        bits = std::min<uint64_t>(bits + random_.Below(3), F::kInfinity) - (bits != 0 ? 1 : 0);
        *a = FromBits<T>(bits | (random_.OneIn(2) ? uint64_t{F::kSign} : 0));
        break;
      }
      case 7:  // special values
        *a = Edge();
        *b = Edge();
        break;
    }
    if (random_.OneIn(8)) *b = number(0);  // subnormal divisors, and with them the largest quotients
    if (random_.OneIn(16)) *a = number(0);
  }

  Random random_;
  std::vector<T> edges_;
  uint64_t gap_ = 0;
};

}  // namespace residue::testing
