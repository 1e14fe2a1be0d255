#include "graph/graph.h"

#include <algorithm>
#include <span>

#include "core/check_params.h"
#include "layout/blame.h"
#include "layout/coverage.h"

namespace residue {
namespace {

constexpr uint64_t kConstantAlignment = 64;

// Types, params and rank by the operator's rules.
Status CheckKind(const Node& node) noexcept {
  std::array<DataType, kMostNodeOperands> types{};
  for (uint32_t k = 0; k < kMostNodeOperands; ++k) types[k] = node.operands[k].type;
  if (const Status status = CheckTypes(node.op, types.data()); !status.ok()) return status;
  if (const Status status = CheckParams(node.op, types[0], node.params.bytes); !status.ok()) return status;
  if (node.rank > kMaxRank) {
    return {StatusCode::kInvalidRank, "rank", -1, node.rank, Relation::kAtMost, kMaxRank};
  }
  return {};
}

Region RegionOf(const Node& node, const View& view) noexcept {
  return {std::span(node.sizes).first(node.rank), view.strides.data(),
          static_cast<uint32_t>(SizeOf(view.type)), view.offset};
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
  if (place == Place::kIndex) {  // one is enough
    if (index_ != kNobody) {
      *tensor = index_;
      return {};
    }
    bytes = 0;
  }
  if (tensors_.size() >= kMostGraphTensors) {
    return {StatusCode::kGraphTooLarge,     "tensors",         -1,
            int64_t{kMostGraphTensors} + 1, Relation::kAtMost, kMostGraphTensors};
  }
  Tensor added = {place, 0, bytes, 0, kNobody, false};
  if (place == Place::kConstant) {
    added.offset = (constants_.size() + kConstantAlignment - 1) / kConstantAlignment * kConstantAlignment;
    const uint64_t end = added.offset + bytes;
    if (end > constants_.max_size()) return {StatusCode::kOutOfMemory};
    constants_.resize(static_cast<size_t>(end));
    std::copy_n(data, data_bytes, constants_.begin() + static_cast<ptrdiff_t>(added.offset));
  }
  if (place == Place::kInput) added.index = input_count_;
  if (place == Place::kOutput) added.index = output_count_;
  tensors_.push_back(added);
  if (place == Place::kInput) ++input_count_;
  if (place == Place::kOutput) ++output_count_;
  *tensor = static_cast<uint32_t>(tensors_.size() - 1);
  if (place == Place::kIndex) index_ = *tensor;
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
  const bool is_index = tensor.place == Place::kIndex;
  const bool reads_from_outside =
      tensor.place == Place::kInput || tensor.place == Place::kConstant || is_index;
  const bool is_output = k == node.input_count();
  if (is_output && (reads_from_outside || tensor.writer != kNobody)) {
    return {StatusCode::kTensorNotWritable};
  }
  if (!is_output && !reads_from_outside && tensor.writer == kNobody) {
    return {StatusCode::kTensorNotWritten};
  }
  if (is_index && view.type != DataType::kUint64) {
    return {StatusCode::kTypeMismatch,       kTypeFields[k],     -1,
            static_cast<int64_t>(view.type), Relation::kEqualTo, static_cast<int64_t>(DataType::kUint64)};
  }
  // Neither is more than kMaxExtent, so nothing overflows.
  if (layout.element_count == 0 || is_index) return {};
  if (view.offset < static_cast<uint64_t>(-layout.lowest[k])) {
    return {StatusCode::kOutsideTensor,        "offsets",          static_cast<int32_t>(k),
            static_cast<int64_t>(view.offset), Relation::kAtLeast, -layout.lowest[k]};
  }
  if (view.offset > tensor.bytes ||
      static_cast<int64_t>(view.offset) + layout.highest[k] > static_cast<int64_t>(tensor.bytes)) {
    return {StatusCode::kOutsideTensor,
            "tensors",
            static_cast<int32_t>(k),
            static_cast<int64_t>(tensor.bytes),
            Relation::kAtLeast,
            static_cast<int64_t>(std::min<uint64_t>(view.offset, uint64_t{kMaxExtent})) + layout.highest[k]};
  }
  if (!is_output && tensor.place == Place::kOutput && !ReadsWhatIsWritten(node, view)) {
    return {StatusCode::kBytesNotWritten, "tensors", static_cast<int32_t>(k), 0, Relation::kNone};
  }
  return {};
}

// Of a tensor that a node writes.
bool Graph::ReadsWhatIsWritten(const Node& node, const View& view) const noexcept {
  const Node& writer = nodes_[tensors_[view.tensor].writer];
  const bool same_sizes =
      writer.rank == node.rank &&
      std::equal(node.sizes.begin(), node.sizes.begin() + node.rank, writer.sizes.begin());
  if (same_sizes && IsSameView(node, view, writer.output())) return true;
  return Covers(RegionOf(writer, writer.output()), RegionOf(node, view));
}

// Strides of an index are what its elements are apart, whatever was given.
void Graph::NumberElements(Node* node) const noexcept {
  for (uint32_t k = 0; k < node->input_count(); ++k) {
    View& view = node->operands[k];
    if (view.tensor >= tensors_.size() || tensors_[view.tensor].place != Place::kIndex) continue;
    view.offset = 0;
    uint64_t step = 1;
    for (uint32_t i = node->rank; i-- > 0; step *= node->sizes[i])
      view.strides[i] = static_cast<int64_t>(step);
  }
}

Status Graph::AddNode(const Node& given) {
  if (nodes_.size() >= kMostNodes) {
    return {StatusCode::kGraphTooLarge, "nodes", -1, int64_t{kMostNodes} + 1, Relation::kAtMost, kMostNodes};
  }
  if (const Status status = CheckKind(given); !status.ok()) return status;
  Node node = given;
  NumberElements(&node);
  Layout layout;
  if (const Status status = MakeNodeLayout(node, &layout); !status.ok()) return status;
  for (uint32_t k = 0; k <= node.input_count(); ++k) {
    if (const Status status = CheckOperand(node, k, layout); !status.ok()) return status;
  }
  for (uint32_t k = 0; k < node.input_count(); ++k) {
    Tensor& tensor = tensors_[node.operands[k].tensor];
    if (tensor.place != Place::kTemporary || tensor.cleared) continue;
    tensor.cleared = !ReadsWhatIsWritten(node, node.operands[k]);
  }
  nodes_.push_back(node);
  tensors_[node.output().tensor].writer = static_cast<uint32_t>(nodes_.size() - 1);
  return {};
}

Status Graph::Check() const noexcept {
  if (output_count_ == 0) return {StatusCode::kNoOutput};
  for (uint32_t t = 0; t < tensors_.size(); ++t) {
    if (tensors_[t].place == Place::kOutput && tensors_[t].writer == kNobody) {
      return {StatusCode::kTensorNotWritten, "tensors", static_cast<int32_t>(t), 0, Relation::kAtLeast, 1};
    }
  }
  return {};
}

}  // namespace residue
