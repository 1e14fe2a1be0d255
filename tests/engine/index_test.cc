// A row that asks for it is given the row-major number of each of its elements, however the output lies and
// whoever computes it.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "cpu/engine/job.h"
#include "support/random_layout.h"
#include "support/thread_pool.h"
#include "support/tier.h"

namespace residue::testing {
namespace {

// out = the number.
Exceptions CopyNumbers(const Row& row) noexcept {
  std::memcpy(row.out, row.in[0], row.count * sizeof(uint64_t));
  return kNoException;
}

class IndexTest : public ::testing::Test {
 protected:
  // A pass whose one input is the index and whose output has these strides; with the memory for its blocks
  // that it asks for, and without.
  void Check(uint32_t rank, const Sizes& sizes, const Strides& out_strides, const Executor& executor) {
    ScratchPool nothing(0, 0);
    ASSERT_NO_FATAL_FAILURE(Check(rank, sizes, out_strides, executor, nullptr));
    ASSERT_NO_FATAL_FAILURE(Check(rank, sizes, out_strides, executor, &nothing));
  }

  void Check(uint32_t rank, const Sizes& sizes, const Strides& out_strides, const Executor& executor,
             ScratchPool* scratch) {
    Strides numbers{};  // row-major, counted in elements
    int64_t step = 1;
    for (uint32_t i = rank; i-- > 0; step *= static_cast<int64_t>(sizes[i])) numbers[i] = step;
    LayoutRequest request;
    request.rank = rank;
    request.sizes = sizes.data();
    request.operand_count = 2;
    request.first_written = 1;
    request.operands[0] = {numbers.data(), sizeof(uint64_t), "index"};
    request.operands[1] = {out_strides.data(), sizeof(uint64_t), "out"};
    Layout layout;
    ASSERT_TRUE(MakeLayout(request, &layout).ok());
    RowCall call{};
    call.run = &CopyNumbers;
    call.input_count = 1;
    call.in = {0};
    call.out = 1;
    Pass pass;
    pass.layout = &layout;
    pass.rows = {&call, 1};
    pass.target = BestTarget();
    pass.index_operand = 0;
    CompletePass(&pass);
    pass.scratch = scratch;
    std::vector<std::byte> memory(static_cast<size_t>(layout.highest[1] - layout.lowest[1]), std::byte{0x5A});
    Addresses addresses{};
    addresses[1] = memory.data() - layout.lowest[1];
    RunJob(pass, addresses, true, false, executor);
    Sizes at{};
    for (uint64_t number = 0; number < layout.element_count; ++number) {
      int64_t offset = 0;
      for (uint32_t i = 0; i < rank; ++i) offset += static_cast<int64_t>(at[i]) * out_strides[i];
      uint64_t got;
      std::memcpy(&got, addresses[1] + offset, sizeof(got));
      ASSERT_EQ(got, number) << "seed " << Seed();
      for (uint32_t i = rank; i-- > 0;) {
        if (++at[i] < sizes[i]) break;
        at[i] = 0;
      }
    }
  }
};

TEST_F(IndexTest, PackedPermutedAndReversed) {
  const Sizes sizes = {7, 40, 33};
  Check(3, sizes, {40 * 33 * 8, 33 * 8, 8}, SerialExecutor());
  Check(3, sizes, {8, 7 * 8, 7 * 40 * 8}, SerialExecutor());
  Check(3, sizes, {-40 * 33 * 8, 33 * 8, -8}, SerialExecutor());
  Check(3, sizes, {33 * 8, 7 * 33 * 8, -8}, SerialExecutor());
  Check(2, {900, 3}, {32, 8}, SerialExecutor());
}

TEST_F(IndexTest, OnThreads) {
  const Sizes sizes = {310, 301};
  for (const uint32_t threads : {2u, 5u}) {
    Check(2, sizes, {301 * 8, 8}, PlainThreads(threads));
    Check(2, sizes, {8, 310 * 8}, PlainThreads(threads));
    Check(2, sizes, {-8, -310 * 16}, PlainThreads(threads));
  }
}

TEST_F(IndexTest, AnyLayout) {
  Random random(Seed() + 77);
  for (int i = 0; i < 2000; ++i) {
    const OpRequest request = RandomLayout(&random, 2000).Make(OperatorId::kIdentity, DataType::kUint64);
    bool empty = false;
    for (uint32_t d = 0; d < request.rank; ++d) empty = empty || request.sizes[d] == 0;
    if (empty) continue;
    ASSERT_NO_FATAL_FAILURE(
        Check(request.rank, request.sizes, request.strides[request.output()], SerialExecutor()));
  }
}

}  // namespace
}  // namespace residue::testing
