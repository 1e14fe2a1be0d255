#include "cpu/engine/block_runner.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace residue {
namespace {

constexpr size_t kLineBytes = 64;

// One value of a block. Longer blocks cost less for each element; a chain of rows wants all of its values in
// a part of the first cache, though.
constexpr size_t kLongestBlockBytes = 4096;
constexpr size_t kShortestBlockBytes = 1024;
constexpr size_t kFusedBytes = size_t{16} * 1024;

// What is asked for before each row of a chain.
constexpr size_t kShareBytes = 8 * kLineBytes;

constexpr size_t RoundUp(size_t bytes) noexcept { return (bytes + kLineBytes - 1) / kLineBytes * kLineBytes; }

size_t BlockBytes(const Pass& pass) noexcept {
  if (pass.rows.size() == 1) return kLongestBlockBytes;
  const size_t fair = kFusedBytes / (pass.layout->operand_count + pass.block_count);
  return std::clamp(std::bit_floor(fair), kShortestBlockBytes, kLongestBlockBytes);
}

// The empty statement keeps GCC from taking a function that only asks for memory for one that does nothing.
inline void Prefetch(const std::byte* from, size_t bytes) noexcept {
  for (size_t i = 0; i < bytes; i += kLineBytes) __builtin_prefetch(from + i);
  asm volatile("");
}

}  // namespace

BlockRunner::Way BlockRunner::FindWay(uint32_t operand) const noexcept {
  if (operand == pass_.index_operand) return Way::kIndex;
  const ptrdiff_t stride = ColumnStride(operand);
  if (stride == static_cast<ptrdiff_t>(BytesOf(operand))) return Way::kPacked;
  return stride == 0 && !IsWritten(operand) ? Way::kSingle : Way::kMoved;
}

bool BlockRunner::IsExchanged(uint32_t operand) const noexcept {
  return WayOf(operand) == Way::kMoved && !IsWritten(operand) &&
         RowStride(operand) == static_cast<ptrdiff_t>(BytesOf(operand));
}

namespace {

// A square is four lines of an exchanged input a side, where one row is computed on it; the first cache holds
// more and smaller ones for a chain of rows.
size_t SquareRows(const Pass& pass) noexcept {
  const size_t bytes = pass.rows.size() == 1 ? 256 : 128;
  return static_cast<size_t>(std::min<uint64_t>(bytes / pass.widest, pass.layout->loops[1].size));
}
size_t SquareColumns(const Pass& pass) noexcept {
  const size_t most = pass.rows.size() == 1 ? (pass.widest == 1 ? 128 : 64) : 32;
  return static_cast<size_t>(std::min<uint64_t>(most, pass.layout->loops[0].size));
}

size_t BlockElements(const Pass& pass) noexcept {
  const uint64_t rows = pass.reach == Reach::kShortRows ? pass.layout->loops[1].size : 1;
  const size_t most = BlockBytes(pass) / pass.widest;
  // The product may be large, but not if the most is more than it.
  if (rows >= most) return most;
  return static_cast<size_t>(std::min<uint64_t>(most, pass.layout->loops[0].size * rows));
}

// A buffer for every operand and every block; those that need none are not worth telling apart.
size_t WantedScratch(const Pass& pass) noexcept {
  const size_t operands = pass.layout->operand_count;
  const size_t elements =
      pass.reach == Reach::kSquares ? SquareRows(pass) * SquareColumns(pass) : BlockElements(pass);
  return (operands + pass.block_count) * RoundUp(elements * pass.widest);
}

}  // namespace

size_t ScratchBytes(const Pass& pass) noexcept {
  return pass.reach == Reach::kDirect ? 0 : WantedScratch(pass);
}

BlockRunner::BlockRunner(const Pass& pass, const Addresses& addresses, RunOptions options) noexcept
    : pass_(pass),
      addresses_(addresses),
      options_(options),
      square_rows_(SquareRows(pass)),
      square_columns_(SquareColumns(pass)),
      block_elements_(BlockElements(pass)),
      reach_(pass.reach),
      scratch_(WantedScratch(pass), pass.scratch) {
  const size_t operands = pass.layout->operand_count;
  for (uint32_t k = 0; k < operands; ++k) {
    way_[k] = FindWay(k);
    access_[k] = &FindAccess(BytesOf(k), pass.target);
  }
  if (scratch_.size() < WantedScratch(pass)) {  // nobody has so much: smaller blocks, and no squares
    reach_ = Reach::kBlocks;
    block_elements_ = scratch_.size() / (operands + pass.block_count) / kLineBytes * kLineBytes / pass.widest;
  }
  if (reach_ == Reach::kSquares) block_elements_ = square_rows_ * square_columns_;
  const size_t bytes = RoundUp(block_elements_ * pass.widest);
  std::byte* next = scratch_.data();
  for (uint32_t k = 0; k < operands; ++k, next += bytes) buffers_[k] = next;
  for (uint32_t i = 0; i < pass.block_count; ++i, next += bytes) at_[BlockValue(i)] = next;
  if (pass.rows.size() == 1) ShareBuffer(pass.rows.front());
  for (uint32_t k = 0; k < operands; ++k) {
    // A lone row that waits for elements to be moved gains nothing by streaming them one block at a time.
    if (!options.stream || pass.rows.size() == 1 || !IsWritten(k)) continue;
    // Nor does a buffer, from which rows are stored.
    const bool in_place = reach_ == Reach::kShortRows ? AreJoined(k, pass.layout->loops[0].size)
                                                      : reach_ == Reach::kBlocks && WayOf(k) == Way::kPacked;
    if (in_place && (pass.read_again >> k & 1) == 0) streamed_ |= 1u << k;
  }
}

// What a lone row leaves may lie where one of its inputs was moved to: the first cache holds more.
void BlockRunner::ShareBuffer(const RowCall& call) noexcept {
  for (uint32_t i = 0; i < call.input_count; ++i) {
    const ValueId input = call.in[i];
    if (WayOf(input) != Way::kMoved || BytesOf(input) != BytesOf(call.out)) continue;
    if (reach_ == Reach::kShortRows && RowStride(input) == 0) continue;  // stays where it is for all rows
    buffers_[call.out] = buffers_[input];
    return;
  }
}

std::byte* BlockRunner::At(const Tile& tile, uint32_t operand, size_t row, size_t column) const noexcept {
  return addresses_[operand] + tile.offset[operand] + static_cast<ptrdiff_t>(row) * RowStride(operand) +
         static_cast<ptrdiff_t>(column) * ColumnStride(operand);
}

Row BlockRunner::MakeRow(const RowCall& call, size_t count) const noexcept {
  Row row;
  row.count = count;
  row.params = call.params.bytes;
  row.single = 0;
  row.stream = call.out < kMostOperands && (streamed_ >> call.out & 1) != 0;
  row.detect = options_.detect;
  for (uint32_t i = 0; i < call.input_count; ++i) {
    row.in[i] = at_[call.in[i]];
    row.single = static_cast<uint8_t>(row.single | (single_ >> call.in[i] & 1) << i);
  }
  row.out = at_[call.out];
  return row;
}

Exceptions BlockRunner::Compute(size_t count) noexcept {
  Exceptions found = kNoException;
  size_t share = 0;
  for (const RowCall& call : pass_.rows) {
    PrefetchShare(share++);
    found |= call.run(MakeRow(call, count));
  }
  return found;
}

// The rows of a square follow each other without a gap in every operand: they are as good as one.
bool BlockRunner::IsOneRow(size_t columns) const noexcept {
  for (uint32_t k = 0; k < pass_.layout->operand_count; ++k) {
    const size_t gapless = WayOf(k) == Way::kSingle ? 0 : columns * BytesOf(k);
    if (step_[k] != static_cast<ptrdiff_t>(gapless)) return false;
  }
  return true;
}

// A lone row's operands are found once and then moved on.
Exceptions BlockRunner::ComputeRows(size_t rows, size_t columns) noexcept {
  if (IsOneRow(columns)) return Compute(rows * columns);
  Exceptions found = kNoException;
  if (pass_.rows.size() == 1) {
    const RowCall& call = pass_.rows.front();
    Row row = MakeRow(call, columns);
    for (size_t r = 0; r < rows; ++r) {
      found |= call.run(row);
      for (uint32_t i = 0; i < call.input_count; ++i) {
        row.in[i] = static_cast<const std::byte*>(row.in[i]) + step_[call.in[i]];
      }
      row.out = static_cast<std::byte*>(row.out) + step_[call.out];
    }
    return found;
  }
  for (size_t r = 0; r < rows; ++r) {
    found |= Compute(columns);
    for (uint32_t k = 0; k < pass_.layout->operand_count; ++k) at_[k] += step_[k];
  }
  return found;
}

void BlockRunner::FillIndex(const Tile& tile, uint32_t operand, const Part& part,
                            std::byte* to) const noexcept {
  for (size_t r = 0; r < part.rows; ++r) {
    auto index = tile.offset[operand] + static_cast<int64_t>(part.row + r) * RowStride(operand) +
                 static_cast<int64_t>(part.column) * ColumnStride(operand);
    for (size_t i = 0; i < part.columns; ++i, index += ColumnStride(operand), to += sizeof(index)) {
      std::memcpy(to, &index, sizeof(index));
    }
  }
}

void BlockRunner::FetchRow(const Tile& tile, uint32_t operand, const Part& part) noexcept {
  switch (WayOf(operand)) {
    case Way::kPacked:
    case Way::kSingle:
      at_[operand] = At(tile, operand, part.row, part.column);
      return;
    case Way::kMoved:
      at_[operand] = buffers_[operand];
      if (!IsWritten(operand)) {
        access_[operand]->gather(At(tile, operand, part.row, part.column), ColumnStride(operand),
                                 part.columns, buffers_[operand]);
      }
      return;
    case Way::kIndex:
      at_[operand] = buffers_[operand];
      FillIndex(tile, operand, part, buffers_[operand]);
      return;
  }
}

// What the next block reads is asked for while this one is computed. Only what is larger than the caches
// needs that.
void BlockRunner::FindNextBlock(const Tile& tile, const Part& part) noexcept {
  const size_t next = part.column + part.columns;
  const size_t columns = std::min(part.columns, tile.columns - next);
  next_count_ = 0;
  for (uint32_t k = 0; k < pass_.layout->first_written; ++k) {
    if (WayOf(k) != Way::kPacked) continue;
    next_[next_count_++] = {At(tile, k, part.row, next), columns * BytesOf(k)};
  }
}

// A few lines before each row: a processor has few on their way at once, and waits if it is asked for more.
// Where the rows are too few for all of a block, the processor has seen enough of it to foresee the rest.
void BlockRunner::PrefetchShare(size_t share) const noexcept {
  for (uint32_t i = 0; i < next_count_; ++i) {
    const Next& next = next_[i];
    const size_t begin = std::min(share * kShareBytes, next.bytes);
    Prefetch(next.from + begin, std::min(kShareBytes, next.bytes - begin));
  }
}

void BlockRunner::StoreRows(const Tile& tile, uint32_t operand, const Part& part, size_t pitch) noexcept {
  const Access& access = *access_[operand];
  const size_t bytes = part.columns * BytesOf(operand);
  const std::byte* from = buffers_[operand];
  std::byte* to = At(tile, operand, part.row, part.column);
  if (WayOf(operand) == Way::kPacked && options_.stream) {
    return access.stream(from, pitch, part.rows, bytes, to, RowStride(operand));
  }
  for (size_t r = 0; r < part.rows; ++r, from += pitch, to += RowStride(operand)) {
    if (WayOf(operand) == Way::kPacked) {
      std::memcpy(to, from, bytes);
    } else {
      access.scatter(from, part.columns, to, ColumnStride(operand));
    }
  }
}

void BlockRunner::FindSingles() noexcept {
  single_ = 0;
  for (uint32_t k = 0; k < pass_.layout->operand_count; ++k) {
    if (WayOf(k) == Way::kSingle) single_ |= 1u << k;
  }
}

Exceptions BlockRunner::RunBlocks(const Tile& tile) noexcept {
  const Layout& layout = *pass_.layout;
  Exceptions found = kNoException;
  FindSingles();
  const bool prefetch = options_.stream && pass_.rows.size() > 1;
  Part part = {0, 1, 0, 0};
  for (part.row = 0; part.row < tile.rows; ++part.row) {
    for (part.column = 0; part.column < tile.columns; part.column += block_elements_) {
      part.columns = std::min(block_elements_, tile.columns - part.column);
      for (uint32_t k = 0; k < layout.operand_count; ++k) FetchRow(tile, k, part);
      if (prefetch) FindNextBlock(tile, part);
      found |= Compute(part.columns);
      for (uint32_t k = layout.first_written; k < layout.operand_count; ++k) {
        if (WayOf(k) == Way::kMoved) StoreRows(tile, k, part, 0);
      }
    }
  }
  next_count_ = 0;
  return found;
}

// Rows that follow each other without a gap are as good as one.
bool BlockRunner::AreJoined(uint32_t operand, uint64_t columns) const noexcept {
  return WayOf(operand) == Way::kPacked &&
         RowStride(operand) == static_cast<int64_t>(columns * BytesOf(operand));
}

void BlockRunner::FetchJoined(const Tile& tile, uint32_t operand, const Part& part) noexcept {
  const bool joined = AreJoined(operand, part.columns);
  const bool single = (single_ >> operand & 1) != 0;
  at_[operand] = joined || single ? At(tile, operand, part.row, 0) : buffers_[operand];
  if (joined || single || IsWritten(operand)) return;
  if (WayOf(operand) == Way::kIndex) return FillIndex(tile, operand, part, buffers_[operand]);
  if (part.row != 0 && RowStride(operand) == 0) return;  // rows that are all the same one stay where they are
  const size_t pitch = part.columns * BytesOf(operand);
  for (size_t r = 0; r < part.rows; ++r) {
    access_[operand]->gather(At(tile, operand, part.row + r, 0), ColumnStride(operand), part.columns,
                             buffers_[operand] + r * pitch);
  }
}

Exceptions BlockRunner::RunShortRows(const Tile& tile) noexcept {
  const Layout& layout = *pass_.layout;
  Exceptions found = kNoException;
  single_ = 0;
  for (uint32_t k = 0; k < layout.operand_count; ++k) {
    if (WayOf(k) == Way::kSingle && RowStride(k) == 0) single_ |= 1u << k;
  }
  const size_t rows_at_once = block_elements_ / tile.columns;
  Part part = {0, 0, 0, tile.columns};
  for (part.row = 0; part.row < tile.rows; part.row += rows_at_once) {
    part.rows = std::min(rows_at_once, tile.rows - part.row);
    for (uint32_t k = 0; k < layout.operand_count; ++k) FetchJoined(tile, k, part);
    found |= Compute(part.rows * part.columns);
    for (uint32_t k = layout.first_written; k < layout.operand_count; ++k) {
      if (!AreJoined(k, part.columns)) StoreRows(tile, k, part, part.columns * BytesOf(k));
    }
  }
  return found;
}

// No processor foresees steps as large as those between a square's lines, along its rows or, exchanged, along
// its columns.
void BlockRunner::PrefetchNextSquare(const Tile& tile, uint32_t operand, const Part& part) const noexcept {
  const bool row_ends = part.column + square_columns_ >= tile.columns;
  const size_t column = row_ends ? 0 : part.column + square_columns_;
  const size_t row = row_ends ? part.row + square_rows_ : part.row;
  if (column + square_columns_ > tile.columns || row + square_rows_ > tile.rows) return;
  const bool exchanged = IsExchanged(operand);
  const size_t lines = exchanged ? square_columns_ : square_rows_;
  const size_t bytes = (exchanged ? square_rows_ : square_columns_) * BytesOf(operand);
  for (size_t line = 0; line < lines; ++line) {
    Prefetch(exchanged ? At(tile, operand, row, column + line) : At(tile, operand, row + line, column),
             bytes);
  }
}

// Lets at_ point to the first row of a square, and step_ lead to the next ones: in memory for what is packed
// or single there, in a buffer for what has to be moved.
void BlockRunner::FetchSquare(const Tile& tile, uint32_t operand, const Part& part) noexcept {
  const Access& access = *access_[operand];
  const size_t pitch = part.columns * BytesOf(operand);
  const Way way = WayOf(operand);
  at_[operand] = buffers_[operand];
  step_[operand] = static_cast<ptrdiff_t>(pitch);
  if (IsWritten(operand)) return;
  if (way == Way::kPacked || IsExchanged(operand)) PrefetchNextSquare(tile, operand, part);
  if (way == Way::kPacked || way == Way::kSingle) {
    at_[operand] = At(tile, operand, part.row, part.column);
    step_[operand] = RowStride(operand);
  } else if (way == Way::kIndex) {
    FillIndex(tile, operand, part, buffers_[operand]);
  } else if (IsExchanged(operand)) {
    access.transpose(At(tile, operand, part.row, part.column), ColumnStride(operand), part.rows, part.columns,
                     buffers_[operand], pitch);
  } else {
    for (size_t r = 0; r < part.rows; ++r) {
      access.gather(At(tile, operand, part.row + r, part.column), ColumnStride(operand), part.columns,
                    buffers_[operand] + r * pitch);
    }
  }
}

// All of a square is read before any of it is written: rows of tensors often lie a power of two apart, and
// a processor takes a load for one of the store that it just made a page or more before.
Exceptions BlockRunner::RunSquares(const Tile& tile) noexcept {
  const Layout& layout = *pass_.layout;
  Exceptions found = kNoException;
  FindSingles();
  Part part = {};
  for (part.row = 0; part.row < tile.rows; part.row += square_rows_) {
    part.rows = std::min(square_rows_, tile.rows - part.row);
    for (part.column = 0; part.column < tile.columns; part.column += square_columns_) {
      part.columns = std::min(square_columns_, tile.columns - part.column);
      for (uint32_t k = 0; k < layout.operand_count; ++k) FetchSquare(tile, k, part);
      found |= ComputeRows(part.rows, part.columns);
      for (uint32_t k = layout.first_written; k < layout.operand_count; ++k) {
        StoreRows(tile, k, part, part.columns * BytesOf(k));
      }
    }
  }
  return found;
}

Exceptions BlockRunner::Run(const Tile& tile) noexcept {
  if (reach_ == Reach::kSquares && tile.rows > 1) return RunSquares(tile);
  if (reach_ == Reach::kShortRows && tile.rows > 1 && tile.columns <= block_elements_) {
    return RunShortRows(tile);
  }
  return RunBlocks(tile);
}

}  // namespace residue
