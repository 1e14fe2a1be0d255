#include "cpu/engine/staging.h"

#include <gtest/gtest.h>

#include <cstring>

#include "cpu/engine/run.h"
#include "support/two_inputs.h"

namespace residue::testing {
namespace {

OpRequest Request(uint32_t rank, Sizes sizes, Strides a) {
  OpRequest request{};
  request.op = OperatorId::kModulusTruncate;
  request.type = DataType::kInt16;
  request.rank = rank;
  request.sizes = sizes;
  request.strides[kOperandA] = a;
  return request;
}

TEST(StagingTest, CopiesInOrderAndKeepsBroadcastDimensions) {
  const int16_t memory[] = {1, 2, 3, 4, 5, 6};
  OpRequest request = Request(3, {2, 5, 3}, {2, 0, 4});  // a transposed 3 x 2 matrix, broadcast in the middle
  const OwnedMemory buffer = StageInput(reinterpret_cast<const std::byte*>(memory), kOperandA, &request);
  ASSERT_NE(buffer, nullptr);
  int16_t copied[6];
  std::memcpy(copied, buffer.get(), sizeof(copied));
  const int16_t expected[] = {1, 3, 5, 2, 4, 6};
  EXPECT_EQ(std::memcmp(copied, expected, sizeof(expected)), 0);
  EXPECT_EQ(request.strides[kOperandA], (Strides{6, 0, 2}));
}

TEST(StagingTest, NegativeStridesStartAtTheirAddress) {
  const int16_t memory[] = {1, 2, 3};
  OpRequest request = Request(1, {3}, {-2});
  const OwnedMemory buffer = StageInput(reinterpret_cast<const std::byte*>(memory + 2), kOperandA, &request);
  ASSERT_NE(buffer, nullptr);
  int16_t copied[3];
  std::memcpy(copied, buffer.get(), sizeof(copied));
  EXPECT_EQ(copied[0], 3);
  EXPECT_EQ(copied[2], 1);
}

// The stride of a single element means nothing, however wild.
TEST(StagingTest, StridesOfSingleElementsAreNotUsed) {
  const int16_t memory[] = {1, 2, 3};
  for (const int64_t wild : {INT64_MAX, INT64_MIN, int64_t{1} << 62}) {
    OpRequest request = Request(3, {1, 3, 1}, {wild, 2, wild});
    const OwnedMemory buffer = StageInput(reinterpret_cast<const std::byte*>(memory), kOperandA, &request);
    ASSERT_NE(buffer, nullptr);
    EXPECT_EQ(std::memcmp(buffer.get(), memory, sizeof(memory)), 0);
    EXPECT_EQ(request.strides[kOperandA], (Strides{0, 2, 0}));
  }
}

// Windows over one another can describe more elements than there is memory: refused before anything is
// written.
TEST(StagingTest, ACopyThatCannotBeHadIsRefused) {
  int16_t memory = 0;
  OpRequest request = Request(2, {uint64_t{1} << 40, uint64_t{1} << 40}, {2, 2});
  EXPECT_EQ(StageInput(reinterpret_cast<const std::byte*>(&memory), kOperandA, &request), nullptr);
}

}  // namespace
}  // namespace residue::testing
