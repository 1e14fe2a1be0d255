// Writes ONNX models: as much of the format as a few nodes need.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "abi.h"

namespace residue::ort::testing {

struct TensorSpec {
  std::string name;
  ElementType type;
  std::vector<std::string> dimensions;  // a number, or a name for one that is not known

  static TensorSpec Of(std::string name, ElementType type, const std::vector<int64_t>& shape);
};

struct Initializer {
  std::string name;
  ElementType type;
  std::vector<int64_t> shape;
  std::string bytes;
};

struct Node {
  std::string op;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::string domain;
  std::vector<std::pair<std::string, int64_t>> attributes;
};

struct Model {
  std::vector<Node> nodes;
  std::vector<TensorSpec> inputs;
  std::vector<TensorSpec> outputs;
  std::vector<Initializer> initializers;
  int64_t opset = 13;

  std::string Serialize() const;
};

}  // namespace residue::ort::testing
