// The bytes written do not depend on who computes them, how the work is cut, or in which order.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <vector>

#include "cpu/engine/block_runner.h"
#include "cpu/engine/partition.h"
#include "cpu/engine/run.h"
#include "cpu/rows/reference.h"
#include "support/packed_request.h"
#include "support/row_run.h"
#include "support/thread_pool.h"
#include "support/two_inputs.h"
#include "support/type_test.h"

namespace residue::testing {
namespace {

template <class T>
OpRequest MatrixRequest(OperatorId op, uint64_t rows, uint64_t columns) {
  constexpr auto kSize = static_cast<int64_t>(sizeof(T));
  OpRequest request{};
  request.op = op;
  request.type = kDataTypeOf<T>;
  request.rank = 2;
  request.sizes = {rows, columns};
  const auto row = static_cast<int64_t>(columns) * kSize;
  request.params = DefaultParams(op);
  request.strides[kOperandA] = {row, kSize};
  request.strides[kOperandB] = {0, kSize};                   // a row of divisors for all rows
  request.strides[request.output()] = {row + kSize, kSize};  // padded, so that loops do not merge
  return request;
}

template <class T>
class ThreadsTest : public ::testing::Test {
 protected:
  static constexpr uint64_t kRows = 311;  // bytes, too, are enough to share
  static constexpr uint64_t kColumns = 1031;

  ThreadsTest() {
    PairGenerator<T> generator(Seed() + 21);
    std::vector<T> unused(kRows * kColumns);
    generator.Fill(a_, unused);
    std::copy_n(unused.begin(), kColumns, b_.begin());
  }

  Addresses To(std::vector<T>* out, OperatorId op = OperatorId::kModulusFloor) {
    return AddressesOf(op, a_.data(), b_.data(), out->data());
  }

  std::vector<T> a_ = std::vector<T>(kRows * kColumns);
  std::vector<T> b_ = std::vector<T>(kColumns);
};
TYPED_TEST_SUITE(ThreadsTest, AllElementTypes, TypeNames);

TYPED_TEST(ThreadsTest, AnyNumberOfThreadsWritesTheSameBytes) {
  using T = TypeParam;
  for (const OperatorId op : OperatorsOf(kDataTypeOf<T>)) {
    Plan plan;
    ASSERT_TRUE(MakePlan(MatrixRequest<T>(op, this->kRows, this->kColumns), BestTarget(), &plan).ok());
    std::vector<T> serial(this->kRows * (this->kColumns + 1));
    ASSERT_TRUE(residue::Run(plan, this->To(&serial, op), SerialExecutor()).ok());
    std::vector<Executor> executors;
    for (const uint32_t threads : {1u, 2u, 3u, 4u, 8u}) executors.push_back(PlainThreads(threads));
    if (!kUnderThreadSanitizer) {
      for (const uint32_t threads : {0u, 1u, 2u}) executors.push_back(OwnExecutor(threads));
    }
    for (const Executor& executor : executors) {
      std::vector<T> out(serial.size());
      ASSERT_TRUE(residue::Run(plan, this->To(&out, op), executor).ok());
      ASSERT_EQ(std::memcmp(serial.data(), out.data(), out.size() * sizeof(T)), 0)
          << executor.num_threads << " threads";
    }
  }
}

// Random cuts, computed in random order.
TYPED_TEST(ThreadsTest, AnyPartitionWritesTheSameBytes) {
  using T = TypeParam;
  const OpRequest request = MatrixRequest<T>(OperatorId::kModulusFloor, 37, 129);
  Plan plan;
  ASSERT_TRUE(MakePlan(request, BestTarget(), &plan).ok());
  std::vector<T> serial(37 * 130);
  ASSERT_TRUE(residue::Run(plan, this->To(&serial), SerialExecutor()).ok());
  Random random(Seed() + 22);
  for (int round = 0; round < 100; ++round) {
    std::vector<uint64_t> cuts = {0, plan.layout.element_count};
    for (uint64_t i = random.Below(30); i > 0; --i) cuts.push_back(random.Below(plan.layout.element_count));
    std::sort(cuts.begin(), cuts.end());
    std::vector<size_t> order(cuts.size() - 1);
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.Below(i)]);
    std::vector<T> out(serial.size());
    for (const size_t i : order) {
      const Addresses addresses = this->To(&out);
      const Pass pass = plan.pass();
      ForEachTile(plan.layout, cuts[i], cuts[i + 1],
                  [&](const Tile& tile) { RunDirectTile(pass, addresses, {}, tile); });
    }
    ASSERT_EQ(std::memcmp(serial.data(), out.data(), out.size() * sizeof(T)), 0) << "seed " << Seed();
  }
}

// An executor that does nothing, only part of its work, too much of it, or throws, costs time and not
// correctness.
TEST(ExecutorTest, AMisbehavingExecutorStillGivesTheResult) {
  const Executor lazy = {nullptr, 4, [](void*, uint32_t, Executor::Task, void*) {}};
  const Executor partial = {nullptr, 4,
                            [](void*, uint32_t, Executor::Task task, void* argument) { task(argument, 0); }};
  const Executor broken = {nullptr, 4,
                           [](void*, uint32_t, Executor::Task, void*) { throw std::bad_alloc(); }};
  // The wrong way round, twice, with numbers that nobody gave it, and from inside one of its own tasks.
  const Executor odd = {nullptr, 4, [](void*, uint32_t count, Executor::Task task, void* argument) {
                          for (uint32_t i = count; i-- > 0;) task(argument, i);
                          for (uint32_t i = 0; i < 2 * count; ++i) task(argument, i);
                        }};
  const Executor nested = {nullptr, 4, [](void*, uint32_t count, Executor::Task task, void* argument) {
                             struct Inner {
                               uint32_t count;
                               Executor::Task task;
                               void* argument;
                             } inner = {count, task, argument};
                             const Executor threads = PlainThreads(2);
                             threads.parallel_for(
                                 threads.context, 2,
                                 [](void* given, uint32_t) {
                                   const auto& [number, call, with] = *static_cast<Inner*>(given);
                                   for (uint32_t i = 0; i < number; ++i) call(with, i);
                                 },
                                 &inner);
                           }};
  const size_t count = 1 << 20;
  std::vector<int8_t> a(count, 17);
  std::vector<int8_t> b(count, -5);
  Plan plan;
  const OpRequest request = PackedRequest(OperatorId::kModulusFloor, DataType::kInt8, count);
  ASSERT_TRUE(MakePlan(request, BestTarget(), &plan).ok());
  for (const Executor& executor : {lazy, partial, broken, odd, nested}) {
    std::vector<int8_t> out(count);
    ASSERT_TRUE(residue::Run(plan, AddressesOf(a.data(), b.data(), out.data()), executor).ok());
    EXPECT_EQ(std::count(out.begin(), out.end(), -3), static_cast<ptrdiff_t>(count));
  }
}

// A pool that itself computes with the library while it serves a call.
TEST(ExecutorTest, AReentrantExecutorStillGivesTheResult) {
  const size_t count = 1 << 20;
  const std::vector<int8_t> a(count, 17);
  const std::vector<int8_t> b(count, -5);
  std::vector<int8_t> out(count);
  const OpRequest request = PackedRequest(OperatorId::kModulusFloor, DataType::kInt8, count);
  static Plan plan;
  ASSERT_TRUE(MakePlan(request, BestTarget(), &plan).ok());
  static Addresses again;
  std::vector<int8_t> inner(count);
  again = AddressesOf(a.data(), b.data(), inner.data());
  const Executor reentrant = {nullptr, 4, [](void*, uint32_t number, Executor::Task task, void* argument) {
                                EXPECT_TRUE(residue::Run(plan, again, PlainThreads(2)).ok());
                                for (uint32_t i = 0; i < number; ++i) task(argument, i);
                              }};
  ASSERT_TRUE(residue::Run(plan, AddressesOf(a.data(), b.data(), out.data()), reentrant).ok());
  EXPECT_EQ(std::count(out.begin(), out.end(), -3), static_cast<ptrdiff_t>(count));
  EXPECT_EQ(inner, out);
}

TEST(PartitionTest, CoversEverythingAndLeavesSmallWorkAlone) {
  for (const size_t size : {1u, 2u, 4u, 8u}) {
    EXPECT_EQ(MakePartition(1000, size, 8).piece_count, 1u);
    EXPECT_EQ(MakePartition(uint64_t{1} << 40, size, 1).piece_count, 1u);
    for (const uint64_t count : {uint64_t{262144}, uint64_t{1} << 20, (uint64_t{1} << 40) + 1}) {
      for (const uint32_t threads : {2u, 3u, 64u, 1000u}) {
        const Partition partition = MakePartition(count, size, threads);
        EXPECT_GE(partition.piece_count * partition.piece_elements, count);
        EXPECT_LT((partition.piece_count - 1) * partition.piece_elements, count);
        EXPECT_LE(partition.piece_count, 8u * threads);
      }
    }
  }
}

// It has oneTBB's locks, and none of its threads.
TEST(ForkTest, AChildOfAProcessWithThreadsComputesAlone) {
  EXPECT_GE(OwnExecutor(0).num_threads, 1u);  // this process has been there
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) _exit(OwnExecutor(0).parallel_for == SerialExecutor().parallel_for ? 0 : 1);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  EXPECT_NE(OwnExecutor(0).parallel_for, SerialExecutor().parallel_for) << "the parent has its threads";
}

}  // namespace
}  // namespace residue::testing
