#include "plan/layout.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/checked_math.h"
#include "plan/overlap.h"

namespace residue {
namespace {

constexpr const char* kStrideFields[kOperandCount] = {"a_strides", "b_strides", "out_strides"};
constexpr int64_t kMaxOffset = std::numeric_limits<int64_t>::max();

constexpr int64_t Clamp(uint64_t value) noexcept {
  return value > static_cast<uint64_t>(kMaxOffset) ? kMaxOffset : static_cast<int64_t>(value);
}

Status CheckKind(const OpRequest& request) noexcept {
  if (OperatorName(request.op) == nullptr) {
    return {StatusCode::kInvalidOperator,
            "op",
            -1,
            static_cast<int64_t>(request.op),
            Relation::kAtMost,
            static_cast<int64_t>(*std::max_element(std::begin(kAllOperators), std::end(kAllOperators)))};
  }
  if (SizeOf(request.type) == 0) {
    return {StatusCode::kInvalidType,
            "type",
            -1,
            static_cast<int64_t>(request.type),
            Relation::kAtMost,
            static_cast<int64_t>(*std::max_element(std::begin(kAllDataTypes), std::end(kAllDataTypes)))};
  }
  const uint32_t max_rank = request.in_order ? 1 : kMaxRank;
  if (request.rank > max_rank) {
    return {StatusCode::kInvalidRank, "rank", -1, request.rank, Relation::kAtMost, max_rank};
  }
  return {};
}

// The product of the sizes; 0 if any of them is 0, however large the others.
Status CountElements(const OpRequest& request, uint64_t* count) noexcept {
  const auto end = request.sizes.begin() + request.rank;
  *count = std::find(request.sizes.begin(), end, 0u) == end ? 1 : 0;
  for (uint32_t i = 0; i < request.rank && *count != 0; ++i) {
    uint64_t product;
    if (!CheckedMultiply(*count, request.sizes[i], &product) || product > static_cast<uint64_t>(kMaxOffset)) {
      return {StatusCode::kTooLarge,   "sizes",           static_cast<int32_t>(i),
              Clamp(request.sizes[i]), Relation::kAtMost, kMaxOffset / static_cast<int64_t>(*count)};
    }
    *count = product;
  }
  return {};
}

// The byte range of one operand, with every intermediate sum checked.
Status MeasureOperand(const OpRequest& request, int operand, Layout* layout) noexcept {
  int64_t lowest = 0;
  auto highest = static_cast<int64_t>(SizeOf(request.type));
  for (uint32_t i = 0; i < request.rank; ++i) {
    const int64_t stride = request.strides[static_cast<size_t>(operand)][i];
    const auto steps = static_cast<int64_t>(request.sizes[i] - 1);
    const bool backwards = stride < 0;
    int64_t span;
    int64_t* end = backwards ? &lowest : &highest;
    if (!CheckedMultiply(stride, steps, &span) || !CheckedAdd(*end, span, end)) {
      return {StatusCode::kTooLarge,
              kStrideFields[operand],
              static_cast<int32_t>(i),
              stride,
              backwards ? Relation::kAtLeast : Relation::kAtMost,
              (backwards ? -kMaxOffset : kMaxOffset) / steps};
    }
  }
  // The whole range must be countable too.
  int64_t extent;
  if (!CheckedSubtract(highest, lowest, &extent) || extent > kMaxExtent) {
    return {StatusCode::kTooLarge, kStrideFields[operand], -1, highest,
            Relation::kAtMost,     kMaxExtent + lowest};
  }
  layout->lowest[static_cast<size_t>(operand)] = lowest;
  layout->highest[static_cast<size_t>(operand)] = highest;
  return {};
}

// One loop per dimension longer than one; those that walk the output backwards are turned round if the order
// is free.
void CollectLoops(const OpRequest& request, Layout* layout) noexcept {
  for (uint32_t i = 0; i < request.rank; ++i) {
    if (request.sizes[i] == 1) continue;
    Loop& loop = layout->loops[layout->loop_count++];
    loop.size = request.sizes[i];
    const bool backwards = request.strides[kOperandOut][i] < 0 && !request.in_order;
    for (size_t operand = 0; operand < kOperandCount; ++operand) {
      const int64_t stride = request.strides[operand][i];
      loop.stride[operand] = backwards ? -stride : stride;
      if (backwards) layout->origin[operand] += stride * static_cast<int64_t>(loop.size - 1);
    }
  }
}

// Innermost first: the smallest step of the output.
void SortLoops(Layout* layout) noexcept {
  if (layout->loop_count < 2) return;
  std::sort(layout->loops.begin(), layout->loops.begin() + layout->loop_count,
            [](const Loop& x, const Loop& y) { return x.stride[kOperandOut] < y.stride[kOperandOut]; });
}

// Names the first dimension whose step does not clear what the dimensions inside it reach.
Status DescribeSelfOverlap(const OpRequest& request, const Layout& layout) noexcept {
  auto reach = static_cast<int64_t>(SizeOf(request.type));
  uint32_t i = 0;
  while (i + 1 < layout.loop_count && layout.loops[i].stride[kOperandOut] >= reach) {
    reach += layout.loops[i].stride[kOperandOut] * static_cast<int64_t>(layout.loops[i].size - 1);
    ++i;
  }
  const int64_t stride = layout.loops[i].stride[kOperandOut];
  int32_t dimension = 0;
  for (uint32_t d = 0; d < request.rank; ++d) {
    const int64_t candidate = request.strides[kOperandOut][d];
    if (request.sizes[d] > 1 && (candidate == stride || candidate == -stride))
      dimension = static_cast<int32_t>(d);
  }
  // The caller's own number, which may be negative.
  const int64_t given = request.strides[kOperandOut][static_cast<size_t>(dimension)];
  return {StatusCode::kOutputOverlapsItself,
          "out_strides",
          dimension,
          given,
          given < 0 ? Relation::kAtMost : Relation::kAtLeast,
          given < 0 ? -reach : reach};
}

// Two neighbouring loops are one if, for every operand, the outer step is the whole inner loop.
void MergeLoops(Layout* layout) noexcept {
  uint32_t kept = 0;
  for (uint32_t i = 1; i < layout->loop_count; ++i) {
    Loop& inner = layout->loops[kept];
    const Loop& outer = layout->loops[i];
    bool merge = true;
    for (size_t operand = 0; operand < kOperandCount; ++operand) {
      // At most kMaxExtent and one step: no overflow.
      merge = merge && outer.stride[operand] == inner.stride[operand] * static_cast<int64_t>(inner.size);
    }
    if (merge) {
      inner.size *= outer.size;
    } else {
      layout->loops[++kept] = outer;
    }
  }
  if (layout->loop_count > 0) layout->loop_count = kept + 1;
}

// An input that is not packed along the columns may be packed along another loop. That loop becomes the rows
// of the tiles, where a kernel can exchange the two; the order of the outer loops is free.
void BringExchangedLoopForward(int64_t packed, Layout* layout) noexcept {
  for (const Operand input : {kOperandA, kOperandB}) {
    const int64_t step = layout->loops[0].stride[input];
    if (step == packed || step == 0) continue;
    for (uint32_t i = 1; i < layout->loop_count; ++i) {
      if (layout->loops[i].stride[input] == packed) return std::swap(layout->loops[1], layout->loops[i]);
    }
  }
}

// A tile needs columns and rows; what is missing has size one. A lone element counts as packed.
void PadLoops(const OpRequest& request, Layout* layout) noexcept {
  const auto size = static_cast<int64_t>(SizeOf(request.type));
  if (layout->loop_count == 0) layout->loops[layout->loop_count++] = {1, {size, size, size}};
  if (layout->loop_count == 1) layout->loops[layout->loop_count++] = {1, {0, 0, 0}};
}

}  // namespace

Status MakeLayout(const OpRequest& request, Layout* layout) noexcept {
  // The loops are left alone: clearing them would cost a small call more than filling them in.
  layout->element_count = 0;
  layout->loop_count = 0;
  layout->origin = layout->lowest = layout->highest = {};
  if (const Status status = CheckKind(request); !status.ok()) return status;
  if (const Status status = CountElements(request, &layout->element_count); !status.ok()) return status;
  if (layout->element_count != 0) {
    for (int operand = 0; operand < kOperandCount; ++operand) {
      if (const Status status = MeasureOperand(request, operand, layout); !status.ok()) return status;
    }
    CollectLoops(request, layout);
    SortLoops(layout);
    if (!request.in_order && OutputOverlapsItself(*layout, SizeOf(request.type))) {
      return DescribeSelfOverlap(request, *layout);
    }
    MergeLoops(layout);
    if (layout->loop_count > 2) BringExchangedLoopForward(static_cast<int64_t>(SizeOf(request.type)), layout);
  }
  PadLoops(request, layout);
  return {};
}

}  // namespace residue
