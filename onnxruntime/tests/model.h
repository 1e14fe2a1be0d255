// Writes ONNX models: as much of the format as a few nodes need.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "abi.h"

namespace residue::ort::testing {

// A number each, or a name for one that is not known.
using Dimensions = std::vector<std::string>;

struct TensorSpec {
  std::string name;
  ElementType type;                      // undefined if ONNX Runtime is to find it
  std::optional<Dimensions> dimensions;  // nothing if not even their count is known

  static TensorSpec Of(std::string name, ElementType type, const std::vector<int64_t>& shape);
};

struct Initializer {
  std::string name;
  ElementType type;
  std::vector<int64_t> shape;
  std::string bytes;
};

struct Graph;

// An attribute's value.
using AttributeValue = std::variant<int64_t, float, std::string, std::vector<Graph>, std::vector<int64_t>>;

struct Node {
  std::string op;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::string domain;
  std::vector<std::pair<std::string, AttributeValue>> attributes;
};

struct Graph {
  std::vector<Node> nodes;
  std::vector<TensorSpec> inputs;
  std::vector<TensorSpec> outputs;
  std::vector<Initializer> initializers;
};

// A model as ONNX Runtime takes it, with the names of its inputs and outputs.
struct SavedModel {
  std::string bytes;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;

  // One of examples/onnxruntime/models.
  static SavedModel Example(const std::string& name, std::vector<std::string> inputs,
                            std::vector<std::string> outputs);
};

struct Model : Graph {
  int64_t opset = 13;

  SavedModel Save() const;
};

// A model of one node, which is given without inputs and outputs; shapes are not known before it runs.
Model OneNode(const Node& node, const std::vector<ElementType>& inputs, ElementType output, int64_t opset);

}  // namespace residue::ort::testing
