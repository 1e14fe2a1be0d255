// Which nodes of a graph read what others compute.
#pragma once

#include <cstddef>
#include <vector>

#include "model_node.h"

namespace residue::ort {

struct NodeLinks {
  // May throw std::bad_alloc. A node comes after what it reads.
  explicit NodeLinks(const std::vector<ModelNode>& nodes);

  std::vector<std::vector<size_t>> readers;  // of each node's outputs, once for each input that reads them
  std::vector<std::vector<size_t>> writers;  // of each node's inputs
};

}  // namespace residue::ort
