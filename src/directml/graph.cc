#include "directml/graph.h"

#include <algorithm>
#include <cinttypes>

#include "directml/graph_builder.h"
#include "directml/graph_edges.h"
#include "layout/layout.h"

namespace residue {
namespace {

constexpr uint64_t kAreaAlignment = DML_TEMPORARY_BUFFER_ALIGNMENT;
static_assert(DML_TEMPORARY_BUFFER_ALIGNMENT == DML_PERSISTENT_BUFFER_ALIGNMENT);

constexpr uint64_t AlignUp(uint64_t value) noexcept {
  return (value + kAreaAlignment - 1) / kAreaAlignment * kAreaAlignment;
}

// No tensor has more bytes; and sums of what is allowed do not wrap.
Refusal CheckConstants(std::span<const GraphNode> nodes) noexcept {
  for (size_t n = 0; n < nodes.size(); ++n) {
    if (nodes[n].constant.size() > uint64_t{kMaxExtent}) {
      return Refuse(RefusalCode::kInvalidArgument,
                    "the DataSize of node %zu is %zu, but must be at most %" PRId64, n,
                    nodes[n].constant.size(), kMaxExtent);
    }
  }
  return {};
}

// Requirements of the graph's inputs and outputs, from the nodes they are connected to.
void CollectRequirements(const GraphEdges& edges, std::span<const GraphNode> nodes, Compiled* compiled) {
  for (size_t n = 0; n < nodes.size(); ++n) {
    if (nodes[n].op == nullptr) continue;
    for (uint32_t i = 0; i < nodes[n].op->schema->input_count; ++i) {
      const InputSource& source = edges.sources[n][i];
      if (source.kind != InputSource::kGraphInput) continue;
      BindingRequirement& requirement = compiled->inputs[source.index];
      const TensorDesc& tensor = nodes[n].op->input(i);
      requirement.absent = !tensor.is_present();
      if (requirement.absent) continue;
      requirement.bytes = std::max(requirement.bytes, tensor.total_bytes);
      requirement.element_bytes = std::max(requirement.element_bytes, ElementBytes(tensor));
      requirement.alignment = std::max(requirement.alignment, tensor.offset_alignment);
      requirement.owned_by_dml = tensor.owned_by_dml;
      requirement.other_strides |= ByteStrides(tensor) != ByteStrides(nodes[n].op->output());
    }
  }
  for (size_t i = 0; i < edges.outputs.size(); ++i) {
    const GraphNode& node = nodes[edges.outputs[i]];
    compiled->outputs[i].bytes =
        node.op != nullptr ? node.op->output().total_bytes : PaddedBytes(node.constant);
    compiled->outputs[i].element_bytes =
        node.op != nullptr ? ElementBytes(node.op->output()) : compiled->outputs[i].bytes;
    compiled->outputs[i].alignment =
        node.op != nullptr ? node.op->output().offset_alignment : DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT;
  }
}

// Owned inputs move to the persistent resource, one after the other. The size asked for ends where the last
// ends.
void LayOutPersistent(Compiled* compiled) noexcept {
  for (BindingRequirement& input : compiled->inputs) {
    if (!input.owned_by_dml) continue;
    input.persistent_offset = AlignUp(compiled->persistent_bytes);
    compiled->persistent_bytes = input.persistent_offset + input.bytes;
  }
}

// The graph inputs that the only operator reads and may overwrite. It reads all of them, so they are few.
uint32_t InPlaceInputs(const GraphEdges& edges, std::span<const GraphNode> nodes,
                       const GraphNode& only) noexcept {
  const auto& sources = edges.sources[static_cast<size_t>(&only - nodes.data())];
  uint32_t allowed = 0;
  uint32_t refused = 0;
  for (uint32_t i = 0; i < only.op->schema->input_count; ++i) {
    if (sources[i].kind != InputSource::kGraphInput) continue;
    ((only.op->schema->in_place >> i & 1) != 0 ? allowed : refused) |= 1u << sources[i].index;
  }
  return allowed & ~refused;
}

}  // namespace

Refusal CompileGraph(const DML_GRAPH_DESC& desc, std::span<const GraphNode> nodes, IBackend& backend,
                     Compiled* compiled) {
  if (Refusal refusal = CheckConstants(nodes); !refusal.ok()) return refusal;
  GraphEdges edges;
  if (Refusal refusal = ReadGraphEdges(desc, nodes, &edges); !refusal.ok()) return refusal;
  compiled->inputs.resize(desc.InputCount);
  compiled->outputs.resize(desc.OutputCount);
  CollectRequirements(edges, nodes, compiled);
  LayOutPersistent(compiled);
  // Of several operators, one may write an output before another reads an input for the last time. An only
  // operator writes the only output: what nobody reads was refused.
  const auto is_operator = [](const GraphNode& node) { return node.op != nullptr; };
  if (std::count_if(nodes.begin(), nodes.end(), is_operator) == 1 && edges.outputs.size() == 1) {
    const GraphNode& only = *std::find_if(nodes.begin(), nodes.end(), is_operator);
    compiled->in_place = InPlaceInputs(edges, nodes, only);
  }
  return BuildGraph(edges, nodes, backend, compiled);
}

// A graph of one node, each of whose tensors is a binding.
Refusal CompileSingle(const OperatorRequest& request, IBackend& backend, Compiled* compiled) {
  const GraphNode node{&request, {}};
  const uint32_t inputs = request.schema->input_count;
  GraphEdges edges;
  edges.sources.resize(1);
  for (uint32_t i = 0; i < inputs; ++i) edges.sources[0][i] = {InputSource::kGraphInput, i};
  edges.outputs = {0};
  edges.order = {0};
  compiled->inputs.resize(inputs);
  compiled->outputs.resize(1);
  CollectRequirements(edges, {&node, 1}, compiled);
  LayOutPersistent(compiled);
  compiled->in_place = request.schema->in_place;
  return BuildGraph(edges, {&node, 1}, backend, compiled);
}

}  // namespace residue
