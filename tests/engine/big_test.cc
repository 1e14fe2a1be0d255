// Tensors with more elements than 32 bits can count, in place, one divisor for all: 4 GiB of bytes, so at
// night only.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>

#include "cpu/engine/run.h"
#include "oracle/oracle.h"
#include "support/row_run.h"
#include "support/thread_pool.h"
#include "support/two_inputs.h"

namespace residue::testing {
namespace {

class BigTest : public ::testing::TestWithParam<uint64_t> {};

TEST_P(BigTest, BytesInPlace) {
  if (CurrentTier() != Tier::kNightly) GTEST_SKIP() << "runs with RESIDUE_TIER=nightly";
  const uint64_t count = GetParam();
  void* memory = mmap(nullptr, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  auto* bytes = static_cast<uint8_t*>(memory);
  const auto value = [](uint64_t i) { return static_cast<uint8_t>(i * 0x9E3779B97F4A7C15u >> 56); };
  for (uint64_t i = 0; i < count; ++i) bytes[i] = value(i);

  OpRequest request{};
  request.op = OperatorId::kModulusFloor;
  request.type = DataType::kUint8;
  request.rank = 1;
  request.sizes[0] = count;
  request.strides[kOperandA][0] = 1;
  request.strides[kOperandOut][0] = 1;
  Plan plan;
  ASSERT_TRUE(MakePlan(request, BestTarget(), &plan).ok());
  const uint8_t divisor = 100;
  auto* address = static_cast<std::byte*>(memory);
  ASSERT_TRUE(residue::Run(plan, AddressesOf(address, &divisor, address), OwnExecutor(0)).ok());

  uint64_t wrong = 0;
  for (uint64_t i = 0; i < count; ++i) wrong += bytes[i] != value(i) % divisor ? 1u : 0u;
  EXPECT_EQ(wrong, 0u);
  munmap(memory, count);
}

INSTANTIATE_TEST_SUITE_P(Counts, BigTest,
                         ::testing::Values((uint64_t{1} << 31) + 65536, (uint64_t{1} << 32) + 1));

}  // namespace
}  // namespace residue::testing
