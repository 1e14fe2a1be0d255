// Models written as text: "s = Sigmoid(x); y = Mul(x, s)".
#pragma once

#include <string>
#include <vector>

#include "model.h"

namespace residue::ort::testing {

// Names that no node computes are inputs or initializers: those of the two lists that are read become the
// model's. What no node reads is an output. Attributes stand among the inputs, integers and lists of one: "c
// = Cast(i, to=1); m = ReduceMean(c, axes=[-1])".
Model Sketch(const std::string& text, const std::vector<TensorSpec>& inputs,
             const std::vector<Initializer>& initializers, int64_t opset);

}  // namespace residue::ort::testing
