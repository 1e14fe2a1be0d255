// Which nodes of a graph the provider claims, and in which parts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model_node.h"

namespace residue::ort {

enum class Claim : uint8_t { kGain, kAll, kMod, kNone };

struct Choice {
  std::vector<std::vector<size_t>> parts;  // numbers of nodes
  std::vector<std::string> why_not;        // for each node; nothing for those that are claimed
};

// `why_none` keeps all of them from being claimed, if it says anything. May throw std::bad_alloc.
Choice Choose(const std::vector<ModelNode>& nodes, Claim claim, const std::string& why_none);

}  // namespace residue::ort
