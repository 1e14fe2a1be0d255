// What claim=gain claims: parts that are faster than what ONNX Runtime would do itself.
#pragma once

#include <string>
#include <vector>

#include "model_node.h"
#include "node_links.h"

namespace residue::ort {

// For each node why it is left to the built-in provider whatever is around it, or nothing. May throw
// std::bad_alloc.
std::vector<std::string> WhyLeft(const std::vector<ModelNode>& nodes, const NodeLinks& links);

// What a part saves: how many fewer large tensors it reads and writes than its nodes one by one do. Functions
// that we compute faster or slower than the built-in ones count as so many tensors more or less.
int GainOf(const std::vector<ModelNode>& nodes, const NodeLinks& links, const std::vector<size_t>& part);

// The least that is worth a call.
inline constexpr int kLeastGain = 2;

}  // namespace residue::ort
