// Scale and bias on every target and form, and the exceptions it has, against the reference; and the
// reference against the processor.
#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <vector>

#include "cpu/rows/reference.h"
#include "support/row_run.h"
#include "support/type_test.h"

namespace residue::testing {
namespace {

template <class T>
class ScaleBiasTest : public ::testing::Test {};
using FloatTypes = ::testing::Types<Float16, float, double>;
TYPED_TEST_SUITE(ScaleBiasTest, FloatTypes, TypeNames);

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr ScaleBiasParams kCases[] = {{1.0f, 0.0f},      {2.0f, -1.0f},     {0.1f, 0.3f},
                                      {-1e30f, 1e30f},   {0x1p-24f, 0.0f},  {0.0f, 0.0f},
                                      {kInfinity, 1.0f}, {3.0f, kInfinity}, {65504.0f, -kInfinity}};

// What the processor raises for one element, its two operations and, for halves, the last rounding.
template <class T>
Exceptions Raised(T a, const ScaleBiasParams& params) {
  if constexpr (std::is_same_v<T, Float16>) {
    Exceptions raised = Raised(HalfToFloat(a), params);
    const float sum = HalfToFloat(a) * params.scale + params.bias;
    if (std::isfinite(sum) && HalfToFloat(DoubleToHalf(double{sum})) == std::copysign(kInfinity, sum)) {
      raised |= kOverflow;
    }
    return raised;
  } else {
    std::feclearexcept(FE_ALL_EXCEPT);
    volatile T x = a;
    volatile T product = x * static_cast<T>(params.scale);
    volatile T sum = product + static_cast<T>(params.bias);
    (void)sum;
    return (std::fetestexcept(FE_INVALID) != 0 ? kInvalidOperation : 0) |
           (std::fetestexcept(FE_OVERFLOW) != 0 ? kOverflow : 0);
  }
}

TYPED_TEST(ScaleBiasTest, ExceptionsAreTheProcessors) {
  using T = TypeParam;
  std::vector<T> edges = EdgeValues<T>();
  for (const ScaleBiasParams& params : kCases) {
    for (const T a : edges) {
      const Exceptions expected = Raised(a, params);
      ASSERT_EQ(reference::Detect(OperatorId::kScaleBias, a, a, Params::Of(params)), expected)
          << Describe(a) << " * " << params.scale << " + " << params.bias;
      // One such element among harmless ones, at every place of rows short and long.
      for (const Target target : VectorTargets(kDataTypeOf<T>)) {
        for (const size_t count : {size_t{1}, size_t{5}, 700 / sizeof(T)}) {
          std::vector<T> row(count, T{});
          const Exceptions others = Raised(T{}, params);
          std::vector<T> out(count);
          row[count * 2 / 3] = a;
          TestTile tile = MakeTile(Form::kVectorVector, row.data(), row.data(), out.data(), count);
          tile.params = Params::Of(params);
          ASSERT_EQ(RunTile(OperatorId::kScaleBias, kDataTypeOf<T>, target, tile, true),
                    expected | (count > 1 ? others : kNoException))
              << TargetName(target) << " " << count << ": " << Describe(a) << " * " << params.scale << " + "
              << params.bias;
        }
      }
    }
  }
}

TYPED_TEST(ScaleBiasTest, EveryTargetAndForm) {
  using T = TypeParam;
  std::vector<T> a;
  if constexpr (sizeof(T) == 2) {
    for (uint32_t bits = 0; bits < 65536; ++bits) a.push_back(FromBits<T>(bits));
  } else {
    a = EdgeValues<T>();
    PairGenerator<T> generator(Seed() + 41);
    std::vector<T> random(4096);
    std::vector<T> unused(4096);
    generator.Fill(random, unused);
    a.insert(a.end(), random.begin(), random.end());
  }
  std::vector<T> expected(a.size());
  std::vector<T> out(a.size());
  for (const ScaleBiasParams& params : kCases) {
    for (size_t i = 0; i < a.size(); ++i) expected[i] = reference::ScaleBias(a[i], params);
    for (const Target target : VectorTargets(kDataTypeOf<T>)) {
      for (const Form form : {Form::kVectorVector, Form::kVectorScalar, Form::kStrided}) {
        // From the first element and from the second: one of the two lengths leaves a tail on every target.
        for (const size_t begin : {size_t{0}, size_t{1}}) {
          const size_t count = a.size() - begin;
          RunForm(OperatorId::kScaleBias, form, target, Params::Of(params), a.data() + begin,
                  a.data() + begin, out.data() + begin, count);
          ASSERT_TRUE(SameBits(OperatorId::kScaleBias, form, target, a.data() + begin, a.data() + begin,
                               expected.data() + begin, out.data() + begin, count))
              << params.scale << " " << params.bias;
          std::fill(out.begin(), out.end(), T{});
        }
      }
    }
  }
}

// The reference itself, by hand.
TEST(ScaleBiasReferenceTest, ByHand) {
  EXPECT_EQ(reference::ScaleBias(3.0f, {2.0f, 1.0f}), 7.0f);
  EXPECT_EQ(ToBits(reference::ScaleBias(-0.0f, {1.0f, 0.0f})), ToBits(0.0f));
  EXPECT_EQ(ToBits(reference::Identity(-0.0f)), ToBits(-0.0f));
  EXPECT_EQ(ToBits(reference::Identity(FromBits<float>(0x7F800001))), 0x7F800001u)
      << "even a signalling NaN is copied";
  EXPECT_EQ(ToBits(reference::ScaleBias(FromBits<float>(0xFF812345), {1.0f, 0.0f})), 0x7FC00000u);
  // 1 + 2^-24 needs two roundings: the product is rounded before the bias is added.
  EXPECT_EQ(reference::ScaleBias(0x1.000002p0f, {0x1.000002p0f, -1.0f}), 0x1p-22f);
}

}  // namespace
}  // namespace residue::testing
