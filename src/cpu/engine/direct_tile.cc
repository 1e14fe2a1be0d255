#include "cpu/engine/direct_tile.h"

#include <algorithm>

namespace residue {
namespace {

constexpr size_t kLineBytes = 64;

// Where exceptions are asked for, a row is computed in pieces that the first cache holds: a whole number of
// the windows that rows stream.
constexpr size_t kPieceBytes = size_t{16} * 1024;

// The first piece ends where a line of the output does, so that the others can be streamed.
Exceptions RunPieces(const RowCall& call, Row row, const Layout& layout, size_t widest) noexcept {
  const size_t out_size = layout.element_size[call.out];
  const size_t past_line = reinterpret_cast<uintptr_t>(row.out) % kLineBytes / out_size;
  const size_t whole = kPieceBytes / widest;
  Exceptions found = kNoException;
  size_t left = row.count;
  for (size_t count = whole - past_line; left != 0; count = whole) {
    row.count = std::min(count, left);
    found |= call.run(row);
    for (uint32_t i = 0; i < call.input_count; ++i) {
      if ((row.single >> i & 1) != 0) continue;
      row.in[i] = static_cast<const std::byte*>(row.in[i]) + row.count * layout.element_size[call.in[i]];
    }
    row.out = static_cast<std::byte*>(row.out) + row.count * out_size;
    left -= row.count;
  }
  return found;
}

}  // namespace

Exceptions RunDirectTile(const Pass& pass, const Addresses& addresses, RunOptions options,
                         const Tile& tile) noexcept {
  const Layout& layout = *pass.layout;
  const RowCall& call = pass.rows.front();
  const uint32_t inputs = call.input_count;
  Row row;
  row.count = tile.columns;
  row.params = call.params.bytes;
  row.single = 0;
  row.stream = options.stream;
  row.detect = options.detect;
  for (uint32_t i = 0; i < inputs; ++i) {
    const ValueId k = call.in[i];
    row.in[i] = addresses[k] + tile.offset[k];
    if (layout.loops[0].stride[k] == 0) row.single = static_cast<uint8_t>(row.single | 1u << i);
  }
  row.out = addresses[call.out] + tile.offset[call.out];
  const bool in_pieces = options.detect && tile.columns > kPieceBytes / pass.widest;
  Exceptions found = kNoException;
  for (size_t left = tile.rows;;) {
    found |= in_pieces ? RunPieces(call, row, layout, pass.widest) : call.run(row);
    if (--left == 0) return found;
    for (uint32_t i = 0; i < inputs; ++i) {
      row.in[i] = static_cast<const std::byte*>(row.in[i]) + layout.loops[1].stride[call.in[i]];
    }
    row.out = static_cast<std::byte*>(row.out) + layout.loops[1].stride[call.out];
  }
}

}  // namespace residue
