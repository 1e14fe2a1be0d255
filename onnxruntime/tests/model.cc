#include "model.h"

#include <cctype>

namespace residue::ort::testing {
namespace {

// A protocol buffer: fields of a number and a varint, or of a number, a length and bytes.
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
  Message shape;
  for (const std::string& dimension : tensor.dimensions) {
    const bool known = !dimension.empty() && std::isdigit(static_cast<unsigned char>(dimension[0])) != 0;
    shape.Add(1, known ? Message().Number(1, std::stoll(dimension)) : Message().Bytes(2, dimension));
  }
  const Message type = Message().Number(1, static_cast<int64_t>(tensor.type)).Add(2, shape);
  return Message().Bytes(1, tensor.name).Add(2, Message().Add(1, type));
}

Message ToMessage(const Node& node) {
  constexpr int64_t kIntegerAttribute = 2;
  Message message;
  for (const std::string& name : node.inputs) message.Bytes(1, name);
  for (const std::string& name : node.outputs) message.Bytes(2, name);
  message.Bytes(4, node.op);
  for (const auto& [name, value] : node.attributes) {
    message.Add(5, Message().Bytes(1, name).Number(3, value).Number(20, kIntegerAttribute));
  }
  return message.Bytes(7, node.domain);
}

Message ToMessage(const Initializer& tensor) {
  Message message;
  for (const int64_t size : tensor.shape) message.Number(1, size);
  return message.Number(2, static_cast<int64_t>(tensor.type)).Bytes(8, tensor.name).Bytes(9, tensor.bytes);
}

}  // namespace

TensorSpec TensorSpec::Of(std::string name, ElementType type, const std::vector<int64_t>& shape) {
  TensorSpec spec = {std::move(name), type, {}};
  for (const int64_t size : shape) spec.dimensions.push_back(std::to_string(size));
  return spec;
}

std::string Model::Serialize() const {
  constexpr int64_t kIrVersion = 8;
  Message graph;
  for (const Node& node : nodes) graph.Add(1, ToMessage(node));
  graph.Bytes(2, "graph");
  for (const Initializer& tensor : initializers) graph.Add(5, ToMessage(tensor));
  for (const TensorSpec& tensor : inputs) graph.Add(11, ToMessage(tensor));
  for (const TensorSpec& tensor : outputs) graph.Add(12, ToMessage(tensor));
  return Message()
      .Number(1, kIrVersion)
      .Add(7, graph)
      .Add(8, Message().Bytes(1, "").Number(2, opset))
      .Add(8, Message().Bytes(1, "residue").Number(2, 1))
      .text();
}

}  // namespace residue::ort::testing
