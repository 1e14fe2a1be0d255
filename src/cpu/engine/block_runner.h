// Computing tiles of a pass block by block: elements are moved where they are not packed, and what one row
// leaves to the next stays in the first cache.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "cpu/access/access.h"
#include "cpu/engine/direct_tile.h"
#include "cpu/engine/pass.h"
#include "cpu/engine/scratch.h"
#include "cpu/engine/tile_walk.h"

namespace residue {

// How much memory the blocks of a pass take, for one thread.
size_t ScratchBytes(const Pass& pass) noexcept;

// Holds the blocks, so it is made once for many tiles.
class BlockRunner {
 public:
  BlockRunner(const Pass& pass, const Addresses& addresses, RunOptions options) noexcept;
  Exceptions Run(const Tile& tile) noexcept;

 private:
  // How an operand is reached along a row.
  enum class Way : uint8_t { kPacked, kSingle, kMoved, kIndex };

  // Part of a tile.
  struct Part {
    size_t row;
    size_t rows;
    size_t column;
    size_t columns;
  };

  // What the next block reads of an operand.
  struct Next {
    const std::byte* from;
    size_t bytes;
  };

  Way FindWay(uint32_t operand) const noexcept;
  Way WayOf(uint32_t operand) const noexcept { return way_[operand]; }
  size_t BytesOf(uint32_t operand) const noexcept { return pass_.layout->element_size[operand]; }
  ptrdiff_t RowStride(uint32_t operand) const noexcept {
    return static_cast<ptrdiff_t>(pass_.layout->loops[1].stride[operand]);
  }
  ptrdiff_t ColumnStride(uint32_t operand) const noexcept {
    return static_cast<ptrdiff_t>(pass_.layout->loops[0].stride[operand]);
  }
  bool IsExchanged(uint32_t operand) const noexcept;
  bool IsWritten(uint32_t operand) const noexcept { return operand >= pass_.layout->first_written; }
  std::byte* At(const Tile& tile, uint32_t operand, size_t row, size_t column) const noexcept;

  Exceptions RunBlocks(const Tile& tile) noexcept;
  Exceptions RunShortRows(const Tile& tile) noexcept;
  Exceptions RunSquares(const Tile& tile) noexcept;

  void FindSingles() noexcept;
  void ShareBuffer(const RowCall& call) noexcept;

  // Computes `count` elements of every row call from where at_ points.
  Exceptions Compute(size_t count) noexcept;
  Row MakeRow(const RowCall& call, size_t count) const noexcept;
  // The same for several rows; step_ leads from one to the next.
  bool IsOneRow(size_t columns) const noexcept;
  Exceptions ComputeRows(size_t rows, size_t columns) noexcept;

  // Lets at_ point to part of a row: where it is, or in a buffer that it fills.
  void FetchRow(const Tile& tile, uint32_t operand, const Part& part) noexcept;
  void FetchJoined(const Tile& tile, uint32_t operand, const Part& part) noexcept;
  void FetchSquare(const Tile& tile, uint32_t operand, const Part& part) noexcept;
  void FillIndex(const Tile& tile, uint32_t operand, const Part& part, std::byte* to) const noexcept;
  // For the rows of this block to ask for.
  void FindNextBlock(const Tile& tile, const Part& part) noexcept;
  void PrefetchShare(size_t share) const noexcept;
  void PrefetchNextSquare(const Tile& tile, uint32_t operand, const Part& part) const noexcept;
  void StoreRows(const Tile& tile, uint32_t operand, const Part& part, size_t pitch) noexcept;
  bool AreJoined(uint32_t operand, uint64_t columns) const noexcept;

  const Pass& pass_;
  const Addresses& addresses_;
  const RunOptions options_;
  const size_t square_rows_;
  const size_t square_columns_;
  size_t block_elements_;
  Reach reach_;
  uint32_t single_ = 0;    // bit v: value v is one element for all
  uint32_t streamed_ = 0;  // bit k: operand k is streamed by the row that writes it
  std::array<Way, kMostOperands> way_;
  std::array<const Access*, kMostOperands> access_;
  Scratch scratch_;
  std::array<std::byte*, kMostOperands> buffers_;
  std::array<ptrdiff_t, kMostOperands> step_;
  std::array<std::byte*, kMostOperands + kMostBlocks> at_;
  uint32_t next_count_ = 0;
  std::array<Next, kMostOperands> next_;
};

}  // namespace residue
