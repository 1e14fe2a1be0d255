// Operator graphs: a DML_GRAPH_DESC whose nodes are resolved already, checked and compiled.
#pragma once

#include <DirectML.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "backend/backend.h"
#include "com/com_object.h"
#include "directml/operator_desc.h"
#include "directml/refusal.h"

namespace residue {

// An operator, or (op is null) constant data that lives until the call returns.
struct GraphNode {
  const OperatorRequest* op = nullptr;
  std::span<const std::byte> constant{};
};

// A constant's bytes as tensors count them, in whole words; the padding is zero.
constexpr uint64_t PaddedBytes(std::span<const std::byte> constant) noexcept {
  return (constant.size() + 3) / 4 * 4;
}

// What a binding of an input or output must satisfy.
struct BindingRequirement {
  uint64_t bytes = 0;
  uint64_t element_bytes = 0;  // the same without what rounding the size up to 4 has added
  uint64_t alignment = 1;
  bool absent = false;             // inputs: optional, and not bound at all
  bool owned_by_dml = false;       // inputs: bound to the initializer, not at execution
  uint64_t persistent_offset = 0;  // where the initializer puts an owned input
  bool other_strides = false;      // inputs: some reader's elements do not lie as those of the output
};

// All that binding and running need to know. The program's inputs and outputs are those of the requirements.
struct Compiled {
  Ref<IDeviceProgram> program;
  std::vector<BindingRequirement> inputs;
  std::vector<BindingRequirement> outputs;
  uint64_t temporary_bytes = 0;
  uint64_t persistent_bytes = 0;
  uint32_t in_place = 0;  // bit i: input i may be bound where the output is
};

// These allocate, and may throw std::bad_alloc.
Refusal CompileGraph(const DML_GRAPH_DESC& desc, std::span<const GraphNode> nodes, IBackend& backend,
                     Compiled* compiled);
Refusal CompileSingle(const OperatorRequest& request, IBackend& backend, Compiled* compiled);

}  // namespace residue
