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

// The rows of a chain that is being made, and what they read from outside of it.
class Chain {
 public:
  // False if the row reads more than a chain can.
  bool Add(const RowCall& row) noexcept {
    Chain grown = *this;
    if (count_ == 0) grown.FindInput(row.in[0]);
    grown.sides_[count_] = row.input_count == 1 ? kNoSide : grown.FindInput(row.in[1]);
    ++grown.count_;
    if (row.input_count > 2 || grown.input_count_ > kMostInputs) return false;
    *this = grown;
    return true;
  }

  uint32_t count() const noexcept { return count_; }
  uint8_t side(size_t link) const noexcept { return sides_[link]; }
  uint8_t input_count() const noexcept { return input_count_; }
  ValueId input(size_t index) const noexcept { return inputs_[index]; }

 private:
  uint8_t FindInput(ValueId value) noexcept {
    const auto end = inputs_.begin() + input_count_;
    const auto found = std::find(inputs_.begin(), end, value);
    if (found == end) inputs_[input_count_++] = value;
    return static_cast<uint8_t>(found - inputs_.begin());
  }

  std::array<ValueId, kMostInputs + 2> inputs_ = {};  // of which the last two are too many
  std::array<uint8_t, kMostLinks> sides_ = {};
  uint8_t input_count_ = 0;
  uint32_t count_ = 0;
};

bool ContinuesChain(const std::vector<PlannedRow>& rows, size_t index) noexcept {
  const PlannedRow& before = rows[index - 1];
  const PlannedRow& row = rows[index];
  const ValueId left = before.call.out;
  const bool is_first_alone = row.call.in[0] == left && (row.call.input_count == 1 || row.call.in[1] != left);
  return IsBlock(left) && is_first_alone && CanChain(before.code, row.code) &&
         !IsReadLater(rows, index, left);
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
    Chain chain;
    end = begin + 1;
    if (chain.Add(rows[begin].call)) {
      while (end < rows.size() && chain.count() < kMostLinks && ContinuesChain(rows, end) &&
             chain.Add(rows[end].call)) {
        ++end;
      }
    }
    RowCall& call = linked.emplace_back(rows[begin].call);
    if (end - begin > 1) {
      call.run = rows[begin].code.chain;
      call.input_count = chain.input_count();
      for (uint32_t k = 0; k < chain.input_count(); ++k) call.in[k] = chain.input(k);
      call.out = rows[end - 1].call.out;
      const bool watched = std::all_of(rows.begin() + static_cast<ptrdiff_t>(begin),
                                       rows.begin() + static_cast<ptrdiff_t>(end),
                                       [](const PlannedRow& row) { return row.code.watched; });
      call.params =
          Params::Of(ChainParams{links->data() + links->size(), chain.count(), chain.input_count(), watched});
      for (size_t i = begin; i < end; ++i) {
        const RowCode* next = i + 1 < end ? &rows[i + 1].code : nullptr;
        links->push_back(MakeLink(rows[i].code, next, rows[i].params, chain.side(i - begin)));
      }
    }
    for (uint32_t i = 0; i < call.input_count; ++i) call.in[i] = blocks.Of(call.in[i]);
    call.out = blocks.Of(call.out);
  }
  *block_count = blocks.count();
  return linked;
}

}  // namespace residue
