#include "bound_program.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "core/checked_math.h"
#include "core/data_type.h"

namespace residue::ort {
namespace {

// Memory has fewer bytes than the largest number of them.
bool IsTooLarge(const Shape& shape) {
  int64_t count = 8;  // bytes of the largest element
  for (const int64_t size : shape) {
    if (size == 0) return false;
    if (!CheckedMultiply(count, size, &count)) count = std::numeric_limits<int64_t>::max();
  }
  return count == std::numeric_limits<int64_t>::max();
}

size_t ElementBytes(residue_type type) { return SizeOf(static_cast<DataType>(type)); }

// What these depend on, each after what it depends on: the first input of a step last, right before the
// step, because what goes on from there stays in registers.
std::vector<ValueId> FindOrder(const Program& program, std::span<const ValueId> results) {
  struct Visit {
    ValueId value;
    bool ready;
  };
  std::vector<ValueId> order;
  std::vector<bool> done(program.values().size());
  std::vector<Visit> waiting;
  for (auto result = results.rbegin(); result != results.rend(); ++result)
    waiting.push_back({*result, false});
  while (!waiting.empty()) {
    const Visit visit = waiting.back();
    waiting.pop_back();
    if (done[visit.value]) continue;
    const Program::Value& value = program.values()[visit.value];
    if (visit.ready || value.inputs.empty()) {
      done[visit.value] = true;
      order.push_back(visit.value);
      continue;
    }
    waiting.push_back({visit.value, true});
    for (const ValueId input : value.inputs) waiting.push_back({input, false});
  }
  return order;
}

}  // namespace

// Makes the graph of a program for some shapes.
class Binder {
 public:
  Binder(const Program& program, std::span<const Shape> inputs, BoundProgram* bound)
      : program_(program), inputs_(inputs), bound_(bound) {}

  // What is wrong, or nothing.
  std::string Bind() {
    if (std::string error = FindShapes(); !error.empty()) return error;
    for (const ValueId output : program_.outputs()) {
      bound_->output_shapes_.push_back(shapes_[output]);
      // What has no elements is not computed; nothing that has some depends on it.
      bound_->is_computed_.push_back(CountElements(shapes_[output]) != 0);
      if (bound_->is_computed_.back()) outputs_.push_back(output);
    }
    if (outputs_.empty()) return "";
    order_ = FindOrder(program_, outputs_);
    FindInputs();
    JoinSizes();
    TakeOuterLoops();
    // What is computed once for many elements comes first, so that it does not come between them.
    std::ranges::stable_sort(order_, [&](ValueId a, ValueId b) {
      return std::pair(sizes_[a].size(), CountElements(sizes_[a])) <
             std::pair(sizes_[b].size(), CountElements(sizes_[b]));
    });
    const residue_status status = Build();
    if (status == RESIDUE_OK) return "";
    char text[512] = "";
    if (bound_->graph_ != nullptr) residue_graph_describe(graph(), text, sizeof(text));
    return std::string(residue_status_text(status)) + ": " + text;
  }

 private:
  residue_graph* graph() const { return bound_->graph_.get(); }

  std::string FindShapes() {
    shapes_.resize(program_.values().size());
    for (ValueId v = 0; v < shapes_.size(); ++v) {
      const Program::Value& value = program_.values()[v];
      if (value.kind == Program::Value::Kind::kInput) shapes_[v] = inputs_[value.input];
      if (value.kind == Program::Value::Kind::kScalar) {
        if (CountElements(shapes_[value.inputs[0]]) != 1)
          return "a tensor of shape " + ToText(shapes_[value.inputs[0]]) +
                 " is where one element is expected";
        continue;
      }
      for (const ValueId input : value.inputs) {
        std::optional<Shape> both = Broadcast(shapes_[v], shapes_[input]);
        if (!both) {
          return "shapes " + ToText(shapes_[v]) + " and " + ToText(shapes_[input]) +
                 " do not broadcast: sizes must be equal or 1";
        }
        shapes_[v] = std::move(*both);
      }
      if (IsTooLarge(shapes_[v])) return "shape " + ToText(shapes_[v]) + " has more elements than memory";
    }
    return "";
  }

  // Those that something computed depends on. The memory of others may be missing.
  void FindInputs() {
    bound_->is_read_.resize(program_.input_count());
    for (const ValueId v : order_) {
      const Program::Value& value = program_.values()[v];
      if (value.kind == Program::Value::Kind::kInput) bound_->is_read_[value.input] = true;
    }
  }
  bool IsInput(ValueId v) const {
    const Program::Value& value = program_.values()[v];
    return value.kind == Program::Value::Kind::kInput && bound_->is_read_[value.input];
  }

  // The dimensions of what is computed, as few as will do.
  void JoinSizes() {
    std::vector<Shape> joined;
    for (const ValueId v : order_) joined.push_back(shapes_[v]);
    JoinDimensions(joined);
    sizes_.resize(shapes_.size());
    for (size_t i = 0; i < order_.size(); ++i) sizes_[order_[i]] = std::move(joined[i]);
  }

  // What is left of the dimensions is what the graph can have.
  void TakeOuterLoops() {
    size_t rank = 0;
    for (const Shape& size : sizes_) rank = std::max(rank, size.size());
    for (; rank > RESIDUE_MAX_RANK; --rank) {
      BoundProgram::OuterLoop loop = {1, {}, {}};
      const auto add = [&](ValueId v) {
        const Shape& size = sizes_[v];
        const int64_t own = size.size() == rank ? size.front() : 1;
        const auto bytes = static_cast<int64_t>(CountElements(size) * ElementBytes(program_.type(v)));
        loop.steps.push_back(bytes / own);
        loop.sizes.push_back(own);
        loop.size = std::max(loop.size, own);
      };
      for (ValueId v = 0; v < sizes_.size(); ++v) {
        if (IsInput(v)) add(v);
      }
      for (const ValueId v : outputs_) add(v);
      for (Shape& size : sizes_) {
        if (size.size() == rank) size.erase(size.begin());
      }
      bound_->outer_.insert(bound_->outer_.begin(), std::move(loop));
    }
  }

  residue_status AddTensor(residue_tensor_kind kind, ValueId v, const void* data = nullptr) {
    const uint64_t bytes = CountElements(sizes_[v]) * ElementBytes(program_.type(v));
    return residue_graph_add_tensor(graph(), kind, bytes, data, &tensors_[v]);
  }

  // Inputs are numbered by the program, in the order of its values.
  residue_status AddTensors() {
    tensors_.assign(shapes_.size(), 0);
    for (ValueId v = 0; v < shapes_.size(); ++v) {
      const Program::Value& value = program_.values()[v];
      residue_status status = RESIDUE_OK;
      if (IsInput(v)) {
        status = AddTensor(RESIDUE_TENSOR_INPUT, v);
      } else if (value.kind == Program::Value::Kind::kConstant) {
        status = AddTensor(RESIDUE_TENSOR_CONSTANT, v, &value.bits);
      }
      if (status != RESIDUE_OK) return status;
    }
    return RESIDUE_OK;
  }

  residue_operand OperandOf(ValueId v, const Shape& sizes) const {
    residue_operand operand = {};
    operand.type = program_.type(v);
    const Shape& own = sizes_[v];
    auto step = static_cast<int64_t>(ElementBytes(operand.type));
    for (size_t i = 1; i <= own.size(); ++i) {
      const int64_t size = own[own.size() - i];
      operand.strides[sizes.size() - i] = size == 1 ? 0 : step;
      step *= size;
    }
    return operand;
  }

  residue_status AddNode(const Program::Value& step, ValueId out) {
    const Shape& sizes = sizes_[out];
    std::vector<residue_operand> operands;
    std::vector<uint32_t> tensors;
    for (const ValueId input : step.inputs) {
      operands.push_back(OperandOf(input, sizes));
      tensors.push_back(tensors_[input]);
    }
    operands.push_back(OperandOf(out, sizes));
    tensors.push_back(tensors_[out]);
    residue_problem problem = {};
    problem.size = sizeof(problem);
    problem.op = step.op;
    problem.rank = static_cast<uint32_t>(sizes.size());
    problem.operand_count = static_cast<uint32_t>(operands.size());
    problem.operands = operands.data();
    for (size_t i = 0; i < sizes.size(); ++i) problem.sizes[i] = static_cast<uint64_t>(sizes[i]);
    if (step.params_bytes != 0) {
      problem.params = step.params.bytes;
      problem.params_size = step.params_bytes;
    }
    return residue_graph_add_node(graph(), &problem, tensors.data(), nullptr);
  }

  residue_status AddOutputs() {
    written_.resize(shapes_.size());
    for (const ValueId v : outputs_) {
      if (const residue_status status = AddTensor(RESIDUE_TENSOR_OUTPUT, v)) return status;
      written_[v] = true;
    }
    return RESIDUE_OK;
  }

  residue_status Build() {
    residue_graph* made = nullptr;
    if (const residue_status status = residue_graph_create(&made)) return status;
    bound_->graph_.reset(made);
    if (const residue_status status = AddTensors()) return status;
    if (const residue_status status = AddOutputs()) return status;
    for (const ValueId v : order_) {
      const Program::Value& value = program_.values()[v];
      if (value.kind == Program::Value::Kind::kScalar) tensors_[v] = tensors_[value.inputs[0]];
      if (value.kind != Program::Value::Kind::kStep) continue;
      if (!written_[v]) {
        if (const residue_status status = AddTensor(RESIDUE_TENSOR_TEMPORARY, v)) return status;
      }
      if (const residue_status status = AddNode(value, v)) return status;
    }
    return residue_graph_compile(graph());
  }

  const Program& program_;
  const std::span<const Shape> inputs_;
  BoundProgram* bound_;
  std::vector<ValueId> outputs_;  // that have elements
  std::vector<ValueId> order_;
  std::vector<Shape> shapes_;  // as the model has them
  std::vector<Shape> sizes_;   // as the graph has them
  std::vector<uint32_t> tensors_;
  std::vector<bool> written_;  // into an output
};

BoundProgram::BoundProgram(const Program& program, std::span<const Shape> inputs, std::string* error) {
  *error = Binder(program, inputs, this).Bind();
}

residue_status BoundProgram::Run(std::span<const InputTensor> inputs, std::span<void* const> outputs,
                                 const residue_options* options) const {
  std::vector<const void*> from;
  std::vector<void*> to;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (is_read_[i]) from.push_back(inputs[i].data);
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (is_computed_[i]) to.push_back(outputs[i]);
  }
  if (outer_.empty()) return residue_graph_run(graph_.get(), from.data(), to.data(), nullptr, options);
  const std::vector<const void*> first_from = from;
  const std::vector<void*> first_to = to;
  std::vector<int64_t> turn(outer_.size());
  for (;;) {
    const auto offset = [&](size_t tensor) {
      int64_t bytes = 0;
      for (size_t i = 0; i < outer_.size(); ++i)
        bytes += std::min(turn[i], outer_[i].sizes[tensor] - 1) * outer_[i].steps[tensor];
      return bytes;
    };
    for (size_t i = 0; i < from.size(); ++i) from[i] = static_cast<const char*>(first_from[i]) + offset(i);
    for (size_t i = 0; i < to.size(); ++i) to[i] = static_cast<char*>(first_to[i]) + offset(from.size() + i);
    if (const residue_status status =
            residue_graph_run(graph_.get(), from.data(), to.data(), nullptr, options)) {
      return status;
    }
    size_t next = 0;
    while (next < turn.size() && ++turn[next] == outer_[next].size) turn[next++] = 0;
    if (next == turn.size()) return RESIDUE_OK;
  }
}

}  // namespace residue::ort
