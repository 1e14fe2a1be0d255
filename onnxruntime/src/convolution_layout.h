// Values that ONNX Runtime keeps in the order of its convolutions, NCHWc: whatever else computes on them
// makes it reorder them before and after.
#pragma once

#include <vector>

#include "model_node.h"
#include "node_links.h"

namespace residue::ort {

// For each node whether its result would be in that order. May throw std::bad_alloc.
std::vector<bool> FindConvolutionLayout(const std::vector<ModelNode>& nodes);

}  // namespace residue::ort
