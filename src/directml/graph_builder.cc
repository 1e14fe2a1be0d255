#include "directml/graph_builder.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>

#include "directml/lower.h"
#include "layout/coverage.h"

namespace residue {
namespace {

constexpr uint32_t kNoTensor = UINT32_MAX;

// What a copy moves, and what an edge's end touches.
struct Shape {
  DataType type = DataType::kUint8;
  uint32_t rank = 1;
  Sizes sizes{};
  Strides strides{1};

  Region region() const noexcept {
    return {std::span(sizes).first(rank), strides.data(), static_cast<uint32_t>(SizeOf(type)), 0};
  }
};

Shape ShapeOf(const TensorDesc& tensor) noexcept {
  Shape shape = {tensor.type, tensor.rank, {}, ByteStrides(tensor)};
  std::ranges::copy(tensor.sizes, shape.sizes.begin());
  return shape;
}

// A node and what its description points to.
struct BuiltNode {
  residue_operand operands[kMostInputs + 1];
  uint32_t tensors[kMostInputs + 1];
  Params params;
  residue_problem problem;
};

class Builder final : private ILoweringSink {
 public:
  Builder(const GraphEdges& edges, std::span<const GraphNode> nodes, const Compiled& compiled)
      : edges_(edges), nodes_(nodes), compiled_(compiled), results_(nodes.size(), kNoTensor) {
    AddInputs();
    AddResults();
    for (const uint32_t n : edges_.order) {
      if (nodes_[n].op != nullptr) AddOperator(n);
    }
    AddCopies();
  }

  // Everything was checked before; whatever is refused all the same is told.
  Refusal Compile(IBackend& backend, Ref<IDeviceProgram>* program) const {
    std::vector<NodeDescription> described;
    for (const BuiltNode& node : built_) {
      described.push_back({node.problem, node.tensors});
      described.back().problem.operands = node.operands;
      described.back().problem.params = node.params.bytes;
    }
    const GraphDescription graph = {tensors_.data(), tensors_.size(), described.data(), described.size()};
    IDeviceProgram* made = nullptr;
    char text[256] = "";
    const residue_status status = backend.Compile(graph, &made, text, sizeof(text));
    if (status == RESIDUE_OUT_OF_MEMORY) throw std::bad_alloc();
    if (status != RESIDUE_OK)
      return Refuse(RefusalCode::kInvalidArgument, "the graph cannot be compiled: %s", text);
    *program = Ref<IDeviceProgram>::Adopt(made);
    return {};
  }

 private:
  uint32_t AddTensor(residue_tensor_kind kind, uint64_t bytes, const void* data = nullptr) {
    tensors_.push_back({kind, bytes, data});
    return static_cast<uint32_t>(tensors_.size() - 1);
  }

  // Where it lies, unless it has to be padded.
  uint32_t AddConstant(std::span<const std::byte> constant) {
    const uint64_t bytes = PaddedBytes(constant);
    if (bytes == constant.size()) return AddTensor(RESIDUE_TENSOR_CONSTANT, bytes, constant.data());
    std::vector<std::byte>& padded = padded_constants_.emplace_back(constant.begin(), constant.end());
    padded.resize(bytes);
    return AddTensor(RESIDUE_TENSOR_CONSTANT, bytes, padded.data());
  }

  void AddInputs() {
    for (const BindingRequirement& input : compiled_.inputs) {
      inputs_.push_back(AddTensor(RESIDUE_TENSOR_INPUT, input.bytes));
    }
  }

  // In the graph output it goes to (the first, if several), else in a tensor of the graph's own; constants
  // always in their own, and so is a result of which somebody reads the padding: a graph defines that.
  void AddResults() {
    for (size_t i = 0; i < edges_.outputs.size(); ++i) {
      outputs_.push_back(AddTensor(RESIDUE_TENSOR_OUTPUT, compiled_.outputs[i].bytes));
    }
    for (size_t i = edges_.outputs.size(); i-- > 0;) results_[edges_.outputs[i]] = outputs_[i];
    for (const uint32_t n : edges_.order) KeepPaddedSources(n);
    for (uint32_t n = 0; n < nodes_.size(); ++n) {
      if (nodes_[n].op == nullptr) {
        results_[n] = AddConstant(nodes_[n].constant);
      } else if (results_[n] == kNoTensor) {
        results_[n] = AddTensor(RESIDUE_TENSOR_TEMPORARY, nodes_[n].op->output().total_bytes);
      }
    }
  }

  void KeepPaddedSources(uint32_t n) {
    if (nodes_[n].op == nullptr) return;
    for (uint32_t k = 0; k < nodes_[n].op->schema->input_count; ++k) {
      const InputSource& source = edges_.sources[n][k];
      if (source.kind != InputSource::kNode || nodes_[source.index].op == nullptr) continue;
      const Shape result = ShapeOf(nodes_[source.index].op->output());
      if (!Covers(result.region(), ShapeOf(nodes_[n].op->input(k)).region())) {
        results_[source.index] = kNoTensor;
      }
    }
  }

  void AddOperator(uint32_t n) {
    const OperatorRequest& request = *nodes_[n].op;
    const uint32_t inputs = request.schema->input_count;
    std::array<uint32_t, kMostTensors> tensors;
    for (uint32_t k = 0; k < inputs; ++k) {
      const InputSource& source = edges_.sources[n][k];
      tensors[k] = source.kind == InputSource::kNode         ? results_[source.index]
                   : source.kind == InputSource::kGraphInput ? inputs_[source.index]
                                                             : kNoTensor;
    }
    tensors[inputs] = results_[n];
    lowered_ = &request;
    LowerOperator(request, std::span(tensors).first(inputs + 1), *this);
  }

  uint32_t AddTemporary(uint64_t bytes) override { return AddTensor(RESIDUE_TENSOR_TEMPORARY, bytes); }
  uint32_t AddElement(uint64_t bits, uint32_t bytes) override {
    std::vector<std::byte>& element = padded_constants_.emplace_back(bytes);
    std::memcpy(element.data(), &bits, bytes);
    return AddTensor(RESIDUE_TENSOR_CONSTANT, bytes, element.data());
  }
  uint32_t AddIndex() override {
    if (index_ == kNoTensor) index_ = AddTensor(RESIDUE_TENSOR_INDEX, 0);
    return index_;
  }
  void AddNode(residue_operator op, std::span<const LoweredValue> operands, const void* params,
               uint32_t params_size) override {
    BuiltNode& node = built_.emplace_back();
    for (size_t k = 0; k < operands.size(); ++k) {
      node.operands[k] = operands[k].operand;
      node.tensors[k] = operands[k].tensor;
    }
    if (params_size != 0) std::memcpy(node.params.bytes, params, params_size);
    const TensorDesc& output = lowered_->output();
    node.problem.size = sizeof(node.problem);
    node.problem.op = op;
    node.problem.rank = output.rank;
    node.problem.operand_count = static_cast<uint32_t>(operands.size());
    std::copy_n(output.sizes.begin(), output.rank, node.problem.sizes);
    node.problem.params_size = params_size;
  }

  // For results that are wanted in several outputs, or that a temporary keeps; for constants that are
  // outputs.
  void AddCopies() {
    for (size_t i = 0; i < edges_.outputs.size(); ++i) {
      const GraphNode& source = nodes_[edges_.outputs[i]];
      const uint32_t result = results_[edges_.outputs[i]];
      if (result == outputs_[i]) continue;
      const Shape bytes = {.sizes = {compiled_.outputs[i].bytes}};  // a constant's
      AddCopy(source.op != nullptr ? ShapeOf(source.op->output()) : bytes, result, outputs_[i]);
    }
  }

  void AddCopy(const Shape& copied, uint32_t from, uint32_t to) {
    BuiltNode& node = built_.emplace_back();
    for (residue_operand* operand : {&node.operands[0], &node.operands[1]}) {
      operand->type = static_cast<residue_type>(copied.type);
      std::ranges::copy(copied.strides, operand->strides);
    }
    node.tensors[0] = from;
    node.tensors[1] = to;
    residue_problem& problem = node.problem;
    problem.size = sizeof(problem);
    problem.op = RESIDUE_IDENTITY;
    problem.rank = copied.rank;
    std::ranges::copy(copied.sizes, problem.sizes);
    problem.operand_count = 2;
  }

  const GraphEdges& edges_;
  const std::span<const GraphNode> nodes_;
  const Compiled& compiled_;
  std::vector<TensorDescription> tensors_;
  std::vector<BuiltNode> built_;
  const OperatorRequest* lowered_ = nullptr;  // whose nodes are added
  uint32_t index_ = kNoTensor;
  std::vector<std::vector<std::byte>> padded_constants_;
  std::vector<uint32_t> inputs_;  // in tensors_
  std::vector<uint32_t> outputs_;
  std::vector<uint32_t> results_;  // by node
};

}  // namespace

Refusal BuildGraph(const GraphEdges& edges, std::span<const GraphNode> nodes, IBackend& backend,
                   Compiled* compiled) {
  if (Refusal refusal = Builder(edges, nodes, *compiled).Compile(backend, &compiled->program); !refusal.ok())
    return refusal;
  compiled->temporary_bytes = compiled->program->TemporaryBytes();
  return {};
}

}  // namespace residue
