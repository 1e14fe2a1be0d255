// The edges of a graph: read, checked one by one and as a whole, and nodes put into an order that respects
// them.
#pragma once

#include <DirectML.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "directml/graph.h"

namespace residue {

struct InputSource {
  enum Kind : uint8_t { kNothing, kGraphInput, kNode };
  Kind kind = kNothing;
  uint32_t index = 0;  // of the graph input or of the node
};

struct GraphEdges {
  std::vector<std::array<InputSource, kMostTensorInputs>> sources;  // by node, by its input
  std::vector<uint32_t> outputs;                                    // the node behind each graph output
  std::vector<uint32_t> order;                                      // every node after those it reads
};

Refusal ReadGraphEdges(const DML_GRAPH_DESC& desc, std::span<const GraphNode> nodes, GraphEdges* edges);

}  // namespace residue
