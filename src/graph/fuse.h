// From nodes to walks over memory: which nodes share one, and which tensors need memory at all.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph.h"

namespace residue {

// What one walk over memory can hold, as whoever runs it says.
struct WalkLimits {
  uint32_t nodes;
  uint32_t operands;  // in memory, read and written together
  uint32_t blocks;    // values at once that are not in memory
};

// Where a node of a walk finds an input, or leaves its result.
struct ValuePlace {
  enum Kind : uint8_t { kLoad, kStore, kBlock };
  Kind kind;
  uint8_t index;
};

// A node, and where its operands are.
struct WalkStep {
  uint32_t node;
  std::array<ValuePlace, kMostNodeOperands> places;
};

// Nodes that are computed together, element by element, in the graph's order. All have the same sizes.
struct Walk {
  std::vector<WalkStep> steps;
  std::vector<View> loads;   // from memory, each once
  std::vector<View> stores;  // into memory: outputs, and temporaries that another walk reads
  uint32_t block_count = 0;
};

// Every walk comes after those it reads from, and stores something. Nodes that no output depends on are left
// out. May throw bad_alloc.
std::vector<Walk> Fuse(const Graph& graph, const WalkLimits& limits);

}  // namespace residue
