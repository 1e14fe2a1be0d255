// Whatever rounding mode, flushing or trapping the caller has set: the same results, and the caller's
// environment as it was, flags included.
#include "core/float_environment.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "cpu/engine/run.h"
#include "residue/residue.h"
#include "support/float_state.h"
#include "support/row_run.h"
#include "support/thread_pool.h"
#include "support/two_inputs.h"
#include "support/type_test.h"

namespace residue::testing {
namespace {

template <class T>
OpRequest PackedRequest(OperatorId op, uint64_t count) {
  OpRequest request{};
  request.op = op;
  request.type = kDataTypeOf<T>;
  request.rank = 1;
  request.sizes[0] = count;
  for (auto& strides : request.strides) strides[0] = sizeof(T);
  return request;
}

template <class T>
class FloatEnvironmentTest : public ::testing::Test {};
TYPED_TEST_SUITE(FloatEnvironmentTest, AllElementTypes, TypeNames);

TYPED_TEST(FloatEnvironmentTest, ResultsAndEnvironmentAreUnchanged) {
  using T = TypeParam;
  const size_t count = ByTier(4'096, 20'000, 200'000);
  PairGenerator<T> generator(Seed() + 31);
  std::vector<T> a(count);
  std::vector<T> b(count);
  generator.Fill(a, b);
  std::vector<T> expected(count);
  std::vector<T> out(count);
  for (const Target target :
       VectorTargets(kDataTypeOf<T>)) {  // the reference has few floating-point instructions
    for (const OperatorId op : OperatorsOf(kDataTypeOf<T>)) {
      Plan plan;
      ASSERT_TRUE(MakePlan(PackedRequest<T>(op, count), target, &plan).ok());
      const auto run = [&](std::vector<T>* to) {
        return residue::Run(plan, AddressesOf(op, a.data(), b.data(), to->data()), SerialExecutor());
      };
      ASSERT_TRUE(run(&expected).ok());
      const State original = ReadState();
      for (const State hostile : HostileStates()) {
        WriteState(hostile);
        const bool ok = run(&out).ok();
        const State after = ReadState();
        WriteState(original);
        ASSERT_TRUE(ok);
        ASSERT_EQ(after, hostile) << "the environment was not restored";
        ASSERT_TRUE(
            SameBits(op, Form::kVectorVector, target, a.data(), b.data(), expected.data(), out.data(), count))
            << "in environment " << std::hex << hostile;
      }
    }
  }
}

// Whoever looks at params must not compare them as floats: a signalling NaN would raise a flag, or trap.
TEST(FloatEnvironmentTest, ParamsAreLookedAtByTheirBits) {
  const residue_operand operands[] = {{RESIDUE_INT32, 0, {4}}, {RESIDUE_INT32, 0, {4}}};
  uint32_t params[2] = {};
  residue_problem problem = {};
  problem.size = sizeof(problem);
  problem.op = RESIDUE_SCALE_BIAS;
  problem.rank = 1;
  problem.sizes[0] = 8;
  problem.operands = operands;
  problem.operand_count = 2;
  problem.params = params;
  problem.params_size = sizeof(params);
  const int32_t in[8] = {};
  int32_t out[8] = {};
  const void* const inputs[] = {in};
  const auto ask = [&] {
    residue_plan* plan = nullptr;
    residue_graph* graph = nullptr;
    uint32_t tensors[2] = {};
    const residue_status status = residue_run(&problem, inputs, out, nullptr);
    bool same =
        residue_check(&problem, nullptr, 0) == status && residue_plan_create(&problem, &plan) == status;
    same = same && residue_graph_create(&graph) == RESIDUE_OK;
    same =
        same && residue_graph_add_tensor(graph, RESIDUE_TENSOR_INPUT, 32, nullptr, &tensors[0]) == RESIDUE_OK;
    same = same &&
           residue_graph_add_tensor(graph, RESIDUE_TENSOR_OUTPUT, 32, nullptr, &tensors[1]) == RESIDUE_OK;
    same = same && residue_graph_add_node(graph, &problem, tensors, nullptr) == status;
    residue_plan_destroy(plan);
    residue_graph_destroy(graph);
    return same ? status : RESIDUE_NULL_POINTER;
  };
  const State original = ReadState();
  for (const uint32_t bits : {0x3F800000u, 0x00000001u, 0x80000001u, 0x7F800000u, 0x7F800001u, 0xFFC00000u}) {
    for (const size_t param : {0u, 1u}) {
      params[0] = params[1] = 0;
      params[param] = bits;
      const bool is_finite = (bits & 0x7F800000) != 0x7F800000;
      for (const State hostile : HostileStates()) {
        WriteState(hostile);
        const residue_status status = ask();
        const State after = ReadState();
        WriteState(original);
        ASSERT_EQ(status, is_finite ? RESIDUE_OK : RESIDUE_PARAMS_NOT_FINITE) << std::hex << bits;
        ASSERT_EQ(after, hostile) << std::hex << bits;
      }
    }
  }
}

// Threads of a caller's pool have environments of their own.
TEST(FloatEnvironmentTest, PoolThreadsWithOtherSettings) {
  const size_t count = 300'000;
  PairGenerator<float> generator(Seed() + 32);
  std::vector<float> a(count);
  std::vector<float> b(count);
  generator.Fill(a, b);
  Plan plan;
  ASSERT_TRUE(MakePlan(PackedRequest<float>(OperatorId::kModulusFloor, count), BestTarget(), &plan).ok());
  const auto run = [&](const Executor& executor) {
    std::vector<float> out(count);
    EXPECT_TRUE(residue::Run(plan, AddressesOf(a.data(), b.data(), out.data()), executor).ok());
    return out;
  };
  const auto expected = run(SerialExecutor());
  const auto got = run(PlainThreads(3, [] { WriteState(HostileStates().back()); }));
  EXPECT_EQ(std::memcmp(expected.data(), got.data(), count * sizeof(float)), 0);
}

// What shares the work out may have an environment of its own, too: oneTBB's arenas have that of their maker.
TEST(FloatEnvironmentTest, SharedRunsKeepTheCallers) {
  const size_t count = 300'000;
  std::vector<float> a(count, 5.5f);
  const std::vector<float> b(count, 3.0f);
  Plan plan;
  ASSERT_TRUE(MakePlan(PackedRequest<float>(OperatorId::kModulusTruncate, count), BestTarget(), &plan).ok());
  const State original = ReadState();
  std::vector<Executor> executors = {PlainThreads(2, [] {})};
  if (!kUnderThreadSanitizer) executors.push_back(OwnExecutor(2));  // Debian's oneTBB is not built for it
  for (const Executor& executor : executors) {
    for (const State hostile : HostileStates()) {
      for (const State before : {original, hostile}) {
        WriteState(before);
        const bool ok = residue::Run(plan, AddressesOf(a.data(), b.data(), a.data()), executor).ok();
        const State after = ReadState();
        WriteState(original);
        ASSERT_TRUE(ok);
        ASSERT_EQ(after, before) << "the environment was not restored";
      }
    }
  }
}

}  // namespace
}  // namespace residue::testing
