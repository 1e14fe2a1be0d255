#include "directml/graph_edges.h"

#include <cinttypes>

#include "directml/tensor_desc.h"

namespace residue {
namespace {

constexpr auto kInvalid = RefusalCode::kInvalidArgument;
constexpr uint32_t kUnconnected = UINT32_MAX;

const char* EdgeTypeName(int32_t type) noexcept {
  switch (type) {
    case DML_GRAPH_EDGE_TYPE_INVALID:
      return "DML_GRAPH_EDGE_TYPE_INVALID";
    case DML_GRAPH_EDGE_TYPE_INPUT:
      return "DML_GRAPH_EDGE_TYPE_INPUT";
    case DML_GRAPH_EDGE_TYPE_OUTPUT:
      return "DML_GRAPH_EDGE_TYPE_OUTPUT";
    case DML_GRAPH_EDGE_TYPE_INTERMEDIATE:
      return "DML_GRAPH_EDGE_TYPE_INTERMEDIATE";
    default:
      return "unknown";
  }
}

class EdgeReader {
 public:
  EdgeReader(const DML_GRAPH_DESC& desc, std::span<const GraphNode> nodes, GraphEdges* edges)
      : desc_(desc), nodes_(nodes), edges_(*edges) {
    edges_.sources.resize(nodes.size());
  }

  Refusal Read() {
    // Every input and output needs an edge; this also bounds what is allocated for them.
    if (desc_.InputCount > desc_.InputEdgeCount) {
      return Refuse(kInvalid, "InputCount is %u, but InputEdgeCount is %u: an input would be read by no node",
                    desc_.InputCount, desc_.InputEdgeCount);
    }
    if (desc_.OutputCount != desc_.OutputEdgeCount) {
      return Refuse(kInvalid,
                    "OutputCount is %u, but OutputEdgeCount is %u: every output has exactly one edge",
                    desc_.OutputCount, desc_.OutputEdgeCount);
    }
    if (Refusal refusal = CheckArrays(); !refusal.ok()) return refusal;
    edges_.outputs.assign(desc_.OutputCount, kUnconnected);
    if (Refusal refusal = ReadInputEdges(); !refusal.ok()) return refusal;
    if (Refusal refusal = ReadIntermediateEdges(); !refusal.ok()) return refusal;
    if (Refusal refusal = ReadOutputEdges(); !refusal.ok()) return refusal;
    if (Refusal refusal = CheckCompleteness(); !refusal.ok()) return refusal;
    return Sort();
  }

 private:
  Refusal CheckArrays() const noexcept {
    const struct {
      const char* name;
      uint32_t count;
      const DML_GRAPH_EDGE_DESC* array;
    } arrays[] = {{"InputEdges", desc_.InputEdgeCount, desc_.InputEdges},
                  {"OutputEdges", desc_.OutputEdgeCount, desc_.OutputEdges},
                  {"IntermediateEdges", desc_.IntermediateEdgeCount, desc_.IntermediateEdges}};
    for (const auto& [name, count, array] : arrays) {
      if (count != 0 && array == nullptr)
        return Refuse(kInvalid, "%s is null, but its count is %u", name, count);
    }
    return {};
  }

  // An edge array holds edges of its own kind only. A copy: what is checked must be what is used.
  template <class Edge>
  static Refusal ReadEdge(const DML_GRAPH_EDGE_DESC* array, const char* array_name, uint32_t i,
                          DML_GRAPH_EDGE_TYPE wanted, Edge* edge) noexcept {
    const DML_GRAPH_EDGE_DESC desc = array[i];
    const int32_t type = NumberOf(desc.Type);
    if (type != wanted) {
      return Refuse(kInvalid, "the Type of %s[%u] is %s, but must be %s", array_name, i, EdgeTypeName(type),
                    EdgeTypeName(wanted));
    }
    if (desc.Desc == nullptr) return Refuse(kInvalid, "the Desc of %s[%u] is null", array_name, i);
    *edge = *static_cast<const Edge*>(desc.Desc);
    return {};
  }

  Refusal ReadInputEdges() {
    for (uint32_t i = 0; i < desc_.InputEdgeCount; ++i) {
      DML_INPUT_GRAPH_EDGE_DESC edge = {};
      if (Refusal refusal = ReadEdge(desc_.InputEdges, "InputEdges", i, DML_GRAPH_EDGE_TYPE_INPUT, &edge);
          !refusal.ok()) {
        return refusal;
      }
      if (edge.GraphInputIndex >= desc_.InputCount) {
        return Refuse(kInvalid, "GraphInputIndex of InputEdges[%u] is %u, but InputCount is %u", i,
                      edge.GraphInputIndex, desc_.InputCount);
      }
      if (Refusal refusal = Connect("InputEdges", i, edge.ToNodeIndex, edge.ToNodeInputIndex,
                                    {InputSource::kGraphInput, edge.GraphInputIndex});
          !refusal.ok()) {
        return refusal;
      }
    }
    return {};
  }

  Refusal ReadIntermediateEdges() {
    for (uint32_t i = 0; i < desc_.IntermediateEdgeCount; ++i) {
      DML_INTERMEDIATE_GRAPH_EDGE_DESC edge = {};
      if (Refusal refusal = ReadEdge(desc_.IntermediateEdges, "IntermediateEdges", i,
                                     DML_GRAPH_EDGE_TYPE_INTERMEDIATE, &edge);
          !refusal.ok()) {
        return refusal;
      }
      if (Refusal refusal = CheckSource("IntermediateEdges", i, edge.FromNodeIndex, edge.FromNodeOutputIndex);
          !refusal.ok()) {
        return refusal;
      }
      if (Refusal refusal = Connect("IntermediateEdges", i, edge.ToNodeIndex, edge.ToNodeInputIndex,
                                    {InputSource::kNode, edge.FromNodeIndex});
          !refusal.ok()) {
        return refusal;
      }
      const TensorDesc& reader = nodes_[edge.ToNodeIndex].op->input(edge.ToNodeInputIndex);
      if (!ResultFits(edge.FromNodeIndex, reader.total_bytes)) {
        return Refuse(kInvalid,
                      "IntermediateEdges[%u] connects %" PRIu64
                      " bytes of node %u to an input of node %u whose "
                      "TotalTensorSizeInBytes is %" PRIu64 ": they must be equal",
                      i, ResultBytes(edge.FromNodeIndex), edge.FromNodeIndex, edge.ToNodeIndex,
                      reader.total_bytes);
      }
      if (reader.owned_by_dml) {
        return Refuse(kInvalid,
                      "IntermediateEdges[%u] goes to an input with DML_TENSOR_FLAG_OWNED_BY_DML, which "
                      "must be a graph input",
                      i);
      }
    }
    return {};
  }

  Refusal ReadOutputEdges() {
    for (uint32_t i = 0; i < desc_.OutputEdgeCount; ++i) {
      DML_OUTPUT_GRAPH_EDGE_DESC edge = {};
      if (Refusal refusal = ReadEdge(desc_.OutputEdges, "OutputEdges", i, DML_GRAPH_EDGE_TYPE_OUTPUT, &edge);
          !refusal.ok()) {
        return refusal;
      }
      if (Refusal refusal = CheckSource("OutputEdges", i, edge.FromNodeIndex, edge.FromNodeOutputIndex);
          !refusal.ok()) {
        return refusal;
      }
      if (edge.GraphOutputIndex >= desc_.OutputCount) {
        return Refuse(kInvalid, "GraphOutputIndex of OutputEdges[%u] is %u, but OutputCount is %u", i,
                      edge.GraphOutputIndex, desc_.OutputCount);
      }
      if (edges_.outputs[edge.GraphOutputIndex] != kUnconnected) {
        return Refuse(kInvalid, "OutputEdges[%u] connects graph output %u, which is connected already", i,
                      edge.GraphOutputIndex);
      }
      edges_.outputs[edge.GraphOutputIndex] = edge.FromNodeIndex;
    }
    return {};
  }

  // Constants may come with or without the padding that tensors have.
  bool ResultFits(uint32_t node, uint64_t total_bytes) const noexcept {
    if (nodes_[node].op != nullptr) return nodes_[node].op->output().total_bytes == total_bytes;
    const auto constant = nodes_[node].constant;
    return constant.size() == total_bytes || PaddedBytes(constant) == total_bytes;
  }
  uint64_t ResultBytes(uint32_t node) const noexcept {
    return nodes_[node].op != nullptr ? nodes_[node].op->output().total_bytes : nodes_[node].constant.size();
  }

  // Every node of ours has one result.
  Refusal CheckSource(const char* array_name, uint32_t i, uint32_t node, uint32_t output) const noexcept {
    if (node >= nodes_.size()) {
      return Refuse(kInvalid, "FromNodeIndex of %s[%u] is %u, but NodeCount is %zu", array_name, i, node,
                    nodes_.size());
    }
    if (output != 0) {
      return Refuse(kInvalid, "FromNodeOutputIndex of %s[%u] is %u, but the node has 1 output", array_name, i,
                    output);
    }
    return {};
  }

  Refusal Connect(const char* array_name, uint32_t i, uint32_t node, uint32_t input,
                  InputSource source) noexcept {
    if (node >= nodes_.size()) {
      return Refuse(kInvalid, "ToNodeIndex of %s[%u] is %u, but NodeCount is %zu", array_name, i, node,
                    nodes_.size());
    }
    const uint32_t inputs = nodes_[node].op == nullptr ? 0 : nodes_[node].op->schema->input_count;
    if (input >= inputs) {
      return Refuse(kInvalid, "ToNodeInputIndex of %s[%u] is %u, but the node has %u inputs", array_name, i,
                    input, inputs);
    }
    if (!nodes_[node].op->input(input).is_present()) {
      return Refuse(kInvalid, "%s[%u] goes to input '%s' of node %u, which is absent", array_name, i,
                    nodes_[node].op->schema->Tensor(input).name, node);
    }
    InputSource& place = edges_.sources[node][input];
    if (place.kind != InputSource::kNothing) {
      return Refuse(kInvalid, "%s[%u] goes to input %u of node %u, which is connected already", array_name, i,
                    input, node);
    }
    place = source;
    return {};
  }

  Refusal CheckCompleteness() {
    enum : uint8_t { kUnread, kNotOwned, kOwned };
    std::vector<uint8_t> readers(desc_.InputCount, kUnread);
    std::vector<bool> used(nodes_.size());
    // As many edges as outputs, no two to the same: every output is connected.
    for (const uint32_t node : edges_.outputs) used[node] = true;
    for (uint32_t n = 0; n < nodes_.size(); ++n) {
      if (nodes_[n].op == nullptr) continue;
      for (uint32_t i = 0; i < nodes_[n].op->schema->input_count; ++i) {
        const InputSource& source = edges_.sources[n][i];
        if (!nodes_[n].op->input(i).is_present()) continue;
        if (source.kind == InputSource::kNothing) {
          return Refuse(kInvalid, "input '%s' of node %u is not connected",
                        nodes_[n].op->schema->Tensor(i).name, n);
        }
        if (source.kind == InputSource::kNode) {
          used[source.index] = true;
          continue;
        }
        const uint8_t kind = nodes_[n].op->input(i).owned_by_dml ? kOwned : kNotOwned;
        if (readers[source.index] != kUnread && readers[source.index] != kind) {
          return Refuse(kInvalid,
                        "graph input %u feeds tensors with and without DML_TENSOR_FLAG_OWNED_BY_DML: they "
                        "must agree",
                        source.index);
        }
        readers[source.index] = kind;
      }
    }
    for (uint32_t i = 0; i < desc_.InputCount; ++i) {
      if (readers[i] == kUnread) return Refuse(kInvalid, "graph input %u is read by no node", i);
    }
    for (uint32_t n = 0; n < nodes_.size(); ++n) {
      if (!used[n]) return Refuse(kInvalid, "the output of node %u is not connected", n);
    }
    return {};
  }

  // Repeatedly takes what reads only nodes taken before; what is left over lies on a cycle.
  Refusal Sort() {
    std::vector<uint32_t> missing(nodes_.size());
    std::vector<std::vector<uint32_t>> readers(nodes_.size());
    for (uint32_t n = 0; n < nodes_.size(); ++n) {
      for (const InputSource& source : edges_.sources[n]) {
        if (source.kind != InputSource::kNode) continue;
        ++missing[n];
        readers[source.index].push_back(n);
      }
    }
    for (uint32_t n = 0; n < nodes_.size(); ++n) {
      if (missing[n] == 0) edges_.order.push_back(n);
    }
    for (size_t next = 0; next < edges_.order.size(); ++next) {
      for (const uint32_t reader : readers[edges_.order[next]]) {
        if (--missing[reader] == 0) edges_.order.push_back(reader);
      }
    }
    for (uint32_t n = 0; n < nodes_.size(); ++n) {
      if (missing[n] != 0) {
        return Refuse(kInvalid, "node %u lies on a cycle or behind one, but a graph has none", n);
      }
    }
    return {};
  }

  const DML_GRAPH_DESC& desc_;  // the caller of the library cannot reach it
  const std::span<const GraphNode> nodes_;
  GraphEdges& edges_;
};

}  // namespace

Refusal ReadGraphEdges(const DML_GRAPH_DESC& desc, std::span<const GraphNode> nodes, GraphEdges* edges) {
  return EdgeReader(desc, nodes, edges).Read();
}

}  // namespace residue
