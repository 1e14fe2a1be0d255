// The exceptions of divisions: every target says of every row what its elements say one by one, and those are
// compared with what the C library's fmod raises.
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <cstring>
#include <vector>

#include "cpu/rows/reference.h"
#include "support/row_run.h"
#include "support/type_test.h"
#include "verification/random.h"
#include "verification/values.h"

namespace residue::testing {
namespace {

template <class T>
Exceptions Find(Target target, TestTile tile) {
  static std::vector<T> results(4096);
  tile.out = reinterpret_cast<std::byte*>(results.data());
  return RunTile(OperatorId::kModulusFloor, kDataTypeOf<T>, target, tile, true);
}

template <class F>
Exceptions RaisedByFmod(F a, F b) {
  std::feclearexcept(FE_ALL_EXCEPT);
  volatile F x = a;
  volatile F y = b;
  volatile F result = std::fmod(x, y);
  (void)result;
  return std::fetestexcept(FE_INVALID) != 0 ? kInvalidOperation : kNoException;
}

// A signalling half would be quieted, or not, by a conversion; so NaNs are converted by hand.
Exceptions RaisedByFmod(Float16 a, Float16 b) { return RaisedByFmod(HalfToFloat(a), HalfToFloat(b)); }

template <class T>
Exceptions Expected(T a, T b) {
  if constexpr (std::integral<T>) {
    return b == 0 ? kDivisionByZero : kNoException;
  } else {
    return RaisedByFmod(a, b);
  }
}

template <class T>
class DetectTest : public ::testing::Test {};
TYPED_TEST_SUITE(DetectTest, AllElementTypes, TypeNames);

TYPED_TEST(DetectTest, EveryPairOfEdges) {
  using T = TypeParam;
  std::vector<Target> targets = VectorTargets(kDataTypeOf<T>);
  targets.push_back(Target::kReference);
  const std::vector<T> edges = EdgeValues<T>();
  for (const T a : edges) {
    for (const T b : edges) {
      const Exceptions expected = Expected(a, b);
      ASSERT_EQ(reference::Detect(OperatorId::kModulusFloor, a, b), expected)
          << Describe(a) << " mod " << Describe(b);
      for (const Target target : targets) {
        const Exceptions found = Find<T>(target, MakeTile<T>(Form::kVectorVector, &a, &b, nullptr, 1));
        ASSERT_EQ(found, expected) << TargetName(target) << ": " << Describe(a) << " mod " << Describe(b);
      }
    }
  }
}

// One element is found wherever it is, and nothing is found where there is nothing.
TYPED_TEST(DetectTest, OneAmongMany) {
  using T = TypeParam;
  constexpr size_t kMost = 200;
  const T harmless = FromBits<T>(3);  // of floats, a subnormal one
  Random random(Seed() + 23);
  const std::vector<T> edges = EdgeValues<T>();
  for (const Target target : VectorTargets(kDataTypeOf<T>)) {
    for (size_t count = 1; count <= kMost; count += 1 + random.Below(3)) {
      std::vector<T> a(count, harmless);
      std::vector<T> b(count, harmless);
      for (const Form form : {Form::kVectorVector, Form::kVectorScalar, Form::kScalarVector}) {
        const TestTile tile = MakeTile<T>(form, a.data(), b.data(), nullptr, count);
        ASSERT_EQ(Find<T>(target, tile), kNoException)
            << TargetName(target) << " " << FormName(form) << " " << count;
        TestTile backwards = tile;
        backwards.a += static_cast<ptrdiff_t>(count - 1) * tile.column_stride.a;
        backwards.b += static_cast<ptrdiff_t>(count - 1) * tile.column_stride.b;
        backwards.column_stride = {-tile.column_stride.a, -tile.column_stride.b, tile.column_stride.out};
        const size_t place = random.Below(count);
        const size_t place_a = form == Form::kScalarVector ? 0 : place;
        const size_t place_b = form == Form::kVectorScalar ? 0 : place;
        a[place_a] = edges[random.Below(edges.size())];
        b[place_b] = edges[random.Below(edges.size())];
        Exceptions expected = Expected(a[place_a], b[place_b]);
        for (size_t i = 0; i < count; ++i) {
          expected |=
              Expected(a[form == Form::kScalarVector ? 0 : i], b[form == Form::kVectorScalar ? 0 : i]);
        }
        ASSERT_EQ(Find<T>(target, tile), expected)
            << TargetName(target) << " " << FormName(form) << " element " << place << " of " << count << ": "
            << Describe(a[place_a]) << " mod " << Describe(b[place_b]) << "; seed=" << Seed();
        ASSERT_EQ(Find<T>(target, backwards), expected)
            << TargetName(target) << " " << FormName(form) << " backwards";
        a[place_a] = b[place_b] = harmless;
      }
    }
  }
}

// A quiet NaN in every element of one operand, anything as the one element of the other: silence.
template <class T>
class DetectFloatTest : public ::testing::Test {};
TYPED_TEST_SUITE(DetectFloatTest, FloatElementTypes, TypeNames);

TYPED_TEST(DetectFloatTest, RowsOfNaN) {
  using T = TypeParam;
  using F = reference::FloatBits<T>;
  const T nan = FromBits<T>(F::kNan);
  for (const Target target : VectorTargets(kDataTypeOf<T>)) {
    for (const T other : {FromBits<T>(0), FromBits<T>(F::kSign), FromBits<T>(F::kInfinity)}) {
      for (size_t count = 1; count < 140; ++count) {
        const std::vector<T> nans(count, nan);
        EXPECT_EQ(Find<T>(target, MakeTile<T>(Form::kVectorScalar, nans.data(), &other, nullptr, count)),
                  kNoException);
        EXPECT_EQ(Find<T>(target, MakeTile<T>(Form::kScalarVector, &other, nans.data(), nullptr, count)),
                  kNoException);
      }
    }
  }
}

}  // namespace
}  // namespace residue::testing
