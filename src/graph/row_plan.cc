#include "graph/row_plan.h"

#include <optional>

#include "core/checked_math.h"

namespace residue {
namespace {

// Of every type they fill whole cache lines, so that a plan for them is one for any multiple.
constexpr uint64_t kUnit = 64;

enum class Kind : uint8_t { kUnknown, kSingle, kRow };

// What a view makes of its tensor; nothing if it is neither a row nor one element.
std::optional<Kind> KindOf(const Graph& graph, const Node& node, const View& view) noexcept {
  const Tensor& tensor = graph.tensors()[view.tensor];
  const bool is_result = &view == &node.output();
  if (tensor.place == Place::kIndex || node.rank == 0 || (view.strides[0] == 0 && !is_result))
    return Kind::kSingle;
  const uint64_t bytes = SizeOf(view.type);
  const bool packed = view.offset == 0 && view.strides[0] == static_cast<int64_t>(bytes);
  // Neither is more than kMaxExtent.
  if (!packed || tensor.bytes != bytes * node.sizes[0]) return std::nullopt;
  return Kind::kRow;
}

}  // namespace

RowPlan RowPlan::Make(const Graph& graph, std::span<const Walk> walks) {
  RowPlan plan;
  const size_t tensors = graph.tensors().size();
  std::vector<Kind> kinds(tensors, Kind::kUnknown);
  std::vector<uint32_t> element_bytes(tensors);
  bool found = false;
  for (const Node& node : graph.nodes()) {
    if (node.rank > 1 || (node.rank == 1 && found && node.sizes[0] != plan.count_)) return {};
    if (node.rank == 1) {
      plan.count_ = node.sizes[0];
      found = true;
    }
    for (uint32_t k = 0; k <= node.input_count(); ++k) {
      const View& view = node.operands[k];
      const std::optional<Kind> kind = KindOf(graph, node, view);
      Kind& known = kinds[view.tensor];
      if (!kind || (known != Kind::kUnknown && known != *kind)) return {};
      known = *kind;
      if (known == Kind::kRow) element_bytes[view.tensor] = static_cast<uint32_t>(SizeOf(view.type));
    }
  }
  if (!found) return {};
  std::vector<uint64_t> single(tensors);
  std::vector<uint64_t> unit(tensors);
  for (size_t t = 0; t < tensors; ++t) {
    if (kinds[t] == Kind::kRow) {
      unit[t] = element_bytes[t] * kUnit;
    } else {
      single[t] = graph.tensors()[t].bytes;
    }
  }
  plan.element_bytes_ = std::move(element_bytes);
  plan.single_ = PlanMemory(graph, walks, single);
  plan.unit_ = PlanMemory(graph, walks, unit);
  return plan;
}

uint64_t RowPlan::BytesOf(const Graph& graph, uint32_t tensor, uint64_t count) const noexcept {
  const uint32_t bytes = element_bytes_[tensor];
  return bytes == 0 ? graph.tensors()[tensor].bytes : bytes * count;
}

uint64_t RowPlan::OffsetOf(uint32_t tensor, uint64_t count) const noexcept {
  if (element_bytes_[tensor] == 0) return single_.offsets[tensor];
  return single_.bytes + unit_.offsets[tensor] * DivideRoundingUp(count, kUnit);
}

uint64_t RowPlan::TemporaryBytes(uint64_t count) const noexcept {
  uint64_t bytes;
  const bool fits = CheckedMultiply(unit_.bytes, DivideRoundingUp(count, kUnit), &bytes) &&
                    CheckedAdd(bytes, single_.bytes, &bytes);
  return fits ? bytes : UINT64_MAX;
}

}  // namespace residue
