#include "graph/graph.h"

#include <algorithm>

#include "layout/blame.h"

namespace residue {
namespace {

constexpr uint64_t kConstantAlignment = 64;

// Types and rank by the operator's rules.
Status CheckKind(const Node& node) noexcept {
  const DataType type = node.operands[0].type;
  if (const Status status = CheckOperator(node.op, type); !status.ok()) return status;
  for (uint32_t k = 1; k <= node.input_count(); ++k) {
    const DataType wanted = k == node.input_count() ? OutputType(node.op, type) : type;
    if (node.operands[k].type != wanted) {
      return {StatusCode::kTypeMismatch,
              kTypeFields[k],
              -1,
              static_cast<int64_t>(node.operands[k].type),
              Relation::kEqualTo,
              static_cast<int64_t>(wanted)};
    }
  }
  if (node.rank > kMaxRank) {
    return {StatusCode::kInvalidRank, "rank", -1, node.rank, Relation::kAtMost, kMaxRank};
  }
  return {};
}

}  // namespace

Status MakeNodeLayout(const Node& node, Layout* layout) noexcept {
  LayoutRequest request;
  request.rank = node.rank;
  request.sizes = node.sizes.data();
  request.first_written = node.input_count();
  request.operand_count = node.input_count() + 1;
  for (uint32_t k = 0; k < request.operand_count; ++k) {
    const View& view = node.operands[k];
    request.operands[k] = {view.strides.data(), static_cast<uint32_t>(SizeOf(view.type)), kStrideFields[k]};
  }
  return MakeLayout(request, layout);
}

bool IsSameView(const Node& node, const View& x, const View& y) noexcept {
  if (x.tensor != y.tensor || x.type != y.type || x.offset != y.offset) return false;
  for (uint32_t i = 0; i < node.rank; ++i) {
    if (node.sizes[i] > 1 && x.strides[i] != y.strides[i]) return false;
  }
  return true;
}

Status Graph::AddTensor(Place place, uint64_t bytes, const std::byte* data, uint64_t data_bytes,
                        uint32_t* tensor) {
  if (bytes > uint64_t{kMaxExtent}) {
    return {StatusCode::kTooLarge, "bytes",   -1, static_cast<int64_t>(std::min<uint64_t>(bytes, INT64_MAX)),
            Relation::kAtMost,     kMaxExtent};
  }
  if (tensors_.size() >= size_t{kMostNodes} * kMostNodeOperands) return {StatusCode::kOutOfMemory};
  Tensor added = {place, 0, bytes, 0};
  if (place == Place::kConstant) {
    added.offset = (constants_.size() + kConstantAlignment - 1) / kConstantAlignment * kConstantAlignment;
    constants_.resize(added.offset + bytes);
    std::copy_n(data, data_bytes, constants_.begin() + static_cast<ptrdiff_t>(added.offset));
  }
  tensors_.reserve(tensors_.size() + 1);
  writers_.push_back(kNobody);
  if (place == Place::kInput) added.index = input_count_++;
  if (place == Place::kOutput) added.index = output_count_++;
  *tensor = static_cast<uint32_t>(tensors_.size());
  tensors_.push_back(added);
  return {};
}

// Inside its tensor; read after it is written, written once.
Status Graph::CheckOperand(const Node& node, uint32_t k, const Layout& layout) const noexcept {
  const View& view = node.operands[k];
  if (view.tensor >= tensors_.size()) {
    return {StatusCode::kInvalidTensor, "tensors",
            static_cast<int32_t>(k),    view.tensor,
            Relation::kAtMost,          static_cast<int64_t>(tensors_.size()) - 1};
  }
  const Tensor& tensor = tensors_[view.tensor];
  const bool reads_from_outside = tensor.place == Place::kInput || tensor.place == Place::kConstant;
  const bool is_output = k == node.input_count();
  if (is_output && (reads_from_outside || writers_[view.tensor] != kNobody)) {
    return {StatusCode::kTensorNotWritable};
  }
  if (!is_output && !reads_from_outside && writers_[view.tensor] == kNobody) {
    return {StatusCode::kTensorNotWritten};
  }
  // Neither is more than kMaxExtent, so nothing overflows.
  if (layout.element_count == 0) return {};
  if (view.offset > tensor.bytes || static_cast<int64_t>(view.offset) + layout.lowest[k] < 0 ||
      static_cast<int64_t>(view.offset) + layout.highest[k] > static_cast<int64_t>(tensor.bytes)) {
    return {StatusCode::kOutsideTensor,
            "tensors",
            static_cast<int32_t>(k),
            static_cast<int64_t>(tensor.bytes),
            Relation::kAtLeast,
            static_cast<int64_t>(std::min<uint64_t>(view.offset, uint64_t{kMaxExtent})) + layout.highest[k]};
  }
  return {};
}

Status Graph::AddNode(const Node& node) {
  if (nodes_.size() >= kMostNodes) return {StatusCode::kOutOfMemory};
  if (const Status status = CheckKind(node); !status.ok()) return status;
  Layout layout;
  if (const Status status = MakeNodeLayout(node, &layout); !status.ok()) return status;
  for (uint32_t k = 0; k <= node.input_count(); ++k) {
    if (const Status status = CheckOperand(node, k, layout); !status.ok()) return status;
  }
  nodes_.push_back(node);
  writers_[node.output().tensor] = static_cast<uint32_t>(nodes_.size() - 1);
  return {};
}

Status Graph::Check() const noexcept {
  if (output_count_ == 0) return {StatusCode::kNoOutput};
  for (uint32_t t = 0; t < tensors_.size(); ++t) {
    if (tensors_[t].place == Place::kOutput && writers_[t] == kNobody) {
      return {StatusCode::kTensorNotWritten, "tensors", static_cast<int32_t>(t), 0, Relation::kAtLeast, 1};
    }
  }
  return {};
}

}  // namespace residue
