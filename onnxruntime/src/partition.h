// Which claimed nodes become one: groups as large as possible, such that none of them must be computed before
// and after something else.
#pragma once

#include <cstddef>
#include <vector>

#include "model_node.h"
#include "node_links.h"

namespace residue::ort {

// Numbers of nodes, each group in the order of `nodes`, which is one in which they can be computed. Nodes
// that are not claimed are in none. May throw std::bad_alloc.
std::vector<std::vector<size_t>> Partition(const std::vector<ModelNode>& nodes, const NodeLinks& links,
                                           const std::vector<bool>& claimed);

}  // namespace residue::ort
