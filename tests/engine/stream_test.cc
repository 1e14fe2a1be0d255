// Outputs large enough to be stored past the caches hold the same bytes as those that are not: in place,
// where nothing is streamed, is what they are compared with.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "cpu/engine/cache.h"
#include "cpu/engine/run.h"
#include "support/row_run.h"
#include "support/thread_pool.h"
#include "support/two_inputs.h"
#include "support/type_test.h"

namespace residue::testing {
namespace {

template <class T>
class StreamTest : public ::testing::Test {};
TYPED_TEST_SUITE(StreamTest, AllElementTypes, TypeNames);

TYPED_TEST(StreamTest, StreamedBytesAreTheBytesInPlace) {
  using T = TypeParam;
  constexpr auto kSize = static_cast<int64_t>(sizeof(T));
  const size_t count = SmallestStreamedBytes() / sizeof(T) + 12'345;
  constexpr size_t kPeriod = 9'973;
  // Usual numbers: what is stored where is the question, and hard ones take many times as long.
  PairGenerator<T> generator(Seed() + 41);
  std::vector<T> a(count);
  std::vector<T> b(count);
  for (size_t i = 0; i < kPeriod; ++i) generator.NextUsual(&a[i], &b[i]);
  for (size_t i = kPeriod; i < count; ++i) {
    a[i] = a[i - kPeriod];
    b[i] = b[i - kPeriod];
  }
  const auto bytes = [](auto& array) { return reinterpret_cast<std::byte*>(array.data()); };
  for (const bool scalar_b : {false, true}) {
    OpRequest request{};
    request.op = OperatorId::kModulusFloor;
    request.type = kDataTypeOf<T>;
    request.rank = 1;
    request.sizes[0] = count;
    request.strides[kOperandA][0] = request.strides[kOperandOut][0] = kSize;
    request.strides[kOperandB][0] = scalar_b ? 0 : kSize;
    for (const Target target : VectorTargets(kDataTypeOf<T>)) {
      Plan plan;
      ASSERT_TRUE(MakePlan(request, target, &plan).ok());
      std::vector<T> in_place = a;
      ASSERT_TRUE(
          residue::Run(plan, AddressesOf(bytes(in_place), bytes(b), bytes(in_place)), SerialExecutor()).ok());
      for (const Executor& executor : {SerialExecutor(), PlainThreads(2)}) {
        // One element further, so that the first line is not a whole one.
        std::vector<T> out(count + 1);
        std::byte* to = bytes(out) + kSize;
        ASSERT_TRUE(residue::Run(plan, AddressesOf(bytes(a), bytes(b), to), executor).ok());
        ASSERT_EQ(std::memcmp(to, in_place.data(), count * sizeof(T)), 0)
            << TargetName(target) << ", " << executor.num_threads << " threads, seed " << Seed();
      }
    }
  }
}

}  // namespace
}  // namespace residue::testing
