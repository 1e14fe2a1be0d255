// Runs that were asked for exceptions give the same bytes as others, and tell what their elements had:
// in pieces, rows, threads, in place, over copies, and in order.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "cpu/engine/run.h"
#include "cpu/rows/reference.h"
#include "support/row_run.h"
#include "support/thread_pool.h"
#include "support/two_inputs.h"
#include "support/type_test.h"
#include "verification/random.h"
#include "verification/values.h"

namespace residue::testing {
namespace {

template <class T>
class ExceptionsTest : public ::testing::Test {
 protected:
  static constexpr auto kSize = static_cast<int64_t>(sizeof(T));

  // Something that fails, and something that does not, in every type.
  static T Bad() { return T{}; }
  static T Good() { return FromBits<T>(5); }

  static OpRequest Rows(uint64_t rows, uint64_t columns, int64_t gap) {
    OpRequest request{};
    request.op = OperatorId::kModulusTruncate;
    request.type = kDataTypeOf<T>;
    request.rank = 2;
    request.sizes = {rows, columns};
    const int64_t step = (static_cast<int64_t>(columns) + gap) * kSize;
    request.strides.fill({step, kSize});
    return request;
  }

  static Exceptions RunFor(const OpRequest& request, const T* a, const T* b, T* out,
                           const Executor& executor) {
    Plan plan;
    EXPECT_TRUE(MakePlan(request, BestTarget(), &plan).ok());
    Exceptions found = kNoException;
    EXPECT_TRUE(residue::Run(plan, AddressesOf(a, b, out), executor, &found).ok());
    return found;
  }

  static constexpr Exceptions kExpected = std::integral<T> ? kDivisionByZero : kInvalidOperation;
};
TYPED_TEST_SUITE(ExceptionsTest, AllElementTypes, TypeNames);

TYPED_TEST(ExceptionsTest, OneElementOfALargeTensorIsFound) {
  using T = TypeParam;
  const Executor pool = PlainThreads(3);
  Random random(Seed() + 31);
  struct Shape {
    uint64_t rows;
    uint64_t columns;
    int64_t gap;
  };
  const uint64_t many = (uint64_t{3} << 20) / sizeof(T);  // more than the second cache of most
  for (const Shape shape :
       {Shape{1, many + 13, 0}, Shape{many / 700, 701, 3}, Shape{9, many / 8, 5}, Shape{many / 5, 5, 2}}) {
    const uint64_t step = shape.columns + static_cast<uint64_t>(shape.gap);
    const uint64_t elements = step * shape.rows;
    std::vector<T> a(elements, TestFixture::Good());
    std::vector<T> b(elements, TestFixture::Good());
    std::vector<T> out(elements + 64);
    std::vector<T> expected(elements + 64);
    OpRequest request = TestFixture::Rows(shape.rows, shape.columns, shape.gap);
    // What lies between the rows does not count.
    if (shape.gap != 0) b[shape.columns] = TestFixture::Bad();
    for (const bool shared : {false, true}) {
      const Executor executor = shared ? pool : SerialExecutor();
      T* to = out.data() + random.Below(64 / sizeof(T));
      EXPECT_EQ(TestFixture::RunFor(request, a.data(), b.data(), to, executor), kNoException);
      const uint64_t place = random.Below(shape.rows) * step + random.Below(shape.columns);
      b[place] = TestFixture::Bad();
      EXPECT_EQ(TestFixture::RunFor(request, a.data(), b.data(), to, executor), TestFixture::kExpected)
          << shape.rows << " x " << shape.columns << " element " << place << " seed=" << Seed();
      Plan plan;
      ASSERT_TRUE(MakePlan(request, BestTarget(), &plan).ok());
      ASSERT_TRUE(Run(plan, AddressesOf(a.data(), b.data(), expected.data()), SerialExecutor()).ok());
      for (uint64_t row = 0; row < shape.rows; ++row) {
        ASSERT_EQ(std::memcmp(to + row * step, expected.data() + row * step, shape.columns * sizeof(T)), 0);
      }
      b[place] = TestFixture::Good();
    }
  }
}

// The divisors are overwritten by the results: exceptions are detected before.
TYPED_TEST(ExceptionsTest, InPlaceAndOverCopies) {
  using T = TypeParam;
  constexpr uint64_t kCount = 40000;
  OpRequest request = TestFixture::Rows(1, kCount, 0);
  std::vector<T> a(kCount + 1, TestFixture::Good());
  for (const uint64_t shift : {uint64_t{0}, uint64_t{1}}) {
    std::vector<T> b(kCount + 1, TestFixture::Good());
    EXPECT_EQ(TestFixture::RunFor(request, a.data(), b.data() + shift, b.data(), SerialExecutor()),
              kNoException);
    b.assign(kCount + 1, TestFixture::Good());
    b[kCount / 2] = TestFixture::Bad();
    EXPECT_EQ(TestFixture::RunFor(request, a.data(), b.data() + shift, b.data(), SerialExecutor()),
              TestFixture::kExpected);
  }
}

// A running remainder: the third divides by zero's place only because the second result is what it is.
TYPED_TEST(ExceptionsTest, InOrderElementsSeeWhatWasWritten) {
  using T = TypeParam;
  OpRequest request = TestFixture::Rows(1, 3, 0);
  request.rank = 1;
  request.sizes = {3};
  request.strides.fill({static_cast<int64_t>(sizeof(T))});
  request.in_order = true;
  const T a[] = {TestFixture::Good(), TestFixture::Good(), TestFixture::Good()};
  T x[] = {TestFixture::Good(), TestFixture::Good(), TestFixture::Good(), TestFixture::Good()};
  // x[i + 1] = a[i] mod x[i]: good mod good is zero, good mod zero is what it is, and so on.
  EXPECT_EQ(TestFixture::RunFor(request, a, x, x + 1, SerialExecutor()), TestFixture::kExpected);
  T expected[] = {TestFixture::Good(), {}, {}, {}};
  for (int i = 0; i < 3; ++i) expected[i + 1] = reference::ModulusTruncate(a[i], expected[i]);
  EXPECT_EQ(std::memcmp(x, expected, sizeof(x)), 0);
}

}  // namespace
}  // namespace residue::testing
