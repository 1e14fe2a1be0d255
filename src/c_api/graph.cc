// The C interface of graphs: built node by node, compiled once, run many times.
#include <algorithm>
#include <climits>
#include <memory>
#include <new>

#include "c_api/options.h"
#include "c_api/problem.h"
#include "cpu/engine/executable.h"
#include "cpu/engine/partition.h"
#include "residue/residue.h"

struct residue_graph {
  residue::Graph graph;                             // while it is built
  std::unique_ptr<residue::Executable> executable;  // once it is compiled
  residue::Target target = residue::BestTarget();
  residue::Status last;  // of the last call that builds
};

namespace residue {
namespace {

// Every call that builds: refused after compiling; the only exception is one of memory.
template <class Build>
residue_status Building(residue_graph* graph, const Build& build) noexcept {
  if (graph == nullptr) return RESIDUE_NULL_POINTER;
  try {
    graph->last = graph->executable != nullptr ? Status{StatusCode::kNotCompiled} : build();
  } catch (const std::bad_alloc&) {
    graph->last = {StatusCode::kOutOfMemory};
  }
  return ToC(graph->last);
}

Status ReadNode(const residue_problem* problem, const uint32_t* tensors, const uint64_t* offsets, Node* node,
                Target* target) noexcept {
  OpRequest request;
  if (const Status status = ReadProblem(problem, &request, target); !status.ok()) return status;
  if (tensors == nullptr) return {StatusCode::kNullPointer, "tensors", -1, 0, Relation::kAtLeast, 1};
  if (problem->flags != 0) {
    return {StatusCode::kReservedNotZero, "flags", -1, problem->flags, Relation::kEqualTo, 0};
  }
  *node = {};
  node->op = request.op;
  node->rank = request.rank;
  node->sizes = request.sizes;
  node->params = request.params;
  if (OperatorName(request.op) == nullptr) return {};  // the graph refuses it
  for (uint32_t k = 0; k <= request.output(); ++k) {
    const auto type = static_cast<DataType>(problem->operands[k].type);
    node->operands[k] = {tensors[k], type, offsets == nullptr ? 0 : offsets[k], request.strides[k]};
  }
  return {};
}

Executor ChooseFor(const void* context, uint64_t element_count, size_t element_size) {
  return ChooseExecutor(static_cast<const residue_options*>(context),
                        IsWorthSharing(element_count, element_size));
}

residue_status Run(const residue_graph* graph, const RunMemory& memory,
                   const residue_options* options) noexcept {
  Exceptions* exceptions = BeginExceptions(options);
  if (graph == nullptr) return RESIDUE_NULL_POINTER;
  if (graph->executable == nullptr) return RESIDUE_NOT_COMPILED;
  const Executable& executable = *graph->executable;
  if (memory.first && !executable.HasFirst(*memory.first)) return RESIDUE_NOT_ROWS;
  if (memory.outputs == nullptr || (memory.inputs == nullptr && executable.graph().input_count() != 0)) {
    return RESIDUE_NULL_POINTER;
  }
  if (const Status status = CheckOptions(options); !status.ok()) return ToC(status);
  return ToC(executable.Run(memory, {options, &ChooseFor}, exceptions));
}

}  // namespace
}  // namespace residue

using namespace residue;  // NOLINT(google-build-using-namespace): the functions below are its C face

residue_status residue_graph_create(residue_graph** graph) noexcept {
  if (graph == nullptr) return RESIDUE_NULL_POINTER;
  *graph = new (std::nothrow) residue_graph;
  return *graph == nullptr ? RESIDUE_OUT_OF_MEMORY : RESIDUE_OK;
}

residue_status residue_graph_add_tensor(residue_graph* graph, residue_tensor_kind kind, uint64_t bytes,
                                        const void* data, uint32_t* tensor) noexcept {
  return Building(graph, [&]() -> Status {
    if (tensor == nullptr) return {StatusCode::kNullPointer, "tensor", -1, 0, Relation::kAtLeast, 1};
    if (kind < RESIDUE_TENSOR_INPUT) {
      return {StatusCode::kInvalidTensor, "kind", -1, kind, Relation::kAtLeast, RESIDUE_TENSOR_INPUT};
    }
    if (kind > RESIDUE_TENSOR_INDEX) {
      return {StatusCode::kInvalidTensor, "kind", -1, kind, Relation::kAtMost, RESIDUE_TENSOR_INDEX};
    }
    const bool constant = kind == RESIDUE_TENSOR_CONSTANT;
    if (constant && data == nullptr && bytes != 0) {
      return {StatusCode::kNullPointer, "data", -1, 0, Relation::kAtLeast, 1};
    }
    return graph->graph.AddTensor(static_cast<Place>(kind - RESIDUE_TENSOR_INPUT), bytes,
                                  static_cast<const std::byte*>(data), constant ? bytes : 0, tensor);
  });
}

residue_status residue_graph_add_node(residue_graph* graph, const residue_problem* problem,
                                      const uint32_t* tensors, const uint64_t* offsets) noexcept {
  return Building(graph, [&]() -> Status {
    Node node;
    Target target = graph->target;
    if (const Status status = ReadNode(problem, tensors, offsets, &node, &target); !status.ok())
      return status;
    if (const Status status = graph->graph.AddNode(node); !status.ok()) return status;
    graph->target = target;
    return {};
  });
}

residue_status residue_graph_compile(residue_graph* graph) noexcept {
  return Building(graph, [&]() -> Status {
    // Compiled from a copy, so that a graph that cannot be is as it was; then the copy is all there is.
    const Status status = Executable::Compile(graph->graph, graph->target, &graph->executable);
    if (status.ok()) graph->graph = {};
    return status;
  });
}

uint64_t residue_graph_temporary_size(const residue_graph* graph) noexcept {
  return graph == nullptr || graph->executable == nullptr ? 0 : graph->executable->temporary_bytes();
}

uint64_t residue_graph_temporary_size_first(const residue_graph* graph, uint64_t count) noexcept {
  if (graph == nullptr || graph->executable == nullptr || !graph->executable->HasFirst(count))
    return UINT64_MAX;
  return graph->executable->temporary_bytes(count);
}

residue_status residue_graph_run(const residue_graph* graph, const void* const* inputs, void* const* outputs,
                                 void* temporary, const residue_options* options) noexcept {
  return Run(graph, {inputs, outputs, static_cast<std::byte*>(temporary)}, options);
}

residue_status residue_graph_run_first(const residue_graph* graph, uint64_t count, const void* const* inputs,
                                       void* const* outputs, void* temporary,
                                       const residue_options* options) noexcept {
  return Run(graph, {inputs, outputs, static_cast<std::byte*>(temporary), count}, options);
}

residue_status residue_graph_describe(const residue_graph* graph, char* text, size_t size) noexcept {
  if (graph == nullptr || (text == nullptr && size != 0)) return RESIDUE_NULL_POINTER;
  size = std::min<size_t>(size, INT_MAX);  // what snprintf can be told
  if (graph->executable == nullptr) {
    FormatStatus(graph->last, text, size);
    return ToC(graph->last);
  }
  try {
    std::string all;
    for (size_t i = 0; i < graph->executable->pass_count(); ++i) {
      all += "pass " + std::to_string(i + 1) + ": " + graph->executable->DescribePass(i) + "\n";
    }
    if (size != 0) text[all.copy(text, size - 1)] = 0;
    return RESIDUE_OK;
  } catch (const std::bad_alloc&) {
    return RESIDUE_OUT_OF_MEMORY;
  }
}

void residue_graph_destroy(residue_graph* graph) noexcept { delete graph; }
