#include "model.h"

#include <cctype>
#include <fstream>
#include <iterator>
#include <utility>

namespace residue::ort::testing {
namespace {

// A protocol buffer: fields of a number and a varint, four bytes, or a length and bytes.
class Message {
 public:
  Message& Number(uint32_t field, int64_t value) {
    Varint(field << 3);
    Varint(static_cast<uint64_t>(value));
    return *this;
  }
  Message& Bytes(uint32_t field, const std::string& bytes) {
    Varint(field << 3 | 2);
    Varint(bytes.size());
    text_ += bytes;
    return *this;
  }
  Message& Float(uint32_t field, float value) {
    Varint(field << 3 | 5);
    text_.append(reinterpret_cast<const char*>(&value), sizeof(value));
    return *this;
  }
  Message& Add(uint32_t field, const Message& message) { return Bytes(field, message.text_); }
  const std::string& text() const { return text_; }

 private:
  void Varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7) text_ += static_cast<char>(value | 0x80);
    text_ += static_cast<char>(value);
  }
  std::string text_;
};

Message ToMessage(const TensorSpec& tensor) {
  if (tensor.type == ElementType::kUndefined) return Message().Bytes(1, tensor.name);
  Message type;
  type.Number(1, static_cast<int64_t>(tensor.type));
  if (tensor.dimensions) {
    Message shape;
    for (const std::string& dimension : *tensor.dimensions) {
      const bool known = !dimension.empty() && std::isdigit(static_cast<unsigned char>(dimension[0])) != 0;
      shape.Add(1, known ? Message().Number(1, std::stoll(dimension)) : Message().Bytes(2, dimension));
    }
    type.Add(2, shape);
  }
  return Message().Bytes(1, tensor.name).Add(2, Message().Add(1, type));
}

Message ToMessage(const Graph& graph);

Message ToMessage(const std::string& name, const AttributeValue& value) {
  Message message = Message().Bytes(1, name);
  // The kinds of attributes and their fields, as ONNX numbers them.
  if (const auto* number = std::get_if<float>(&value)) return message.Float(2, *number).Number(20, 1);
  if (const auto* integer = std::get_if<int64_t>(&value)) return message.Number(3, *integer).Number(20, 2);
  if (const auto* text = std::get_if<std::string>(&value)) return message.Bytes(4, *text).Number(20, 3);
  if (const auto* integers = std::get_if<std::vector<int64_t>>(&value)) {
    for (const int64_t one : *integers) message.Number(8, one);
    return message.Number(20, 7);
  }
  return message.Add(6, ToMessage(std::get<std::vector<Graph>>(value).at(0))).Number(20, 5);
}

Message ToMessage(const Node& node) {
  Message message;
  for (const std::string& name : node.inputs) message.Bytes(1, name);
  for (const std::string& name : node.outputs) message.Bytes(2, name);
  message.Bytes(4, node.op);
  for (const auto& [name, value] : node.attributes) message.Add(5, ToMessage(name, value));
  return message.Bytes(7, node.domain);
}

Message ToMessage(const Initializer& tensor) {
  Message message;
  for (const int64_t size : tensor.shape) message.Number(1, size);
  return message.Number(2, static_cast<int64_t>(tensor.type)).Bytes(8, tensor.name).Bytes(9, tensor.bytes);
}

Message ToMessage(const Graph& graph) {
  Message message;
  for (const Node& node : graph.nodes) message.Add(1, ToMessage(node));
  message.Bytes(2, "graph");
  for (const Initializer& tensor : graph.initializers) message.Add(5, ToMessage(tensor));
  for (const TensorSpec& tensor : graph.inputs) message.Add(11, ToMessage(tensor));
  for (const TensorSpec& tensor : graph.outputs) message.Add(12, ToMessage(tensor));
  return message;
}

}  // namespace

TensorSpec TensorSpec::Of(std::string name, ElementType type, const std::vector<int64_t>& shape) {
  Dimensions dimensions;
  for (const int64_t size : shape) dimensions.push_back(std::to_string(size));
  return {std::move(name), type, dimensions};
}

SavedModel Model::Save() const {
  constexpr int64_t kIrVersion = 8;
  SavedModel saved;
  saved.bytes = Message()
                    .Number(1, kIrVersion)
                    .Add(7, ToMessage(static_cast<const Graph&>(*this)))
                    .Add(8, Message().Bytes(1, "").Number(2, opset))
                    .Add(8, Message().Bytes(1, "residue").Number(2, 1))
                    .text();
  for (const TensorSpec& tensor : Graph::inputs) saved.inputs.push_back(tensor.name);
  for (const TensorSpec& tensor : Graph::outputs) saved.outputs.push_back(tensor.name);
  return saved;
}

SavedModel SavedModel::Example(const std::string& name, std::vector<std::string> inputs,
                               std::vector<std::string> outputs) {
  std::ifstream file(RESIDUE_ORT_MODELS "/" + name + ".onnx", std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  return {bytes, std::move(inputs), std::move(outputs)};
}

Model OneNode(const Node& node, const std::vector<ElementType>& inputs, ElementType output, int64_t opset) {
  Model model;
  model.opset = opset;
  Node named = node;
  for (size_t i = 0; i < inputs.size(); ++i) {
    named.inputs.push_back("in" + std::to_string(i));
    model.inputs.push_back({named.inputs.back(), inputs[i], std::nullopt});
  }
  named.outputs = {"out"};
  model.outputs = {{"out", output, std::nullopt}};
  model.nodes = {named};
  return model;
}

}  // namespace residue::ort::testing
