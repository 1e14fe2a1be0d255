// Outputs large enough to be stored past the caches hold the same bytes as those that are not: in place,
// where nothing is streamed, is what they are compared with.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <vector>

#include "cpu/engine/cache.h"
#include "cpu/engine/run.h"
#include "residue/residue.h"
#include "support/row_run.h"
#include "support/thread_pool.h"
#include "support/two_inputs.h"
#include "support/type_test.h"

namespace residue::testing {
namespace {

// Usual numbers, again and again: what is stored where is the question, and hard ones take many times as
// long.
template <class T>
void FillOperands(uint64_t seed, std::vector<T>& a, std::vector<T>& b) {
  constexpr size_t kPeriod = 9'973;
  PairGenerator<T> generator(seed);
  for (size_t i = 0; i < kPeriod; ++i) generator.NextUsual(&a[i], &b[i]);
  for (size_t i = kPeriod; i < a.size(); ++i) {
    a[i] = a[i - kPeriod];
    b[i] = b[i - kPeriod];
  }
}

template <class T>
class StreamTest : public ::testing::Test {};
TYPED_TEST_SUITE(StreamTest, AllElementTypes, TypeNames);

TYPED_TEST(StreamTest, StreamedBytesAreTheBytesInPlace) {
  using T = TypeParam;
  constexpr auto kSize = static_cast<int64_t>(sizeof(T));
  const size_t count = SmallestStreamedBytes() / sizeof(T) + 12'345;
  std::vector<T> a(count);
  std::vector<T> b(count);
  FillOperands(Seed() + 41, a, b);
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

// Rows that make up one pass in blocks: each asks for a part of the next block, and the last one is streamed.
TEST(StreamedPassTest, SeveralRowsHaveTheBytesOfOneAfterTheOther) {
  const size_t count = SmallestStreamedBytes() / sizeof(float) + 12'345;
  std::vector<float> a(count);
  std::vector<float> b(count);
  FillOperands(Seed() + 42, a, b);
  const residue_options options = {1, 0, nullptr, nullptr};  // one thread: Debian's oneTBB is not for TSan
  residue_operand operands[3] = {};
  for (residue_operand& operand : operands) {
    operand.type = RESIDUE_FLOAT32;
    operand.strides[0] = sizeof(float);
  }
  for (const Target target : VectorTargets(DataType::kFloat32)) {
    residue_problem first = {};
    first.size = sizeof(first);
    first.op = RESIDUE_MODULUS_FLOOR;
    first.rank = 1;
    first.sizes[0] = count;
    first.operand_count = 3;
    first.operands = operands;
    first.max_target = TargetName(target);
    residue_problem second = first;
    second.op = RESIDUE_MODULUS_TRUNCATE;

    residue_graph* made = nullptr;
    ASSERT_EQ(residue_graph_create(&made), RESIDUE_OK);
    const std::unique_ptr<residue_graph, void (*)(residue_graph*)> graph(made, &residue_graph_destroy);
    constexpr residue_tensor_kind kKinds[] = {RESIDUE_TENSOR_INPUT, RESIDUE_TENSOR_INPUT,
                                              RESIDUE_TENSOR_TEMPORARY, RESIDUE_TENSOR_OUTPUT};
    for (const residue_tensor_kind kind : kKinds) {
      uint32_t tensor = 0;
      ASSERT_EQ(residue_graph_add_tensor(made, kind, count * sizeof(float), nullptr, &tensor), RESIDUE_OK);
    }
    constexpr uint32_t kFirst[] = {0, 1, 2};
    constexpr uint32_t kSecond[] = {0, 2, 3};
    ASSERT_EQ(residue_graph_add_node(made, &first, kFirst, nullptr), RESIDUE_OK);
    ASSERT_EQ(residue_graph_add_node(made, &second, kSecond, nullptr), RESIDUE_OK);
    ASSERT_EQ(residue_graph_compile(made), RESIDUE_OK);
    ASSERT_EQ(residue_graph_temporary_size(made), 0u) << "this is about a single pass";

    std::vector<float> between(count);
    std::vector<float> expected(count);
    const void* first_inputs[] = {a.data(), b.data()};
    const void* second_inputs[] = {a.data(), between.data()};
    ASSERT_EQ(residue_run(&first, first_inputs, between.data(), &options), RESIDUE_OK);
    ASSERT_EQ(residue_run(&second, second_inputs, expected.data(), &options), RESIDUE_OK);
    std::vector<float> out(count + 1);  // one element further, so that the first line is not a whole one
    void* outputs[] = {&out[1]};
    ASSERT_EQ(residue_graph_run(made, first_inputs, outputs, nullptr, &options), RESIDUE_OK);
    ASSERT_EQ(std::memcmp(&out[1], expected.data(), count * sizeof(float)), 0)
        << TargetName(target) << ", seed " << Seed();
  }
}

}  // namespace
}  // namespace residue::testing
