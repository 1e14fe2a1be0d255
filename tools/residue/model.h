// A DxDispatch model as plain values: buffers, operators on them, and what to do in which order.
#pragma once

#include <DirectML.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/data_type.h"
#include "directml/operator_schema.h"

namespace residue::tool {

struct Resource {
  std::string name;
  std::optional<DataType> type;  // nothing for a list of mixed types
  std::vector<std::byte> initial_values;
  uint64_t initial_offset = 0;
  uint64_t bytes = 0;        // of the buffer
  uint64_t value_bytes = 0;  // of it that are printed and written: as many as there were initial values
};

// An optional tensor that is absent has no sizes.
struct TensorSpec {
  DataType type{};
  std::vector<UINT> sizes;
  std::vector<UINT> strides;  // empty: packed
  DML_TENSOR_FLAGS flags = DML_TENSOR_FLAG_NONE;
  uint64_t total_bytes = 0;
  uint32_t alignment = 0;
};

// A part of a resource.
struct BindingSource {
  std::string resource;
  uint64_t element_bytes = 0;  // 0: the resource's own
  uint64_t element_offset = 0;
};
using Bindings = std::map<std::string, BindingSource>;  // by the tensor's field, e.g. "ATensor"

struct Dispatchable {
  std::string name;
  const OperatorSchema* schema = nullptr;
  std::vector<TensorSpec> tensors;  // the inputs, then the output
  std::optional<DML_SCALE_BIAS> scale_bias;
  std::vector<uint64_t> attributes;                // the bits of each, in the order of the description
  std::shared_ptr<const Dispatchable> activation;  // of the result; it has no tensors
  DML_EXECUTION_FLAGS flags = DML_EXECUTION_FLAG_NONE;
  bool as_graph = false;
  Bindings initial_bindings;  // of inputs that DirectML owns

  // "ATensor"
  std::string BindPoint(uint32_t tensor) const { return std::string(schema->Tensor(tensor).name) + "Tensor"; }
};

struct DispatchCommand {
  size_t dispatchable;
  Bindings bindings;
};
struct PrintCommand {
  size_t resource;
  bool verbose;
};
struct WriteFileCommand {
  size_t resource;
  std::string path;
  std::vector<uint32_t> dimensions;
};

struct Command {
  std::variant<DispatchCommand, PrintCommand, WriteFileCommand> action;
  std::string text;  // as the model has it, on one line
};

struct Model {
  std::vector<Resource> resources;
  std::vector<Dispatchable> dispatchables;
  std::vector<Command> commands;

  const Resource* FindResource(std::string_view name) const;
};

// A DML_OPERATOR_DESC that owns what it points to.
class OperatorDesc {
 public:
  explicit OperatorDesc(const Dispatchable& dispatchable);
  OperatorDesc(const OperatorDesc&) = delete;
  OperatorDesc& operator=(const OperatorDesc&) = delete;
  const DML_OPERATOR_DESC* get() const { return &desc_; }

 private:
  DML_BUFFER_TENSOR_DESC buffers_[kMostTensors];
  DML_TENSOR_DESC tensors_[kMostTensors];
  DML_SCALE_BIAS scale_bias_;
  std::unique_ptr<OperatorDesc> activation_;
  alignas(8) std::byte fields_[128];
  DML_OPERATOR_DESC desc_;
};

// A tensor's DML_BUFFER_TENSOR_DESC, which points into it.
DML_BUFFER_TENSOR_DESC Describe(const TensorSpec& tensor);

}  // namespace residue::tool
