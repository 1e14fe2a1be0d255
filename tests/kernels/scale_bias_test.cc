// The identity operator with scale and bias, on every target and form, against its scalar twin.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "kernels/reference.h"
#include "support/kernel_run.h"
#include "support/type_test.h"

namespace residue::testing {
namespace {

template <class T>
class ScaleBiasTest : public ::testing::Test {};
using FloatTypes = ::testing::Types<Float16, float, double>;
TYPED_TEST_SUITE(ScaleBiasTest, FloatTypes, TypeNames);

TYPED_TEST(ScaleBiasTest, EveryTargetAndForm) {
  using T = TypeParam;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
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
  const Attributes cases[] = {{true, 1.0f, 0.0f},      {true, 2.0f, -1.0f},     {true, 0.1f, 0.3f},
                              {true, -1e30f, 1e30f},   {true, 0x1p-24f, 0.0f},  {true, 0.0f, 0.0f},
                              {true, kInfinity, 1.0f}, {true, 3.0f, kInfinity}, {false, 5.0f, 5.0f}};
  for (const Attributes& attributes : cases) {
    for (size_t i = 0; i < a.size(); ++i) expected[i] = reference::Identity(a[i], attributes);
    for (const Target target : VectorTargets(kDataTypeOf<T>)) {
      for (const Form form : {Form::kVectorVector, Form::kVectorScalar, Form::kStrided}) {
        // From the first element and from the second: one of the two lengths leaves a tail on every target.
        for (const size_t begin : {size_t{0}, size_t{1}}) {
          const size_t count = a.size() - begin;
          Tile tile = MakeTile(form, a.data() + begin, a.data() + begin, out.data() + begin, count);
          tile.attributes = &attributes;
          FindKernel({OperatorId::kIdentity, kDataTypeOf<T>, form}, target).run(tile);
          ASSERT_TRUE(SameBits(OperatorId::kIdentity, form, target, a.data() + begin, a.data() + begin,
                               expected.data() + begin, out.data() + begin, count))
              << attributes.scale << " " << attributes.bias;
          std::fill(out.begin(), out.end(), T{});
        }
      }
    }
  }
}

// The twin itself, by hand.
TEST(ScaleBiasReferenceTest, ByHand) {
  EXPECT_EQ(reference::Identity(3.0f, {true, 2.0f, 1.0f}), 7.0f);
  EXPECT_EQ(ToBits(reference::Identity(-0.0f, {true, 1.0f, 0.0f})), ToBits(0.0f));
  EXPECT_EQ(ToBits(reference::Identity(-0.0f, kNoAttributes)), ToBits(-0.0f));
  EXPECT_EQ(ToBits(reference::Identity(FromBits<float>(0x7F800001), kNoAttributes)), 0x7F800001u)
      << "without scale and bias even a signalling NaN is copied";
  EXPECT_EQ(ToBits(reference::Identity(FromBits<float>(0xFF812345), {true, 1.0f, 0.0f})), 0x7FC00000u);
  // 1 + 2^-24 needs two roundings: the product is rounded before the bias is added.
  EXPECT_EQ(reference::Identity(0x1.000002p0f, {true, 0x1.000002p0f, -1.0f}), 0x1p-22f);
  EXPECT_EQ(reference::Identity(int32_t{5}, {true, 2.0f, 1.0f}), 5) << "integers have none";
}

}  // namespace
}  // namespace residue::testing
