// From a node of a model to operators of libresidue: what ONNX's operators are, by the list in
// onnx_operators.def.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model_node.h"
#include "program.h"

namespace residue::ort {

// How ONNX's types lie in memory for us; 0 for those that we do not have. Truth values are bytes of 0 and 1.
residue_type ToResidueType(ElementType type) noexcept;

// Why the node is not claimed, or nothing. May throw std::bad_alloc.
std::string WhyNot(const ModelNode& node);

// Adds the node to a program; `inputs` are the values of its inputs, in their order, and kNoValue for those
// left out. The node is one that WhyNot has nothing against.
inline constexpr ValueId kNoValue = UINT32_MAX;
ValueId Translate(const ModelNode& node, std::span<const ValueId> inputs, Program* program);

}  // namespace residue::ort
