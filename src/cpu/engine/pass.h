// A pass: one walk over memory in which rows are computed block by block. What one row leaves to the next
// stays in blocks that never leave the first cache.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "core/params.h"
#include "cpu/rows/row.h"
#include "layout/layout.h"

namespace residue {

class ScratchPool;

// No pass has more values that live in blocks at once: as many as half of a first cache holds.
inline constexpr uint32_t kMostBlocks = 16;
// Nor more rows.
inline constexpr uint32_t kMostRows = 128;

// Where a row finds an operand: in memory, by the layout's operands, or in a block.
using ValueId = uint8_t;
constexpr ValueId BlockValue(uint32_t block) noexcept { return static_cast<ValueId>(kMostOperands + block); }

struct RowCall {
  RowFn run;
  uint8_t input_count;
  std::array<ValueId, kMostInputs> in;
  ValueId out;
  Params params;
};

// How the operands of a tile's rows are reached.
enum class Reach : uint8_t {
  kDirect,     // one row call on packed or single operands: no block at all
  kBlocks,     // rows in blocks
  kShortRows,  // several rows together, because one does not fill vectors
  kSquares,    // an input is packed along the rows: squares, transposed in the cache
};

// What a walk needs to know; it owns nothing.
struct Pass {
  const Layout* layout;
  std::span<const RowCall> rows;
  Target target;  // the best that may move elements
  Reach reach;
  uint8_t block_count = 0;         // values in blocks
  uint8_t widest = 0;              // bytes of the largest element, in memory or in a block
  uint32_t read_again = 0;         // bit k: operand k is written and then read by a later row
  uint32_t index_operand = kNone;  // the operand that is not in memory: the elements' row-major numbers
  ScratchPool* scratch = nullptr;  // where blocks come from that the stack has no room for; else the heap

  static constexpr uint32_t kNone = UINT32_MAX;
};

// Fills in what follows from the layout and the rows; `widest` is at least as wide as any block.
void CompletePass(Pass* pass) noexcept;

}  // namespace residue
