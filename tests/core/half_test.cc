#include "core/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace residue {
namespace {

// The value of a half by its definition.
double Definition(uint16_t bits) {
  const int exponent = (bits >> 10) & 0x1F;
  const int fraction = bits & 0x3FF;
  const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

TEST(HalfTest, EveryFiniteHalfConvertsExactlyBothWays) {
  for (uint32_t bits = 0; bits <= 0xFFFF; ++bits) {
    if ((bits & 0x7C00) == 0x7C00) continue;  // infinity and NaN are checked below
    const Float16 half{static_cast<uint16_t>(bits)};
    const double value = Definition(half.bits);
    ASSERT_EQ(static_cast<double>(HalfToFloat(half)), value) << std::hex << bits;
    ASSERT_EQ(std::signbit(HalfToFloat(half)), (bits & 0x8000) != 0) << std::hex << bits;
    ASSERT_EQ(DoubleToHalf(value).bits, bits) << std::hex << bits;
  }
}

TEST(HalfTest, RoundsToNearestEvenBetweenAllNeighbours) {
  for (uint16_t bits = 0; bits < 0x7BFF; ++bits) {
    const double low = Definition(bits);
    const double high = Definition(static_cast<uint16_t>(bits + 1));
    const double middle = (low + high) / 2;
    const uint16_t even = static_cast<uint16_t>(bits + (bits & 1));
    ASSERT_EQ(DoubleToHalf(middle).bits, even) << std::hex << bits;
    ASSERT_EQ(DoubleToHalf(std::nextafter(middle, 0.0)).bits, bits) << std::hex << bits;
    ASSERT_EQ(DoubleToHalf(std::nextafter(middle, 1e9)).bits, bits + 1) << std::hex << bits;
    ASSERT_EQ(DoubleToHalf(-middle).bits, even | 0x8000) << std::hex << bits;
  }
}

TEST(HalfTest, OverflowUnderflowAndNan) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(DoubleToHalf(65519.99).bits, 0x7BFF);
  EXPECT_EQ(DoubleToHalf(65520.0).bits, 0x7C00);
  EXPECT_EQ(DoubleToHalf(1e300).bits, 0x7C00);
  EXPECT_EQ(DoubleToHalf(-infinity).bits, 0xFC00);
  EXPECT_EQ(DoubleToHalf(0x1p-25).bits, 0x0000);
  EXPECT_EQ(DoubleToHalf(0x1.0000000000001p-25).bits, 0x0001);
  EXPECT_EQ(DoubleToHalf(5e-324).bits, 0x0000);
  EXPECT_EQ(DoubleToHalf(-5e-324).bits, 0x8000);
  EXPECT_EQ(DoubleToHalf(std::numeric_limits<double>::quiet_NaN()).bits, kHalfNan.bits);
  EXPECT_EQ(HalfToFloat({0x7C00}), std::numeric_limits<float>::infinity());
  EXPECT_EQ(HalfToFloat({0xFC00}), -std::numeric_limits<float>::infinity());
  for (uint32_t bits = 0x7C01; bits <= 0x7FFF; ++bits) {
    ASSERT_TRUE(std::isnan(HalfToFloat({static_cast<uint16_t>(bits)})));
    ASSERT_TRUE(std::isnan(HalfToFloat({static_cast<uint16_t>(bits | 0x8000)})));
  }
}

}  // namespace
}  // namespace residue
