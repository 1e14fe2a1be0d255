// What the provider logs about what it claims.
#pragma once

#include <string>
#include <vector>

#include "choice.h"
#include "model_node.h"

namespace residue::ort {

// One line: how many nodes are claimed, in how many parts, and for each reason how many are not. May throw
// std::bad_alloc, as the other.
std::string Summarize(const std::vector<ModelNode>& nodes, const Choice& choice);

// A line for each node: in which part it is, or why it is in none.
std::vector<std::string> DescribeNodes(const std::vector<ModelNode>& nodes, const Choice& choice);

}  // namespace residue::ort
