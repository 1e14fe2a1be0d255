// Where temporaries lie: tensors that do not live at the same time share memory.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/fuse.h"

namespace residue {

struct MemoryPlan {
  std::vector<uint64_t> offsets;  // by tensor; only temporaries that walks store have one
  uint64_t bytes = 0;             // more than kMaxExtent if no memory could hold them
};

// First fit by decreasing size, of temporaries that live from the walk that stores them to the last that
// loads them. They have these bytes, by tensor; those of no bytes have no place. May throw bad_alloc.
MemoryPlan PlanMemory(const Graph& graph, std::span<const Walk> walks, std::span<const uint64_t> bytes);

// The same with the bytes that the graph says.
MemoryPlan PlanMemory(const Graph& graph, std::span<const Walk> walks);

}  // namespace residue
