// From requests to a description that a backend compiles: tensors for what is bound and for results, nodes
// for operators.
#pragma once

#include <span>

#include "directml/graph.h"
#include "directml/graph_edges.h"

namespace residue {

// Fills in compiled->program and temporary_bytes; inputs and outputs are known. May throw std::bad_alloc.
Refusal BuildGraph(const GraphEdges& edges, std::span<const GraphNode> nodes, IBackend& backend,
                   Compiled* compiled);

}  // namespace residue
