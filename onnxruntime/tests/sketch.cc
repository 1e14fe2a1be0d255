#include "sketch.h"

#include <set>
#include <sstream>

namespace residue::ort::testing {
namespace {

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) {
    const size_t begin = part.find_first_not_of(' ');
    if (begin != std::string::npos)
      parts.push_back(part.substr(begin, part.find_last_not_of(' ') - begin + 1));
  }
  return parts;
}

Node ParseNode(const std::string& text) {
  const size_t equals = text.find('=');
  const size_t open = text.find('(');
  Node node;
  node.outputs = Split(text.substr(0, equals), ',');
  node.op = Split(text.substr(equals + 1, open - equals - 1), ' ').at(0);
  for (const std::string& part : Split(text.substr(open + 1, text.find(')') - open - 1), ',')) {
    const size_t value = part.find('=');
    if (value == std::string::npos) {
      node.inputs.push_back(part);
    } else {
      const bool is_list = part[value + 1] == '[';
      const int64_t number = std::stoll(part.substr(value + (is_list ? 2 : 1)));
      node.attributes.emplace_back(part.substr(0, value), is_list
                                                              ? AttributeValue(std::vector<int64_t>{number})
                                                              : AttributeValue(number));
    }
  }
  return node;
}

}  // namespace

Model Sketch(const std::string& text, const std::vector<TensorSpec>& inputs,
             const std::vector<Initializer>& initializers, int64_t opset) {
  Model model;
  model.opset = opset;
  std::set<std::string> read;
  for (const std::string& node : Split(text, ';')) model.nodes.push_back(ParseNode(node));
  for (const Node& node : model.nodes) read.insert(node.inputs.begin(), node.inputs.end());
  for (const TensorSpec& input : inputs) {
    if (read.contains(input.name)) model.inputs.push_back(input);
  }
  for (const Initializer& initializer : initializers) {
    if (read.contains(initializer.name)) model.initializers.push_back(initializer);
  }
  for (const Node& node : model.nodes) {
    for (const std::string& output : node.outputs) {
      if (!read.contains(output)) model.outputs.push_back({output, ElementType::kUndefined, std::nullopt});
    }
  }
  return model;
}

}  // namespace residue::ort::testing
