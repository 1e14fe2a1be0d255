// Where an element stands must not matter: special pairs at every index of body and tail, every form, every
// target, in place and not, with poisonous neighbours.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/placement.h"
#include "support/row_run.h"
#include "support/type_test.h"

namespace residue::testing {
namespace {

template <class T>
class PlacementTest : public ::testing::Test {};
TYPED_TEST_SUITE(PlacementTest, AllElementTypes, TypeNames);

TYPED_TEST(PlacementTest, SpecialPairsAtEveryIndex) {
  using T = TypeParam;
  const std::vector<T> edges = EdgeValues<T>();
  Random random(Seed() + 9);
  const uint64_t pairs = ByTier(10, 40, 400);
  for (uint64_t i = 0; i < pairs; ++i) {
    const T a = edges[random.Below(edges.size())];
    const T b = edges[random.Below(edges.size())];
    for (const OperatorId op : OperatorsOf(kDataTypeOf<T>)) {
      ASSERT_NO_FATAL_FAILURE(CheckAtEveryPlace(op, a, b, reference::Evaluate(op, a, b)));
    }
  }
}

// The whole square of special values, in both scalar forms and the packed one.
TYPED_TEST(PlacementTest, SquareOfSpecialValues) {
  using T = TypeParam;
  const std::vector<T> edges = EdgeValues<T>();
  const size_t count = edges.size();
  std::vector<T> scalar(count);
  std::vector<T> expected(count);
  std::vector<T> out(count);
  for (const Target target : VectorTargets(kDataTypeOf<T>)) {
    for (const OperatorId op : OperatorsOf(kDataTypeOf<T>)) {
      for (const T value : edges) {
        std::fill(scalar.begin(), scalar.end(), value);
        for (const Form form : {Form::kVectorVector, Form::kVectorScalar, Form::kStrided}) {
          for (size_t i = 0; i < count; ++i) expected[i] = reference::Evaluate(op, edges[i], value);
          ASSERT_NO_FATAL_FAILURE(
              RunOwnRow(op, form, target, edges.data(), scalar.data(), out.data(), count));
          ASSERT_TRUE(
              SameBits(op, form, target, edges.data(), scalar.data(), expected.data(), out.data(), count));
        }
        for (size_t i = 0; i < count; ++i) expected[i] = reference::Evaluate(op, value, edges[i]);
        ASSERT_NO_FATAL_FAILURE(
            RunOwnRow(op, Form::kScalarVector, target, scalar.data(), edges.data(), out.data(), count));
        ASSERT_TRUE(SameBits(op, Form::kScalarVector, target, scalar.data(), edges.data(), expected.data(),
                             out.data(), count));
      }
    }
  }
}

}  // namespace
}  // namespace residue::testing
