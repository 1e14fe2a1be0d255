#include "function_inputs.h"

#include <bit>
#include <cmath>

#include "verification/random.h"

namespace residue::tool {
namespace {

using residue::testing::Random;

// One of each 256 that follow one another, never the same of them.
uint32_t PartOf(uint64_t n) { return static_cast<uint32_t>(n << 8 | (n * 0x9E3779B97F4A7C15u) >> 56); }

float AnyNumber(Random* random) { return std::bit_cast<float>(static_cast<uint32_t>(random->Next())); }

// Between 1 and 2, times a power of two.
float NumberNear(Random* random, int64_t exponent) {
  const auto digits = static_cast<double>(random->Below(1 << 23)) * 0x1p-23;
  return static_cast<float>(std::ldexp(1 + digits, static_cast<int>(exponent)));
}

struct Pair {
  float x;
  float y;
};

// A power that is an ordinary number, or nearly one; some are exact, or half-way between two numbers.
Pair PowerPair(Random* random) {
  if (random->OneIn(8)) {
    const auto base = static_cast<float>(random->Below(1 << 12));
    return {random->OneIn(2) ? -base : base, static_cast<float>(random->Between(-12, 40)) / 4};
  }
  const float x = NumberNear(random, random->OneIn(2) ? random->Between(-1, 0) : random->Between(-149, 127));
  const double power = static_cast<double>(random->Between(-152000, 130000)) / 1000;
  const auto y = static_cast<float>(power / std::log2(static_cast<double>(x)));
  return random->OneIn(4) ? Pair{-x, std::nearbyint(y)} : Pair{x, y};
}

Pair AnglePair(Random* random) {
  const int64_t exponent = random->Between(-149, 127);
  const float x = NumberNear(random, exponent);
  const float y = NumberNear(random, exponent + random->Between(-30, 30));
  return {random->OneIn(2) ? -x : x, random->OneIn(2) ? -y : y};
}

}  // namespace

uint64_t FunctionInputs::count() const {
  constexpr uint64_t kPairs = 10'000'000'000;
  if (!exhaustive_) return uint64_t{1} << 24;
  return InputCount(op_) == 1 ? uint64_t{1} << 32 : kPairs;
}

void FunctionInputs::Fill(uint64_t begin, std::vector<float>* x, std::vector<float>* y) const {
  if (InputCount(op_) == 1) {
    for (size_t i = 0; i < x->size(); ++i) {
      const uint64_t n = begin + i;
      (*x)[i] = std::bit_cast<float>(exhaustive_ ? static_cast<uint32_t>(n) : PartOf(n));
    }
    y->clear();
    return;
  }
  Random random(begin);
  y->resize(x->size());
  for (size_t i = 0; i < x->size(); ++i) {
    const Pair pair = random.OneIn(8)           ? Pair{AnyNumber(&random), AnyNumber(&random)}
                      : op_ == OperatorId::kPow ? PowerPair(&random)
                                                : AnglePair(&random);
    (*x)[i] = pair.x;
    (*y)[i] = pair.y;
  }
}

}  // namespace residue::tool
