#include "convolution_layout.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>

namespace residue::ort {
namespace {

constexpr size_t kImageDimensions = 4;

// Operators whose result is in the order in which all their inputs are that are no constants.
constexpr std::array<std::string_view, 17> kKeepers = {
    "Add",    "Sum",       "Mul",         "Relu",          "Sigmoid",           "Tanh",
    "Clip",   "LeakyRelu", "HardSigmoid", "Concat",        "MaxPool",           "AveragePool",
    "Resize", "Upsample",  "QuickGelu",   "GlobalMaxPool", "BatchNormalization"};

bool IsImageConvolution(const ModelNode& node) {
  return node.op() == "Conv" && node.inputs().size() > 1 && node.inputs()[1].is_constant &&
         node.inputs()[1].dimensions.size() == kImageDimensions;
}

}  // namespace

std::vector<bool> FindConvolutionLayout(const std::vector<ModelNode>& nodes) {
  std::vector<bool> found(nodes.size());
  std::set<std::string_view> values;
  for (size_t n = 0; n < nodes.size(); ++n) {
    const ModelNode& node = nodes[n];
    const auto keeps = [&] {
      if (std::ranges::find(kKeepers, node.op()) == kKeepers.end()) return false;
      const bool element_wise = node.op() == "Add" || node.op() == "Sum" || node.op() == "Mul";
      for (const NodeValue& input : node.inputs()) {
        if (input.name.empty() || (input.is_constant && !element_wise)) continue;
        if (!values.contains(input.name)) return false;
        if (element_wise && input.dimensions != node.inputs()[0].dimensions) return false;
      }
      return true;
    };
    found[n] = IsImageConvolution(node) || keeps();
    if (found[n] && !node.outputs().empty()) values.insert(node.outputs().front().name);
  }
  return found;
}

}  // namespace residue::ort
