// Pairs of numbers on which functions of two are compared: any numbers, and such that the results are not all
// 0, infinite or NaN.
#pragma once

#include <bit>
#include <cmath>

#include "core/operator_id.h"
#include "verification/random.h"

namespace residue::testing {

inline float AnyFloat(Random* random) { return std::bit_cast<float>(static_cast<uint32_t>(random->Next())); }

// Between 1 and 2, times a power of two.
inline float NumberNear(Random* random, int64_t exponent) {
  const auto digits = static_cast<double>(random->Below(1 << 23)) * 0x1p-23;
  return static_cast<float>(std::ldexp(1 + digits, static_cast<int>(exponent)));
}

struct FunctionPair {
  float x;
  float y;
};

// A power that is an ordinary number, or nearly one; some are exact, or half-way between two numbers.
inline FunctionPair PowerPair(Random* random) {
  if (random->OneIn(8)) {
    const auto base = static_cast<float>(random->Below(1 << 12));
    return {random->OneIn(2) ? -base : base, static_cast<float>(random->Between(-12, 40)) / 4};
  }
  const float x = NumberNear(random, random->OneIn(2) ? random->Between(-1, 0) : random->Between(-149, 127));
  const double power = static_cast<double>(random->Between(-152000, 130000)) / 1000;
  const auto y = static_cast<float>(power / std::log2(static_cast<double>(x)));
  return random->OneIn(4) ? FunctionPair{-x, std::nearbyint(y)} : FunctionPair{x, y};
}

inline FunctionPair AnglePair(Random* random) {
  const int64_t exponent = random->Between(-149, 127);
  const float x = NumberNear(random, exponent);
  const float y = NumberNear(random, exponent + random->Between(-30, 30));
  return {random->OneIn(2) ? -x : x, random->OneIn(2) ? -y : y};
}

inline FunctionPair PairFor(OperatorId op, Random* random) {
  if (random->OneIn(8)) return {AnyFloat(random), AnyFloat(random)};
  return op == OperatorId::kPow ? PowerPair(random) : AnglePair(random);
}

}  // namespace residue::testing
