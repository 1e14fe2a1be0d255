#include "schema/graph.h"

#include <algorithm>
#include <cinttypes>

#include "plan/layout.h"
#include "schema/graph_edges.h"

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
      requirement.bytes = std::max(requirement.bytes, tensor.total_bytes);
      requirement.alignment = std::max(requirement.alignment, tensor.offset_alignment);
      requirement.owned_by_dml = tensor.owned_by_dml;
    }
  }
  for (size_t i = 0; i < edges.outputs.size(); ++i) {
    const GraphNode& node = nodes[edges.outputs[i]];
    compiled->outputs[i].bytes =
        node.op != nullptr ? node.op->output().total_bytes : PaddedBytes(node.constant);
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

// Where each node's result lies: in the graph output it goes to (the first, if several), else in temporary
// memory; constants in the program's own.
std::vector<Place> PlaceResults(const GraphEdges& edges, std::span<const GraphNode> nodes, Program* program) {
  std::vector<Place> places(nodes.size());
  for (size_t n = 0; n < nodes.size(); ++n) {
    if (nodes[n].op == nullptr) {
      const uint64_t offset = AlignUp(program->constants.size());
      program->constants.resize(offset + PaddedBytes(nodes[n].constant));
      std::copy(nodes[n].constant.begin(), nodes[n].constant.end(),
                program->constants.begin() + static_cast<ptrdiff_t>(offset));
      places[n] = {.space = Space::kConstant, .offset = offset};
      continue;
    }
    const auto output = std::find(edges.outputs.begin(), edges.outputs.end(), n);
    if (output != edges.outputs.end()) {
      places[n] = {Space::kOutput, static_cast<uint32_t>(output - edges.outputs.begin()), 0};
    } else {
      const uint64_t offset = AlignUp(program->temporary_bytes);
      places[n] = {.space = Space::kTemporary, .offset = offset};
      program->temporary_bytes = offset + nodes[n].op->output().total_bytes;
    }
  }
  return places;
}

Place PlaceOfInput(const InputSource& source, const Compiled& compiled,
                   std::span<const Place> results) noexcept {
  if (source.kind == InputSource::kNode) return results[source.index];
  const BindingRequirement& input = compiled.inputs[source.index];
  if (input.owned_by_dml) return {Space::kPersistent, 0, input.persistent_offset};
  return {Space::kInput, source.index, 0};
}

void MakeSteps(const GraphEdges& edges, std::span<const GraphNode> nodes, Compiled* compiled) {
  Program& program = compiled->program;
  const std::vector<Place> results = PlaceResults(edges, nodes, &program);
  for (const uint32_t n : edges.order) {
    if (nodes[n].op == nullptr) continue;
    Step step{};
    // The operator was laid out when it was made: this cannot fail.
    (void)MakePlan(ToPlanRequest(*nodes[n].op), BestTarget(), &step.plan);
    for (uint32_t i = 0; i < nodes[n].op->schema->input_count; ++i) {
      step.places[i] = PlaceOfInput(edges.sources[n][i], *compiled, results);
    }
    if (nodes[n].op->schema->input_count == 1) step.places[kOperandB] = step.places[kOperandA];
    step.places[kOperandOut] = results[n];
    program.steps.push_back(step);
  }
  for (uint32_t i = 0; i < edges.outputs.size(); ++i) {
    const Place& result = results[edges.outputs[i]];
    if (result.space == Space::kOutput && result.index == i) continue;
    program.copies.push_back({result, {Space::kOutput, i, 0}, compiled->outputs[i].bytes});
  }
}

}  // namespace

Refusal CompileGraph(const DML_GRAPH_DESC& desc, std::span<const GraphNode> nodes, Compiled* compiled) {
  if (Refusal refusal = CheckConstants(nodes); !refusal.ok()) return refusal;
  GraphEdges edges;
  if (Refusal refusal = ReadGraphEdges(desc, nodes, &edges); !refusal.ok()) return refusal;
  compiled->inputs.resize(desc.InputCount);
  compiled->outputs.resize(desc.OutputCount);
  CollectRequirements(edges, nodes, compiled);
  LayOutPersistent(compiled);
  MakeSteps(edges, nodes, compiled);
  // Of several steps, one may write an output before another reads an input for the last time.
  if (compiled->program.steps.size() == 1 && compiled->program.copies.empty()) {
    const auto only =
        std::find_if(nodes.begin(), nodes.end(), [](const GraphNode& node) { return node.op != nullptr; });
    compiled->in_place = only->op->schema->in_place;
  }
  return {};
}

// A graph of one node, each of whose tensors is a binding.
Compiled CompileSingle(const OperatorRequest& request) {
  const GraphNode node{&request, {}};
  const uint32_t inputs = request.schema->input_count;
  GraphEdges edges;
  edges.sources.resize(1);
  for (uint32_t i = 0; i < inputs; ++i) edges.sources[0][i] = {InputSource::kGraphInput, i};
  edges.outputs = {0};
  edges.order = {0};
  Compiled compiled;
  compiled.inputs.resize(inputs);
  compiled.outputs.resize(1);
  CollectRequirements(edges, {&node, 1}, &compiled);
  LayOutPersistent(&compiled);
  compiled.in_place = request.schema->in_place;
  (void)MakeSteps(edges, {&node, 1}, &compiled);  // cannot fail: the layout was checked with the description
  return compiled;
}

}  // namespace residue
