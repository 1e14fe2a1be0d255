// From requests to a residue_graph: tensors for what is bound and for results, nodes for operators.
#pragma once

#include <span>

#include "directml/graph.h"
#include "directml/graph_edges.h"

namespace residue {

// Fills in compiled->graph and temporary_bytes; inputs and outputs are known. May throw std::bad_alloc.
Refusal BuildGraph(const GraphEdges& edges, std::span<const GraphNode> nodes, Compiled* compiled);

}  // namespace residue
