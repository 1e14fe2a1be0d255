// A graph: tensors, and nodes that read and write them through views. Nodes stand in an order in which every
// tensor is written before it is read, so there are no cycles to look for.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/operator_id.h"
#include "core/status.h"
#include "layout/layout.h"

namespace residue {

// Where a tensor's memory comes from.
enum class Place : uint8_t {
  kInput,      // given at every run, only read
  kOutput,     // given at every run, written by one node
  kTemporary,  // of the graph itself, written by one node; the bytes that it leaves are 0
  kConstant,   // copied when the graph is built
  kIndex,      // in no memory: the row-major numbers of the elements of the node that reads it
};

struct Tensor {
  Place place;
  uint32_t index;   // which input or output, in the order they were added
  uint64_t bytes;   // no view reaches beyond them
  uint64_t offset;  // of a constant, in the graph's constants
  uint32_t writer;  // the node that writes it, or Graph::kNobody
  bool cleared;     // a temporary of which a node may read bytes that the writer leaves
};

// A tensor as a node sees it: the node's sizes, these strides, an element type.
struct View {
  uint32_t tensor;
  DataType type;
  uint64_t offset;  // of the first element, in bytes
  Strides strides;
};

// An operator's inputs, then its output.
inline constexpr uint32_t kMostNodeOperands = kMostInputs + 1;

struct Node {
  OperatorId op;
  uint32_t rank;
  Sizes sizes;
  std::array<View, kMostNodeOperands> operands;
  Params params;

  uint32_t input_count() const noexcept { return InputCount(op); }
  const View& output() const noexcept { return operands[input_count()]; }
};

// Nobody needs more, and every number of a node or a tensor fits 32 bits with room to spare.
inline constexpr uint32_t kMostNodes = 1u << 16;
inline constexpr uint32_t kMostGraphTensors = kMostNodes * kMostNodeOperands;

class Graph {
 public:
  // May throw bad_alloc. A constant's bytes are copied from `data`, and padded with zeros to `bytes`.
  Status AddTensor(Place place, uint64_t bytes, const std::byte* data, uint64_t data_bytes, uint32_t* tensor);

  // Everything that can be wrong with a node is found here; the graph is then as it was. May throw bad_alloc.
  Status AddNode(const Node& node);

  // A graph without outputs computes nothing; one with an output that no node writes would leave it as it is.
  Status Check() const noexcept;

  const std::vector<Tensor>& tensors() const noexcept { return tensors_; }
  const std::vector<Node>& nodes() const noexcept { return nodes_; }
  const std::vector<std::byte>& constants() const noexcept { return constants_; }
  uint32_t input_count() const noexcept { return input_count_; }
  // The node that writes a tensor, or kNobody.
  uint32_t writer(uint32_t tensor) const noexcept { return tensors_[tensor].writer; }

  static constexpr uint32_t kNobody = UINT32_MAX;

 private:
  Status CheckOperand(const Node& node, uint32_t k, const Layout& layout) const noexcept;
  bool ReadsWhatIsWritten(const Node& node, const View& view) const noexcept;
  void NumberElements(Node* node) const noexcept;

  std::vector<Tensor> tensors_;
  std::vector<Node> nodes_;
  std::vector<std::byte> constants_;
  uint32_t input_count_ = 0;
  uint32_t output_count_ = 0;
  uint32_t index_ = kNobody;  // the tensor that is one
};

// Do two views of one node's sizes name the same elements in the same order?
bool IsSameView(const Node& node, const View& x, const View& y) noexcept;

// The layout of a node's operands, in their order; refuses as MakeLayout does.
Status MakeNodeLayout(const Node& node, Layout* layout) noexcept;

}  // namespace residue
