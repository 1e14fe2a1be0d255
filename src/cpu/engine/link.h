// Finding the chains among the rows of a pass: what a row leaves to the next alone needs no block.
#pragma once

#include <vector>

#include "cpu/engine/pass.h"
#include "cpu/rows/chain.h"

namespace residue {

// A row of a pass that is being made, and what else its target has for it.
struct PlannedRow {
  RowCall call;
  RowCode code;
  const void* params;  // the row's own, which outlive the chain
};

// Rows, some of which are chains, in the same order; the blocks that are left are numbered anew, and their
// number is `block_count`. The chains' links are put into `links`, which must then stay where it is. May
// throw bad_alloc.
std::vector<RowCall> LinkRows(const std::vector<PlannedRow>& rows, std::vector<ChainLink>* links,
                              uint32_t* block_count);

}  // namespace residue
