#include "core/checked_math.h"

#include <gtest/gtest.h>

#include <limits>

namespace residue {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr int64_t kMin = std::numeric_limits<int64_t>::min();

TEST(CheckedMathTest, SignedLimits) {
  int64_t result;
  EXPECT_TRUE(CheckedAdd(kMax - 1, int64_t{1}, &result));
  EXPECT_EQ(result, kMax);
  EXPECT_FALSE(CheckedAdd(kMax, int64_t{1}, &result));
  EXPECT_FALSE(CheckedSubtract(int64_t{0}, kMin, &result));
  EXPECT_TRUE(CheckedSubtract(int64_t{-1}, kMin, &result));
  EXPECT_EQ(result, kMax);
  EXPECT_FALSE(CheckedMultiply(kMin, int64_t{-1}, &result));
  EXPECT_TRUE(CheckedMultiply(kMin, int64_t{1}, &result));
}

TEST(CheckedMathTest, DivideRoundingUpDoesNotOverflow) {
  EXPECT_EQ(DivideRoundingUp(0, 7), 0u);
  EXPECT_EQ(DivideRoundingUp(7, 7), 1u);
  EXPECT_EQ(DivideRoundingUp(8, 7), 2u);
  EXPECT_EQ(DivideRoundingUp(std::numeric_limits<uint64_t>::max(), 2), uint64_t{1} << 63);
}

}  // namespace
}  // namespace residue
