// Every input that an operator can have, where there are at most 2^32: pairs of 8 bits, numbers of 16 bits at
// any size of the tests; numbers of 32 bits and pairs of 16 bits at night, and a part of them before. Of
// functions a part of the halves too, at the smallest size.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "cpu/rows/reference.h"
#include "support/tier.h"
#include "verification/row_run.h"
#include "verification/sample_params.h"

namespace residue::testing {
namespace {

constexpr uint64_t kMostInBlock = uint64_t{1} << 14;

uint32_t InputBits(RowKey key) {
  uint32_t bits = 0;
  for (uint32_t k = 0; k < InputCount(key.op); ++k) {
    bits += 8 * static_cast<uint32_t>(SizeOf(OperandType(key.op, k, key.type, key.result)));
  }
  return bits;
}

// Inputs number `begin` and on: the first operand has the lowest bits of the number.
class Block {
 public:
  Block(RowKey key, size_t count)
      : key_(key), count_(count), expected_(count * SizeOf(key.result)), got_(expected_.size()) {
    for (uint32_t k = 0; k < InputCount(key.op); ++k) inputs_[k].resize(count * SizeOf(TypeOf(k)));
  }

  void Fill(uint64_t begin) {
    begin_ = begin;
    for (size_t i = 0; i < count_; ++i) {
      uint64_t number = begin + i;
      for (uint32_t k = 0; k < InputCount(key_.op); ++k) {
        const size_t size = SizeOf(TypeOf(k));
        std::memcpy(&inputs_[k][i * size], &number, size);
        number >>= 8 * size;
      }
    }
  }

  void Check(const Params& params) {
    reference::FindRow(key_)(MakeRow(params, expected_.data()));
    for (const Target target : VectorTargets(key_.type)) {
      const RowEntry row = FindRow(key_, target);
      if (row.target != target) continue;
      row.run(MakeRow(params, got_.data()));
      if (expected_ == got_) continue;
      const auto at = std::ranges::mismatch(expected_, got_).in1 - expected_.begin();
      char name[64];
      FormatRowName(key_, target, name, sizeof(name));
      FAIL() << name << ", input number 0x" << std::hex
             << begin_ + static_cast<uint64_t>(at) / SizeOf(key_.result)
             << "  (repeat with RESIDUE_SEED=" << std::dec << Seed() << ")";
    }
  }

 private:
  DataType TypeOf(uint32_t k) const { return OperandType(key_.op, k, key_.type, key_.result); }
  Row MakeRow(const Params& params, std::byte* out) const {
    Row row = {};
    for (uint32_t k = 0; k < InputCount(key_.op); ++k) row.in[k] = inputs_[k].data();
    row.out = out;
    row.count = count_;
    row.params = params.bytes;
    return row;
  }

  RowKey key_;
  size_t count_;
  uint64_t begin_ = 0;
  std::vector<std::byte> inputs_[kMostInputs];
  std::vector<std::byte> expected_;
  std::vector<std::byte> got_;
};

void CheckKey(RowKey key) {
  const uint32_t bits = InputBits(key);
  if (bits > 32) return;
  const uint64_t length = std::min(uint64_t{1} << bits, kMostInBlock);
  const uint64_t blocks = (uint64_t{1} << bits) / length;
  // Of the largest, so many anywhere.
  // Functions of all numbers of 32 bits: residue verify --function all --exhaustive.
  const bool slow = IsFunction(key.op, key.type);
  const uint64_t many =
      slow ? ByTier(1, bits == 32 ? 4 : blocks, bits == 32 ? 256 : blocks) : ByTier(16, 256, blocks);
  const uint64_t wanted = bits == 32 || slow ? std::min(blocks, many) : blocks;
  Random random(Seed() + static_cast<uint64_t>(key.op) * 100 + static_cast<uint64_t>(key.result));
  Block block(key, length);
  const uint64_t params_count = ParamsBytes(key.op) == 0 ? 1 : bits == 32 || slow ? 2 : 8;
  for (uint64_t n = 0; n < wanted; ++n) {
    block.Fill((wanted == blocks ? n : random.Below(blocks)) * length);
    for (uint64_t p = 0; p < params_count; ++p) {
      const Params params =
          p == 0 ? DefaultParams(key.op) : SampleParams(key.op, key.type, key.result, &random);
      ASSERT_NO_FATAL_FAILURE(block.Check(params));
    }
  }
}

class EveryInputTest : public ::testing::TestWithParam<OperatorId> {};

TEST_P(EveryInputTest, AgainstTheReference) {
  for (const DataType type : kAllDataTypes) {
    for (const DataType result : kAllDataTypes) {
      if (!Gives(GetParam(), type, result)) continue;
      ASSERT_NO_FATAL_FAILURE(CheckKey({GetParam(), type, result}));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, EveryInputTest, ::testing::ValuesIn(kAllOperators),
                         [](const auto& one) { return std::string(OperatorName(one.param)); });

}  // namespace
}  // namespace residue::testing
