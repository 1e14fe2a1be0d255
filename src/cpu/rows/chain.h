// Chains: rows that follow each other on the same elements. The first input of each is what the one before
// left; a second one may come from memory. A few vectors at a time go through all of them in registers. A
// chain is itself a row, with its links as params, so that layouts, blocks, streaming and threads are those
// of any row.
#pragma once

#include <cstdint>

#include "core/params.h"
#include "cpu/rows/row.h"

namespace residue {

// Clang passes long vectors in memory, so that stages stand on each other's stack: up to 1.2 KiB each.
#ifdef __clang__
inline constexpr uint32_t kMostLinks = 5;
#else
inline constexpr uint32_t kMostLinks = 16;
#endif

// A link that reads nothing besides.
inline constexpr uint8_t kNoSide = UINT8_MAX;

// One row of a chain. It owns nothing.
struct ChainLink {
  StageFn stage;
  RowFn run;  // where stages do not help: few elements, and exceptions that must be looked for
  const void* params;
  uint8_t side;  // which of the chain's inputs it reads besides
};

// The params of a chain. Its first link reads the first of its inputs.
struct ChainParams {
  const ChainLink* links;
  uint32_t count;
  uint16_t inputs;
  bool watched;  // all links are
};
static_assert(sizeof(ChainParams) <= kMostParamsBytes);

// May one row follow the other in a chain? Then both name the same function that runs it.
inline bool CanChain(const RowCode& first, const RowCode& second) noexcept {
  return first.chain != nullptr && first.chain == second.chain;
}

// The link of one row before another, or before none. Making a NaN the quiet one is left to the next, if that
// does it.
inline ChainLink MakeLink(const RowCode& code, const RowCode* next, const void* params,
                          uint8_t side = kNoSide) noexcept {
  const bool raw = code.raw_stage != nullptr && next != nullptr && next->raw_stage != nullptr;
  return {raw ? code.raw_stage : code.stage, code.run, params, side};
}

}  // namespace residue
