// The reference is itself compared: with hand-written cases, with the fast oracle, and with the C library.
#include "cpu/rows/reference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "oracle/oracle.h"
#include "support/row_run.h"
#include "support/type_test.h"

namespace residue::testing {
namespace {

template <class T>
class ReferenceTest : public ::testing::Test {};
TYPED_TEST_SUITE(ReferenceTest, AllElementTypes, TypeNames);

// The reference and the oracle on one pair, every operator.
template <class T>
void CompareWithOracle(uint64_t index, T a, T b) {
  for (const OperatorId op : oracle::kOperators) {
    const T expected = oracle::Modulus(a, b).Get(op);
    const T got = reference::Evaluate(op, a, b);
    ASSERT_EQ(ToBits(expected), ToBits(got))
        << DescribeFailure(op, Form::kVectorVector, Target::kReference, index, a, b, expected, got);
  }
}

TYPED_TEST(ReferenceTest, AgreesWithTheOracle) {
  using T = TypeParam;
  PairGenerator<T> generator(Seed() + 5);
  const uint64_t pairs = ByTier(100'000, 500'000, 2'000'000);
  for (uint64_t i = 0; i < pairs; ++i) {
    T a;
    T b;
    generator.Next(&a, &b);
    ASSERT_NO_FATAL_FAILURE(CompareWithOracle(i, a, b));
  }
}

TYPED_TEST(ReferenceTest, AgreesWithTheOracleOnAllEdges) {
  using T = TypeParam;
  for (const T a : EdgeValues<T>()) {
    for (const T b : EdgeValues<T>()) ASSERT_NO_FATAL_FAILURE(CompareWithOracle(0, a, b));
  }
}

template <class T>
void CompareWithLibm() {
  PairGenerator<T> generator(Seed() + 6);
  const uint64_t pairs = ByTier(50'000, 500'000, 5'000'000);
  for (uint64_t i = 0; i < pairs; ++i) {
    T a;
    T b;
    generator.Next(&a, &b);
    const T expected = std::fmod(a, b);
    const T got = reference::ModulusTruncate(a, b);
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(got)) << Describe(a) << " mod " << Describe(b);
    } else {
      ASSERT_EQ(ToBits(expected), ToBits(got)) << Describe(a) << " mod " << Describe(b);
    }
  }
}

TEST(ReferenceFloatTest, TruncateIsTheCLibrarysFmod) {
  CompareWithLibm<float>();
  CompareWithLibm<double>();
}

struct FloatCase {
  double a, b, floor, truncate;
};

// Contract R204 and R205, spelled out.
TEST(ReferenceFloatTest, SpecialValuesByHand) {
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const FloatCase cases[] = {
      {7, 3, 1, 1},
      {-7, 3, 2, -1},
      {7, -3, -2, 1},
      {-7, -3, -1, -1},
      {6, 3, 0.0, 0.0},
      {-6, 3, 0.0, -0.0},
      {6, -3, -0.0, 0.0},
      {-6, -3, -0.0, -0.0},
      {0.0, 5, 0.0, 0.0},
      {-0.0, 5, 0.0, -0.0},
      {0.0, -5, -0.0, 0.0},
      {-0.0, -5, -0.0, -0.0},
      {5, inf, 5, 5},
      {-5, inf, inf, -5},
      {5, -inf, -inf, 5},
      {-5, -inf, -5, -5},
      {0.0, inf, 0.0, 0.0},
      {-0.0, inf, 0.0, -0.0},
      {0.0, -inf, -0.0, 0.0},
      {inf, 5, nan, nan},
      {-inf, 5, nan, nan},
      {inf, inf, nan, nan},
      {5, 0.0, nan, nan},
      {5, -0.0, nan, nan},
      {0.0, 0.0, nan, nan},
      {nan, 5, nan, nan},
      {5, nan, nan, nan},
      {nan, nan, nan, nan},
      {inf, nan, nan, nan},
      {-1e-20, 1, 1, -1e-20},  // FLOOR may round up to the divisor
      {16777216, 1, 0.0, 0.0},
  };
  for (const FloatCase& c : cases) {
    const auto check = [&](OperatorId op, double expected) {
      const double got = reference::Evaluate(op, c.a, c.b);
      EXPECT_EQ(ToBits(expected), ToBits(got)) << OperatorName(op) << " " << c.a << " " << c.b << " " << got;
      const auto got32 = reference::Evaluate(op, static_cast<float>(c.a), static_cast<float>(c.b));
      if (std::isnan(expected)) {
        EXPECT_EQ(ToBits(got32), 0x7FC00000u);
      } else {
        EXPECT_EQ(ToBits(static_cast<float>(expected)), ToBits(got32))
            << OperatorName(op) << " " << c.a << " " << c.b;
      }
    };
    check(OperatorId::kModulusFloor, c.floor);
    check(OperatorId::kModulusTruncate, c.truncate);
  }
}

// Contract R208 and R209.
TEST(ReferenceIntegerTest, ZeroDivisorAndMinimumByMinusOne) {
  const auto check = []<class T>(T) {
    const T minimum = std::numeric_limits<T>::min();
    const T maximum = std::numeric_limits<T>::max();
    for (const OperatorId op : oracle::kOperators) {
      for (const T a : {minimum, maximum, T{0}, T{1}}) {
        EXPECT_EQ(reference::Evaluate(op, a, T{0}), T{0});
        EXPECT_EQ(reference::Evaluate(op, a, T{1}), T{0});
        if (std::is_signed_v<T>) {
          EXPECT_EQ(reference::Evaluate(op, a, static_cast<T>(-1)), T{0});
        }
      }
    }
  };
  check(int8_t{});
  check(int16_t{});
  check(int32_t{});
  check(int64_t{});
  check(uint8_t{});
  check(uint16_t{});
  check(uint32_t{});
  check(uint64_t{});
}

TEST(ReferenceIntegerTest, SignsByHand) {
  EXPECT_EQ(reference::ModulusFloor<int32_t>(7, 3), 1);
  EXPECT_EQ(reference::ModulusFloor<int32_t>(-7, 3), 2);
  EXPECT_EQ(reference::ModulusFloor<int32_t>(7, -3), -2);
  EXPECT_EQ(reference::ModulusFloor<int32_t>(-7, -3), -1);
  EXPECT_EQ(reference::ModulusTruncate<int32_t>(-7, 3), -1);
  EXPECT_EQ(reference::ModulusTruncate<int32_t>(7, -3), 1);
  EXPECT_EQ(reference::ModulusFloor<int64_t>(9007199254740993, 10), 3);
}

// Museum own-170: whether an exponent is an integer, and odd, is seen from all of its digits.
TEST(ReferencePowerTest, SumsOfManyDigitsAsExponents) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const struct {
    float base;
    float first;
    float second;
    float power;
  } cases[] = {
      {-1, 0x1p62f, 1, -1},
      {-2, 0x1p62f, 1, -kInfinity},
      {-0.0f, -0x1p62f, -1, -kInfinity},
      {-1, 0x1p61f, 0.5f, nan},
      {-2, 0x1p61f, 0.5f, nan},
      {-0.5f, 0x1p61f, 0.5f, nan},
      {-0.0f, 0x1p61f, 0.5f, 0},
      {-1, 0x1p62f, 0.5f, nan},
      {-1, 0x1p127f, 0x1p-149f, nan},
      {-1, 0x1p127f, 1, -1},
      {-1, 0x1p127f, 2, 1},
      {-0.0f, 0x1p100f, 1, -0.0f},
      {-2, -0x1p62f, 1, -0.0f},
      {-3, 1, 2, -27},
      {-3, 1.5f, 0.5f, 9},
      {2, 0x1p-149f, -0x1p-149f, 1},
      {4, 1, -0.5f, 2},
  };
  const RowFn run = reference::FindRow({OperatorId::kPowOfSum, DataType::kFloat32, DataType::kFloat32});
  for (const auto& one : cases) {
    float power = 0;
    Row row = {};
    row.in[0] = &one.base;
    row.in[1] = &one.first;
    row.in[2] = &one.second;
    row.out = &power;
    row.count = 1;
    run(row);
    EXPECT_EQ(ToBits(power), ToBits(one.power))
        << one.base << " ^ (" << one.first << " + " << one.second << ")";
  }
}

// Museum own-229: the formula decides for 0 as for any other number.
TEST(CeluTest, OfZero) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const float alpha : {0.0f, kInfinity, -kInfinity, std::numeric_limits<float>::quiet_NaN()}) {
    for (const float x : {0.0f, -0.0f, 1.0f}) {
      EXPECT_EQ(ToBits(reference::Celu(x, AlphaParams{alpha})),
                ToBits(std::numeric_limits<float>::quiet_NaN()))
          << x << " with alpha " << alpha;
    }
  }
  EXPECT_EQ(ToBits(reference::Celu(-0.0f, AlphaParams{1.0f})), 0u);
}

}  // namespace
}  // namespace residue::testing
