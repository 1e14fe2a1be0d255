#include "gain.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "built_in_fusions.h"
#include "convolution_layout.h"

namespace residue::ort {
namespace {

// Below, the call of a part takes longer than what it saves.
constexpr int64_t kLargeElements = 4096;

struct FunctionGain {
  std::string_view op;
  int tensors;
};

constexpr FunctionGain kFunctionGains[] = {
#define RESIDUE_GAIN(Name, tensors) {#Name, tensors},
#include "function_gains.def"
};

int FunctionGainOf(const ModelNode& node) {
  const auto* found = std::ranges::find(kFunctionGains, node.op(), &FunctionGain::op);
  return found == std::end(kFunctionGains) ? 0 : found->tensors;
}

// The first of several dimensions is a batch, so it is 1 if it is not known; any other is large then.
bool IsLarge(const NodeValue& value) {
  if (value.dimensions.empty()) return !value.is_constant;  // not even how many there are
  int64_t elements = 1;
  for (size_t i = 0; i < value.dimensions.size(); ++i) {
    const bool is_batch = i == 0 && value.dimensions.size() > 1;
    const int64_t dimension = value.dimensions[i];
    const int64_t assumed = dimension >= 0 ? dimension : is_batch ? 1 : kLargeElements;
    if (assumed == 0) return false;
    elements = std::min(elements * std::min(assumed, kLargeElements), kLargeElements);
  }
  return elements >= kLargeElements;
}

bool IsFloating(const NodeValue& value) {
  return value.type == ElementType::kFloat || value.type == ElementType::kDouble ||
         value.type == ElementType::kFloat16;
}

// Integers are shapes and indices: few elements.
bool IsOfFloats(const ModelNode& node) {
  return std::ranges::any_of(node.inputs(), IsFloating) || std::ranges::any_of(node.outputs(), IsFloating);
}

using Names = std::set<std::string_view>;

Names LargeOnes(const std::vector<NodeValue>& values) {
  Names names;
  for (const NodeValue& value : values) {
    if (!value.name.empty() && IsLarge(value)) names.insert(value.name);
  }
  return names;
}

}  // namespace

std::vector<std::string> WhyLeft(const std::vector<ModelNode>& nodes, const NodeLinks& links) {
  std::vector<std::string> why = FindBuiltInFusions(nodes, links);
  const std::vector<bool> in_layout = FindConvolutionLayout(nodes);
  for (size_t n = 0; n < nodes.size(); ++n) {
    if (!why[n].empty()) why[n] = "becomes a part of " + why[n];
    if (why[n].empty() && in_layout[n]) why[n] = "keeps the order of convolutions";
  }
  return why;
}

int GainOf(const std::vector<ModelNode>& nodes, const NodeLinks& links, const std::vector<size_t>& part) {
  const std::set<size_t> members(part.begin(), part.end());
  Names read;
  Names written;
  int gain = 0;
  size_t kept = 0;  // results that others read
  for (const size_t n : part) {
    const ModelNode& node = nodes[n];
    const Names results = LargeOnes(node.outputs());
    if (!results.empty()) gain += FunctionGainOf(node);
    if (!IsOfFloats(node)) continue;
    const Names operands = LargeOnes(node.inputs());
    gain += static_cast<int>(operands.size() + results.size());
    read.insert(operands.begin(), operands.end());
    written.insert(results.begin(), results.end());
    const std::vector<size_t>& readers = links.readers[n];
    if (readers.empty() || !std::ranges::all_of(readers, [&](size_t r) { return members.contains(r); }))
      kept += results.size();
  }
  const auto from_outside =
      std::ranges::count_if(read, [&](std::string_view name) { return !written.contains(name); });
  return gain - static_cast<int>(from_outside) - static_cast<int>(kept);
}

}  // namespace residue::ort
