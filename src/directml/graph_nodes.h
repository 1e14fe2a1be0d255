// The nodes of a DML_GRAPH_DESC: operators of the device, and constants. Keeps the operators alive while the
// graph is compiled.
#pragma once

#include <DirectML.h>

#include <span>
#include <vector>

#include "directml/device_state.h"
#include "directml/graph.h"
#include "directml/operator.h"

namespace residue {

class GraphNodes {
 public:
  // May throw bad_alloc.
  Refusal Read(const DML_GRAPH_DESC& desc, const DeviceState& state);
  std::span<const GraphNode> get() const noexcept { return nodes_; }

 private:
  Refusal ReadOperator(const DML_GRAPH_NODE_DESC& node, uint32_t index, const DeviceState& state);
  Refusal ReadConstant(const DML_GRAPH_NODE_DESC& node, uint32_t index, const DeviceState& state);

  std::vector<GraphNode> nodes_;
  std::vector<Ref<Operator>> operators_;
};

}  // namespace residue
