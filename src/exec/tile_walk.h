// Visiting part of a layout: elements [begin, end) in the order of its loops, as the largest possible tiles.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernels/kernel.h"
#include "plan/layout.h"

namespace residue {

struct Addresses {
  const std::byte* a;
  const std::byte* b;
  std::byte* out;
};

inline OperandStrides ToStrides(const OperandOffsets& offsets) noexcept {
  return {offsets[kOperandA], offsets[kOperandB], offsets[kOperandOut]};
}

// Moves a tile by `count` of these steps.
inline void Advance(const OperandStrides& stride, size_t count, Tile* tile) noexcept {
  const auto steps = static_cast<ptrdiff_t>(count);
  tile->a += steps * stride.a;
  tile->b += steps * stride.b;
  tile->out += steps * stride.out;
}

// The whole of a layout of two loops, as one tile.
inline Tile WholeTile(const Layout& layout, const Addresses& addresses) noexcept {
  Tile tile;
  tile.a = addresses.a + layout.origin[kOperandA];
  tile.b = addresses.b + layout.origin[kOperandB];
  tile.out = addresses.out + layout.origin[kOperandOut];
  tile.rows = layout.loops[1].size;
  tile.columns = layout.loops[0].size;
  tile.row_stride = ToStrides(layout.loops[1].stride);
  tile.column_stride = ToStrides(layout.loops[0].stride);
  return tile;
}

// Calls visit(tile) for tiles that cover the range once.
template <class Visitor>
void ForEachTile(const Layout& layout, const Addresses& addresses, uint64_t begin, uint64_t end,
                 const Visitor& visit) {
  if (layout.loop_count == 2 && end - begin == layout.element_count) {  // small calls do not divide
    Tile whole = WholeTile(layout, addresses);
    return visit(whole);
  }
  const Loop& columns = layout.loops[0];
  const Loop& rows = layout.loops[1];
  while (begin < end) {
    // Where `begin` is, loop by loop.
    const uint64_t column = begin % columns.size;
    uint64_t rest = begin / columns.size;
    const uint64_t row = rest % rows.size;
    OperandOffsets offset = layout.origin;
    for (uint32_t i = 1; i < layout.loop_count; ++i) {
      const auto index = static_cast<int64_t>(rest % layout.loops[i].size);
      rest /= layout.loops[i].size;
      for (size_t k = 0; k < kOperandCount; ++k) offset[k] += index * layout.loops[i].stride[k];
    }
    for (size_t k = 0; k < kOperandCount; ++k) offset[k] += static_cast<int64_t>(column) * columns.stride[k];

    // As many whole rows as are left in this plane, or what is left of one row.
    const uint64_t left = end - begin;
    const uint64_t whole_rows = column == 0 ? std::min(left / columns.size, rows.size - row) : 0;
    Tile tile;
    tile.a = addresses.a + offset[kOperandA];
    tile.b = addresses.b + offset[kOperandB];
    tile.out = addresses.out + offset[kOperandOut];
    tile.rows = std::max<uint64_t>(whole_rows, 1);
    tile.columns = whole_rows != 0 ? columns.size : std::min(left, columns.size - column);
    tile.row_stride = ToStrides(rows.stride);
    tile.column_stride = ToStrides(columns.stride);
    visit(tile);
    begin += tile.rows * tile.columns;
  }
}

}  // namespace residue
