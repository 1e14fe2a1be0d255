#include "layout/layout.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/checked_math.h"
#include "layout/blame.h"
#include "layout/overlap.h"

namespace residue {
namespace {

constexpr uint64_t kMaxCount = std::numeric_limits<int64_t>::max();

// The product of the sizes, if it can be counted; 0 if any of them is 0, however large the others.
bool CountElements(const LayoutRequest& request, uint64_t* count) noexcept {
  const uint64_t* end = request.sizes + request.rank;
  *count = std::find(request.sizes, end, 0u) == end ? 1 : 0;
  for (uint32_t i = 0; i < request.rank && *count != 0; ++i) {
    uint64_t product;
    if (!CheckedMultiply(*count, request.sizes[i], &product) || product > kMaxCount) return false;
    *count = product;
  }
  return true;
}

// The byte range of one operand, with every intermediate sum checked; false if it is too large.
bool MeasureOperand(const LayoutRequest& request, uint32_t k, Layout* layout) noexcept {
  const LayoutRequest::Operand& operand = request.operands[k];
  int64_t lowest = 0;
  auto highest = static_cast<int64_t>(operand.element_size);
  for (uint32_t i = 0; i < request.rank; ++i) {
    const int64_t stride = operand.strides[i];
    const auto steps = static_cast<int64_t>(request.sizes[i] - 1);
    int64_t span;
    int64_t* end = stride < 0 ? &lowest : &highest;
    if (!CheckedMultiply(stride, steps, &span) || !CheckedAdd(*end, span, end)) return false;
  }
  // The whole range must be countable too.
  int64_t extent;
  if (!CheckedSubtract(highest, lowest, &extent) || extent > kMaxExtent) return false;
  layout->lowest[k] = lowest;
  layout->highest[k] = highest;
  return true;
}

// One loop per dimension longer than one; those that walk the output backwards are turned round if the order
// is free.
void CollectLoops(const LayoutRequest& request, Layout* layout) noexcept {
  for (uint32_t i = 0; i < request.rank; ++i) {
    if (request.sizes[i] == 1) continue;
    Loop& loop = layout->loops[layout->loop_count++];
    loop.size = request.sizes[i];
    const bool backwards = request.operands[request.first_written].strides[i] < 0 && !request.in_order;
    for (uint32_t k = 0; k < request.operand_count; ++k) {
      const int64_t stride = request.operands[k].strides[i];
      loop.stride[k] = backwards ? -stride : stride;
      if (backwards) layout->origin[k] += stride * static_cast<int64_t>(loop.size - 1);
    }
  }
}

// Innermost first: the smallest step of the output.
void SortLoops(Layout* layout) noexcept {
  if (layout->loop_count < 2) return;
  const uint32_t out = layout->first_written;
  std::sort(layout->loops.begin(), layout->loops.begin() + layout->loop_count,
            [out](const Loop& x, const Loop& y) { return x.stride[out] < y.stride[out]; });
}

// Two neighbouring loops are one if, for every operand, the outer step is the whole inner loop.
void MergeLoops(Layout* layout) noexcept {
  uint32_t kept = 0;
  for (uint32_t i = 1; i < layout->loop_count; ++i) {
    Loop& inner = layout->loops[kept];
    const Loop& outer = layout->loops[i];
    bool merge = true;
    for (uint32_t k = 0; k < layout->operand_count; ++k) {
      // At most kMaxExtent and one step: no overflow.
      merge = merge && outer.stride[k] == inner.stride[k] * static_cast<int64_t>(inner.size);
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
// of the tiles, where the two can be exchanged; the order of the outer loops is free.
void BringExchangedLoopForward(Layout* layout) noexcept {
  for (uint32_t input = 0; input < layout->first_written; ++input) {
    const int64_t packed = layout->element_size[input];
    const int64_t step = layout->loops[0].stride[input];
    if (step == packed || step == 0) continue;
    for (uint32_t i = 1; i < layout->loop_count; ++i) {
      if (layout->loops[i].stride[input] == packed) return std::swap(layout->loops[1], layout->loops[i]);
    }
  }
}

// A tile needs columns and rows; what is missing has size one. A lone element counts as packed.
void PadLoops(Layout* layout) noexcept {
  while (layout->loop_count < 2) {
    Loop& loop = layout->loops[layout->loop_count];
    loop.size = 1;
    for (uint32_t k = 0; k < layout->operand_count; ++k) {
      loop.stride[k] = layout->loop_count == 0 ? int64_t{layout->element_size[k]} : 0;
    }
    ++layout->loop_count;
  }
}

}  // namespace

Status MakeLayout(const LayoutRequest& request, Layout* layout) noexcept {
  // The loops are left alone: clearing them would cost a small call more than filling them in.
  layout->element_count = 0;
  layout->loop_count = 0;
  layout->operand_count = request.operand_count;
  layout->first_written = request.first_written;
  for (uint32_t k = 0; k < request.operand_count; ++k) {
    layout->origin[k] = layout->lowest[k] = layout->highest[k] = 0;
    layout->element_size[k] = static_cast<uint8_t>(request.operands[k].element_size);
  }
  if (!CountElements(request, &layout->element_count)) return BlameSizes(request);
  if (layout->element_count != 0) {
    for (uint32_t k = 0; k < request.operand_count; ++k) {
      if (!MeasureOperand(request, k, layout)) return BlameExtent(request, k);
    }
    CollectLoops(request, layout);
    SortLoops(layout);
    for (uint32_t k = request.first_written; k < request.operand_count && !request.in_order; ++k) {
      if (OverlapsItself(*layout, k)) return BlameOverlap(request, k);
    }
    MergeLoops(layout);
    if (layout->loop_count > 2) BringExchangedLoopForward(layout);
  }
  PadLoops(layout);
  return {};
}

Layout FirstElements(const Layout& layout, uint64_t count) noexcept {
  Layout first = layout;
  first.element_count = first.loops[0].size = count;
  for (uint32_t k = 0; k < layout.operand_count; ++k) {
    const int64_t last = layout.loops[0].stride[k] * (static_cast<int64_t>(count) - 1);
    first.highest[k] = count == 0 ? 0 : last + layout.element_size[k];
  }
  return first;
}

}  // namespace residue
