#include "exec/examined_tile.h"

#include <algorithm>
#include <cstdint>

#include "exec/tile_walk.h"

namespace residue {
namespace {

// Of each operand: small enough for the first cache, a whole number of the windows that kernels stream.
constexpr size_t kPieceBytes = size_t{16} * 1024;
constexpr size_t kLineBytes = 64;

Exceptions RunPiece(const Kernel& kernel, const Tile& tile) noexcept {
  if (tile.stream) {  // kernels that stream ask the memory for what comes next
    kernel.run(tile);
    return kernel.examine(tile);
  }
  const Exceptions found = kernel.examine(tile);
  kernel.run(tile);
  return found;
}

// The first piece ends where a line of the output does, so that the others can be streamed.
Exceptions RunRow(const Kernel& kernel, Tile tile, size_t element_size) noexcept {
  const size_t past_line = reinterpret_cast<uintptr_t>(tile.out) % kLineBytes / element_size;
  const size_t whole = kPieceBytes / element_size;
  Exceptions found = kNoException;
  size_t left = tile.columns;
  for (size_t count = whole - past_line; left != 0; count = whole) {
    tile.columns = std::min(count, left);
    found |= RunPiece(kernel, tile);
    Advance(tile.column_stride, tile.columns, &tile);
    left -= tile.columns;
  }
  return found;
}

Exceptions RunRows(const Kernel& kernel, Tile tile, size_t rows_at_once) noexcept {
  Exceptions found = kNoException;
  size_t left = tile.rows;
  while (left != 0) {
    tile.rows = std::min(rows_at_once, left);
    found |= RunPiece(kernel, tile);
    Advance(tile.row_stride, tile.rows, &tile);
    left -= tile.rows;
  }
  return found;
}

}  // namespace

Exceptions RunExaminedTile(const KernelKey& key, const Kernel& kernel, const Tile& tile) noexcept {
  const size_t element_size = SizeOf(key.type);
  const size_t piece = kPieceBytes / element_size;
  const bool small = tile.rows <= piece && tile.columns <= piece && tile.rows * tile.columns <= piece;
  // The strided form wants to see all of its rows, to exchange them with columns or to join them.
  if (small || (key.form == Form::kStrided && tile.rows > 1)) return RunPiece(kernel, tile);
  if (tile.columns < piece) return RunRows(kernel, tile, piece / tile.columns);
  Exceptions found = kNoException;
  Tile row = tile;
  row.rows = 1;
  for (size_t i = 0; i < tile.rows; ++i, Advance(tile.row_stride, 1, &row)) {
    found |= RunRow(kernel, row, element_size);
  }
  return found;
}

}  // namespace residue
