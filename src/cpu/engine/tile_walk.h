// Visiting part of a layout: elements [begin, end) in the order of its loops, as the largest possible tiles.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "layout/layout.h"

namespace residue {

// Where each operand begins, by operand.
using Addresses = std::array<std::byte*, kMostOperands>;

// A block of at least one row and one column: of each operand, how far its first element is from its address.
// The steps along columns and rows are those of the layout's first two loops.
struct Tile {
  size_t rows;
  size_t columns;
  OperandOffsets offset;
};

// Calls visit(tile) for tiles that cover the range once.
template <class Visitor>
void ForEachTile(const Layout& layout, uint64_t begin, uint64_t end, const Visitor& visit) {
  const Loop& columns = layout.loops[0];
  const Loop& rows = layout.loops[1];
  const uint32_t operands = layout.operand_count;
  Tile tile;
  if (layout.loop_count == 2 && end - begin == layout.element_count) {  // small calls do not divide
    tile.rows = static_cast<size_t>(rows.size);
    tile.columns = static_cast<size_t>(columns.size);
    std::copy_n(layout.origin.begin(), operands, tile.offset.begin());
    return visit(tile);
  }
  while (begin < end) {
    // Where `begin` is, loop by loop.
    const uint64_t column = begin % columns.size;
    uint64_t rest = begin / columns.size;
    const uint64_t row = rest % rows.size;
    std::copy_n(layout.origin.begin(), operands, tile.offset.begin());
    for (uint32_t i = 1; i < layout.loop_count; ++i) {
      const auto index = static_cast<int64_t>(rest % layout.loops[i].size);
      rest /= layout.loops[i].size;
      for (uint32_t k = 0; k < operands; ++k) tile.offset[k] += index * layout.loops[i].stride[k];
    }
    for (uint32_t k = 0; k < operands; ++k) {
      tile.offset[k] += static_cast<int64_t>(column) * columns.stride[k];
    }
    // As many whole rows as are left in this plane, or what is left of one row.
    const uint64_t left = end - begin;
    const uint64_t whole_rows = column == 0 ? std::min(left / columns.size, rows.size - row) : 0;
    tile.rows = static_cast<size_t>(std::max<uint64_t>(whole_rows, 1));
    tile.columns =
        static_cast<size_t>(whole_rows != 0 ? columns.size : std::min(left, columns.size - column));
    visit(tile);
    begin += tile.rows * tile.columns;
  }
}

}  // namespace residue
