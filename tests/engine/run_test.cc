// What running a plan checks before it touches memory, and how work is cut.
#include "cpu/engine/run.h"

#include <gtest/gtest.h>

#include "cpu/engine/partition.h"
#include "support/packed_request.h"
#include "support/two_inputs.h"
#include "support/type_test.h"

namespace residue::testing {
namespace {

TEST(RunTest, NullPointersAreNamed) {
  Plan plan;
  ASSERT_TRUE(
      MakePlan(PackedRequest(OperatorId::kModulusFloor, DataType::kInt32, 4), BestTarget(), &plan).ok());
  std::byte memory[64] = {};
  const auto refused = [&](Addresses addresses, const char* field) {
    const Status status = residue::Run(plan, addresses, SerialExecutor());
    EXPECT_EQ(status.code, StatusCode::kNullPointer);
    EXPECT_STREQ(status.field, field);
    EXPECT_EQ(status.index, -1) << "no dimension of it";
  };
  refused({nullptr, memory, memory + 32}, "operands[0]");
  refused({memory, nullptr, memory + 32}, "operands[1]");
  refused({memory, memory + 16, nullptr}, "operands[2]");
}

TEST(RunTest, OperandsEndWithMemory) {
  Plan plan;
  ASSERT_TRUE(
      MakePlan(PackedRequest(OperatorId::kModulusFloor, DataType::kInt32, 4), BestTarget(), &plan).ok());
  std::byte memory[64] = {};
  auto* beyond = reinterpret_cast<std::byte*>(UINTPTR_MAX - 14);
  EXPECT_EQ(residue::Run(plan, {beyond, memory, memory + 32}, SerialExecutor()).code, StatusCode::kTooLarge);
  EXPECT_EQ(residue::Run(plan, {memory, beyond, memory + 32}, SerialExecutor()).code, StatusCode::kTooLarge);
}

TEST(RunTest, TheSerialExecutorIsOneThread) { EXPECT_EQ(SerialExecutor().num_threads, 1u); }

TEST(PartitionTest, OnlyEnoughWorkIsShared) {
  for (const size_t size : {1u, 2u, 4u, 8u}) {
    const uint64_t enough = kSmallestSharedBytes / size;
    EXPECT_TRUE(IsWorthSharing(enough, size));
    EXPECT_FALSE(IsWorthSharing(enough - 1, size));
    EXPECT_EQ(MakePartition(enough - 1, size, 8).piece_count, 1u);
    EXPECT_GT(MakePartition(enough, size, 8).piece_count, 1u);
    EXPECT_EQ(MakePartition(enough, size, 1).piece_count, 1u);
  }
}

}  // namespace
}  // namespace residue::testing
