#include "cpu/backend/cpu_program.h"

#include <algorithm>
#include <span>

namespace residue {
namespace {

residue_status Build(const GraphDescription& description, residue_graph* graph) noexcept {
  for (const TensorDescription& tensor : std::span(description.tensors, description.tensor_count)) {
    uint32_t number = 0;
    const residue_status status =
        residue_graph_add_tensor(graph, tensor.kind, tensor.bytes, tensor.data, &number);
    if (status != RESIDUE_OK) return status;
  }
  for (const NodeDescription& node : std::span(description.nodes, description.node_count)) {
    const residue_status status = residue_graph_add_node(graph, &node.problem, node.tensors, nullptr);
    if (status != RESIDUE_OK) return status;
  }
  return residue_graph_compile(graph);
}

size_t CountTensors(const GraphDescription& description, residue_tensor_kind kind) noexcept {
  const std::span tensors(description.tensors, description.tensor_count);
  return static_cast<size_t>(std::ranges::count(tensors, kind, &TensorDescription::kind));
}

}  // namespace

residue_status CpuProgram::Compile(const GraphDescription& description, Ref<CpuProgram>* program, char* text,
                                   size_t size) noexcept {
  residue_graph* made = nullptr;
  if (const residue_status status = residue_graph_create(&made); status != RESIDUE_OK) return status;
  GraphHandle graph(made);
  if (const residue_status status = Build(description, graph.get()); status != RESIDUE_OK) {
    residue_graph_describe(graph.get(), text, size);
    return status;
  }
  *program = TryMake<CpuProgram>(std::move(graph), CountTensors(description, RESIDUE_TENSOR_INPUT),
                                 CountTensors(description, RESIDUE_TENSOR_OUTPUT));
  return *program ? RESIDUE_OK : RESIDUE_OUT_OF_MEMORY;
}

}  // namespace residue
