#include "directml/graph_nodes.h"

#include <cinttypes>

#include "directml/tensor_desc.h"

namespace residue {
namespace {

constexpr auto kInvalid = RefusalCode::kInvalidArgument;

}  // namespace

Refusal GraphNodes::Read(const DML_GRAPH_DESC& desc, const DeviceState& state) {
  if (desc.NodeCount == 0 || desc.Nodes == nullptr) {
    return Refuse(kInvalid, "NodeCount is %u and Nodes is %s, but a graph has at least one node",
                  desc.NodeCount, desc.Nodes == nullptr ? "null" : "set");
  }
  // A backend takes no more, and the work for a description is bounded.
  constexpr uint32_t kMost = 1u << 16;
  if (desc.NodeCount > kMost || desc.OutputCount > kMost) {
    return Refuse(kInvalid, "NodeCount is %u and OutputCount is %u, but a graph has at most %u of each",
                  desc.NodeCount, desc.OutputCount, kMost);
  }
  for (uint32_t i = 0; i < desc.NodeCount; ++i) {
    const DML_GRAPH_NODE_DESC node = desc.Nodes[i];
    const int32_t type = NumberOf(node.Type);
    if (type != DML_GRAPH_NODE_TYPE_OPERATOR && type != DML_GRAPH_NODE_TYPE_CONSTANT) {
      return Refuse(kInvalid,
                    "the Type of node %u is %d, but must be DML_GRAPH_NODE_TYPE_OPERATOR (%d) or "
                    "DML_GRAPH_NODE_TYPE_CONSTANT (%d)",
                    i, type, DML_GRAPH_NODE_TYPE_OPERATOR, DML_GRAPH_NODE_TYPE_CONSTANT);
    }
    if (node.Desc == nullptr) return Refuse(kInvalid, "the Desc of node %u is null, but must be set", i);
    Refusal refusal =
        type == DML_GRAPH_NODE_TYPE_OPERATOR ? ReadOperator(node, i, state) : ReadConstant(node, i, state);
    if (!refusal.ok()) return refusal;
  }
  return {};
}

Refusal GraphNodes::ReadOperator(const DML_GRAPH_NODE_DESC& node, uint32_t index, const DeviceState& state) {
  IDMLOperator* op = static_cast<const DML_OPERATOR_GRAPH_NODE_DESC*>(node.Desc)->Operator;
  auto ours = QueryFor<Operator>(op, kIidOperatorObject);
  if (!ours || ours->state().get() != &state) {
    return Refuse(kInvalid, "the Operator of node %u is %s, but must be one of this device", index,
                  op == nullptr ? "null" : "another object");
  }
  nodes_.push_back({&ours->request(), {}});
  operators_.push_back(std::move(ours));
  return {};
}

Refusal GraphNodes::ReadConstant(const DML_GRAPH_NODE_DESC& node, uint32_t index, const DeviceState& state) {
  if (state.level() < FeatureLevel::k6_2) {
    return Refuse(kInvalid,
                  "node %u is DML_GRAPH_NODE_TYPE_CONSTANT, which needs feature level 0x6200, but the device "
                  "has 0x%x",
                  index, static_cast<uint32_t>(state.level()));
  }
  const auto constant = *static_cast<const DML_CONSTANT_DATA_GRAPH_NODE_DESC*>(node.Desc);
  if (constant.Data == nullptr || constant.DataSize == 0) {
    return Refuse(kInvalid, "the Data of node %u is %s and its DataSize is %zu, but both must be set", index,
                  constant.Data == nullptr ? "null" : "set", static_cast<size_t>(constant.DataSize));
  }
  nodes_.push_back(
      {nullptr, {static_cast<const std::byte*>(constant.Data), static_cast<size_t>(constant.DataSize)}});
  return {};
}

}  // namespace residue
