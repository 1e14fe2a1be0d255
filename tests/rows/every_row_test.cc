// Every row of the list, for all types that an operator takes and gives, on every target against the
// reference's: operands of all kinds, one element for all, every length, in place, streamed, with exceptions,
// and not a byte beyond the results.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "cpu/rows/reference.h"
#include "support/tier.h"
#include "verification/row_operands.h"
#include "verification/row_run.h"
#include "verification/values.h"

namespace residue::testing {
namespace {

constexpr size_t kMostElements = 4500;  // more than one streamed piece, of bytes too
constexpr size_t kBeyond = 64;
constexpr auto kCanary = std::byte{0xa5};

// The reference's row and those of all targets, computed in one way and compared.
class RowCheck {
 public:
  RowCheck(RowKey key, const RowOperands& operands) : key_(key), operands_(operands) {
    for (const Target target : VectorTargets(key.type)) {
      const RowEntry found = FindRow(key, target);
      if (found.target == target) rows_.push_back(found);
    }
  }

  void Compare(size_t count, uint8_t single, size_t offset, bool stream, bool detect) const {
    const std::vector<std::byte> untouched((kMostElements + kBeyond) * 8 + 64, kCanary);
    std::vector<std::byte> expected = untouched;
    Row row = operands_.MakeRow(expected.data() + offset, count, single);
    row.detect = detect;
    const Exceptions expected_exceptions = reference::FindRow(key_)(row);
    row.stream = stream;
    for (const RowEntry& found : rows_) {
      std::vector<std::byte> got = untouched;
      row.out = got.data() + offset;
      const Exceptions exceptions = found.run(row);
      ASSERT_EQ(FirstDifference(expected, got, offset), SIZE_MAX)
          << Name(found, count, single) << " stream " << stream;
      ASSERT_EQ(detect ? exceptions : expected_exceptions, expected_exceptions) << Name(found, count, single);
    }
  }

  // The output is one of the inputs, if elements are as large.
  void CompareInPlace(size_t count, uint32_t input) const {
    const size_t size = SizeOf(operands_.TypeOf(input));
    if (size != operands_.out_bytes()) return;
    std::vector<std::byte> expected(count * size);
    reference::FindRow(key_)(operands_.MakeRow(expected.data(), count, 0));
    for (const RowEntry& found : rows_) {
      std::vector<std::byte> got(operands_.bytes(input).begin(),
                                 operands_.bytes(input).begin() + static_cast<ptrdiff_t>(count * size));
      Row row = operands_.MakeRow(got.data(), count, 0);
      row.in[input] = got.data();
      found.run(row);
      ASSERT_EQ(FirstDifference(expected, got, 0), SIZE_MAX)
          << Name(found, count, 0) << " in place of input " << input;
    }
  }

 private:
  size_t FirstDifference(const std::vector<std::byte>& expected, const std::vector<std::byte>& got,
                         size_t offset) const {
    // Tests are not optimised, and this is.
    if (std::memcmp(expected.data(), got.data(), expected.size()) == 0) return SIZE_MAX;
    const auto at = static_cast<size_t>(std::ranges::mismatch(expected, got).in1 - expected.begin());
    const size_t i = (at - offset) / operands_.out_bytes();
    uint64_t wanted = 0;
    uint64_t given = 0;
    std::memcpy(&wanted, &expected[offset + i * operands_.out_bytes()], operands_.out_bytes());
    std::memcpy(&given, &got[offset + i * operands_.out_bytes()], operands_.out_bytes());
    ADD_FAILURE() << "element " << i << ": " << operands_.DescribeElement(i) << std::hex << " expected "
                  << wanted << " got " << given;
    return i;
  }

  std::string Name(const RowEntry& found, size_t count, uint8_t single) const {
    char name[64];
    FormatRowName(key_, found.target, name, sizeof(name));
    return std::string(name) + " count=" + std::to_string(count) + " single=" + std::to_string(single) +
           "  (repeat with RESIDUE_SEED=" + std::to_string(Seed()) + ")";
  }

  RowKey key_;
  const RowOperands& operands_;
  std::vector<RowEntry> rows_;
};

void CheckKey(RowKey key) {
  const uint32_t singles = 1u << InputCount(key.op);
  const bool slow = IsFunction(key.op, key.type);  // the reference is; loops are those of other operators
  const size_t most = slow ? 600 : kMostElements;
  RowOperands operands(key, kMostElements,
                       Seed() + static_cast<uint64_t>(key.op) * 1000 + static_cast<uint64_t>(key.result));
  const RowCheck check(key, operands);
  for (uint64_t round = 0; round < (slow ? ByTier(1, 2, 20) : ByTier(2, 3, 40)); ++round) {
    operands.Fill();
    for (uint32_t single = 0; single < singles; ++single) {
      ASSERT_NO_FATAL_FAILURE(check.Compare(most, static_cast<uint8_t>(single), 0, false, true));
    }
    // A few lengths of each row, and all of them over the operators and types.
    for (uint64_t n = 0; n < 4; ++n) {
      const size_t count = 1 + operands.random().Below(n == 0 ? most : 140);
      const auto single = static_cast<uint8_t>(operands.random().Below(singles));
      const size_t offset = operands.random().Below(3) * operands.out_bytes();
      ASSERT_NO_FATAL_FAILURE(check.Compare(count, single, offset, false, n % 2 == 0));
      ASSERT_NO_FATAL_FAILURE(check.Compare(count, single, offset, true, n % 2 != 0));
      for (uint32_t k = 0; k < InputCount(key.op); ++k)
        ASSERT_NO_FATAL_FAILURE(check.CompareInPlace(count, k));
    }
    ASSERT_NO_FATAL_FAILURE(check.Compare(most, 0, 1, true, false));  // at an odd address
  }
}

class EveryRowTest : public ::testing::TestWithParam<OperatorId> {};

TEST_P(EveryRowTest, AgainstTheReference) {
  for (const DataType type : kAllDataTypes) {
    for (const DataType result : kAllDataTypes) {
      if (!Gives(GetParam(), type, result)) continue;
      ASSERT_NO_FATAL_FAILURE(CheckKey({GetParam(), type, result}));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, EveryRowTest, ::testing::ValuesIn(kAllOperators),
                         [](const auto& one) { return std::string(OperatorName(one.param)); });

}  // namespace
}  // namespace residue::testing
