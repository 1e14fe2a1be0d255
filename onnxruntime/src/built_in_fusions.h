// Nodes that ONNX Runtime computes better when no provider claims them: it replaces several by one of its
// own, by the list in built_in_fusions.def.
#pragma once

#include <string>
#include <vector>

#include "model_node.h"
#include "node_links.h"

namespace residue::ort {

// For each node what it becomes a part of, or nothing. May throw std::bad_alloc.
std::vector<std::string> FindBuiltInFusions(const std::vector<ModelNode>& nodes, const NodeLinks& links);

}  // namespace residue::ort
