// Random models of typed nodes that read what came before, with what each node computes when it runs alone.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "session.h"

namespace residue::ort::testing {

// A number below the bound, which is not 0: from a generator, or from a fuzzer's bytes.
using Choose = std::function<uint64_t(uint64_t)>;

inline constexpr int64_t kRandomOpset = 20;

struct RandomModel {
  Model model;
  std::vector<Tensor> inputs;
  std::map<std::string, Tensor> alone;  // each value of the model, computed node by node
};

// Nodes are any of the list that the provider claims from (onnx_operators.def), of any types and of shapes
// that broadcast, and now and then one that it does not claim. What ONNX does not allow is left out.
RandomModel MakeRandomModel(size_t most_nodes, const Session::Settings& settings, const Choose& choose);

}  // namespace residue::ort::testing
