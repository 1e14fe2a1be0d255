#include "cpu/engine/link.h"

#include <algorithm>
#include <array>

namespace residue {
namespace {

bool IsBlock(ValueId value) noexcept { return value >= kMostOperands; }

bool Reads(const RowCall& row, ValueId value) noexcept {
  return std::find(row.in.begin(), row.in.begin() + row.input_count, value) !=
         row.in.begin() + row.input_count;
}

// Does anybody read what row `index - 1` left, after row `index`? Blocks are written again once nobody does.
bool IsReadLater(const std::vector<PlannedRow>& rows, size_t index, ValueId value) noexcept {
  if (rows[index].call.out == value) return false;
  for (size_t later = index + 1; later < rows.size(); ++later) {
    if (Reads(rows[later].call, value)) return true;
    if (rows[later].call.out == value) return false;
  }
  return false;
}

bool ContinuesChain(const std::vector<PlannedRow>& rows, size_t index) noexcept {
  const PlannedRow& before = rows[index - 1];
  const PlannedRow& row = rows[index];
  return IsBlock(before.call.out) && row.call.input_count == 1 && row.call.in[0] == before.call.out &&
         CanChain(before.code, row.code) && !IsReadLater(rows, index, before.call.out);
}

// Numbers in the order in which they are first seen.
class BlockNumbers {
 public:
  ValueId Of(ValueId value) noexcept {
    if (!IsBlock(value)) return value;
    uint32_t& number = numbers_[value - kMostOperands];
    if (number == 0) number = ++count_;
    return BlockValue(number - 1);
  }
  uint32_t count() const noexcept { return count_; }

 private:
  std::array<uint32_t, kMostBlocks> numbers_ = {};  // from 1 on
  uint32_t count_ = 0;
};

}  // namespace

std::vector<RowCall> LinkRows(const std::vector<PlannedRow>& rows, std::vector<ChainLink>* links,
                              uint32_t* block_count) {
  std::vector<RowCall> linked;
  BlockNumbers blocks;
  links->reserve(rows.size());  // chains point into it
  for (size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
    end = begin + 1;
    while (end < rows.size() && end - begin < kMostLinks && ContinuesChain(rows, end)) ++end;
    RowCall& call = linked.emplace_back(rows[begin].call);
    if (end - begin > 1) {
      const auto count = static_cast<uint32_t>(end - begin);
      call.run = rows[begin].code.chain;
      call.out = rows[end - 1].call.out;
      call.params = Params::Of(ChainParams{links->data() + links->size(), count});
      for (size_t i = begin; i < end; ++i) {
        const RowCode* next = i + 1 < end ? &rows[i + 1].code : nullptr;
        links->push_back(MakeLink(rows[i].code, next, rows[i].params));
      }
    }
    for (uint32_t i = 0; i < call.input_count; ++i) call.in[i] = blocks.Of(call.in[i]);
    call.out = blocks.Of(call.out);
  }
  *block_count = blocks.count();
  return linked;
}

}  // namespace residue
