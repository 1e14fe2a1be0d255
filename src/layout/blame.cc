#include "layout/blame.h"

#include <algorithm>
#include <array>
#include <limits>

#include "core/checked_math.h"

namespace residue {
namespace {

constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();

uint64_t AddUpToMost(uint64_t x, uint64_t y) noexcept {
  uint64_t sum;
  return CheckedAdd(x, y, &sum) ? sum : kMost;
}

uint64_t MultiplyUpToMost(uint64_t x, uint64_t y) noexcept {
  uint64_t product;
  return CheckedMultiply(x, y, &product) ? product : kMost;
}

// A dimension of more than one element, walked forwards.
struct Dimension {
  int32_t index;
  uint64_t step;
  uint64_t steps;  // one less than the size

  uint64_t span() const noexcept { return MultiplyUpToMost(step, steps); }
};

struct Dimensions {
  std::array<Dimension, kMaxRank> list{};
  size_t count = 0;

  // What the first `n` of them reach, from the beginning of an element.
  uint64_t Reach(size_t n, uint64_t element_size) const noexcept {
    uint64_t reach = element_size;
    for (size_t i = 0; i < n; ++i) reach = AddUpToMost(reach, list[i].span());
    return reach;
  }
};

// The smallest step first; of equal ones the last dimension, which most tensors have innermost.
Dimensions SortedDimensions(const LayoutRequest& request, uint32_t operand) noexcept {
  Dimensions sorted;
  for (uint32_t i = request.rank; i-- > 0;) {
    if (request.sizes[i] == 1) continue;
    const int64_t stride = request.operands[operand].strides[i];
    const auto bits = static_cast<uint64_t>(stride);
    const uint64_t step = stride < 0 ? 0 - bits : bits;
    size_t place = sorted.count++;
    for (; place > 0 && sorted.list[place - 1].step > step; --place)
      sorted.list[place] = sorted.list[place - 1];
    sorted.list[place] = {static_cast<int32_t>(i), step, request.sizes[i] - 1};
  }
  return sorted;
}

// `step` is what the stride is to be, its sign apart.
Status BlameStride(StatusCode code, const LayoutRequest& request, uint32_t operand,
                   const Dimension& dimension, uint64_t step) noexcept {
  const int64_t given = request.operands[operand].strides[dimension.index];
  const auto expected = static_cast<int64_t>(step);
  const bool is_less = (given < 0) == (step < dimension.step);
  return {code,
          request.operands[operand].field,
          dimension.index,
          given,
          is_less ? Relation::kAtLeast : Relation::kAtMost,
          given < 0 ? -expected : expected};
}

// Dimensions that reach farther than `room`. Of that, each needs what the dimensions inside it need as often
// as it is long. The first, from the outside, that leaves them so much is to blame itself: with a shorter
// step, it still clears them. Dimensions that stay in one place need no room. Where there is none for an
// element, as of an input whose elements are larger than the output's, the innermost has to stay as well.
Status BlameReach(StatusCode code, const LayoutRequest& request, uint32_t operand,
                  const Dimensions& dimensions, uint64_t room) noexcept {
  const uint64_t element_size = request.operands[operand].element_size;
  size_t innermost = 0;
  while (innermost + 1 < dimensions.count && dimensions.list[innermost].step == 0) ++innermost;
  size_t i = dimensions.count - 1;
  uint64_t inside = dimensions.Reach(i, element_size);
  while (i > innermost && inside > room / (dimensions.list[i].steps + 1)) {
    room /= dimensions.list[i].steps + 1;
    inside = dimensions.Reach(--i, element_size);
  }
  const Dimension& blamed = dimensions.list[i];
  return BlameStride(code, request, operand, blamed, room > inside ? (room - inside) / blamed.steps : 0);
}

// The dimensions whose step clears all smaller ones, and the others.
struct Nesting {
  Dimensions nested;
  Dimensions others;

  Nesting(const Dimensions& sorted, uint64_t element_size) noexcept {
    for (size_t i = 0; i < sorted.count; ++i) {
      const bool clears = sorted.list[i].step >= nested.Reach(nested.count, element_size);
      Dimensions& chosen = clears ? nested : others;
      chosen.list[chosen.count++] = sorted.list[i];
    }
  }
};

// The nested dimensions of an output, if they leave too little room for the others to go around them.
Status BlameNested(StatusCode code, const LayoutRequest& request, uint32_t operand,
                   const Nesting& nesting) noexcept {
  uint64_t room = kMaxExtent;
  for (size_t i = 0; i < nesting.others.count; ++i) room /= nesting.others.list[i].steps + 1;
  return BlameReach(code, request, operand, nesting.nested, room);
}

}  // namespace

Status BlameSizes(const LayoutRequest& request) noexcept {
  // In order, all elements may be written to one place.
  uint64_t limit = uint64_t{std::numeric_limits<int64_t>::max()};
  for (uint32_t k = request.first_written; k < request.operand_count && !request.in_order; ++k) {
    limit = std::min(limit, uint64_t{kMaxExtent} / request.operands[k].element_size);
  }
  // The smaller sizes may stay as long as there is room for them.
  std::array<uint32_t, kMaxRank> order{};
  for (uint32_t i = 0; i < request.rank; ++i) {
    uint32_t place = i;
    for (; place > 0 && request.sizes[order[place - 1]] > request.sizes[i]; --place)
      order[place] = order[place - 1];
    order[place] = i;
  }
  uint64_t count = 1;
  for (uint32_t k = 0; k < request.rank; ++k) {
    const uint64_t size = request.sizes[order[k]];
    const uint64_t most = limit / count;
    if (size > most) {
      return {StatusCode::kTooLarge,          "sizes",
              static_cast<int32_t>(order[k]), static_cast<int64_t>(size),
              Relation::kUnsignedAtMost,      static_cast<int64_t>(most)};
    }
    count *= size;
  }
  return {};
}

Status BlameExtent(const LayoutRequest& request, uint32_t operand) noexcept {
  if (const Status status = BlameSizes(request); !status.ok()) return status;
  const Dimensions sorted = SortedDimensions(request, operand);
  if (operand >= request.first_written && !request.in_order) {
    return BlameNested(StatusCode::kTooLarge, request, operand,
                       Nesting(sorted, request.operands[operand].element_size));
  }
  return BlameReach(StatusCode::kTooLarge, request, operand, sorted, kMaxExtent);
}

// A dimension that does not clear the smaller ones gets a step at which it does and the larger ones still
// clear it: the next one above its own, or else below. If there is none, the nested dimensions take too much
// room.
Status BlameOverlap(const LayoutRequest& request, uint32_t operand) noexcept {
  if (const Status status = BlameSizes(request); !status.ok()) return status;
  const uint64_t element_size = request.operands[operand].element_size;
  const Dimensions sorted = SortedDimensions(request, operand);
  const Nesting nesting(sorted, element_size);
  const Dimensions& nested = nesting.nested;
  const Dimension& blamed = nesting.others.list[0];
  // How far the nested dimensions from the i-th outwards can be pushed, going inwards.
  uint64_t gap = kMaxExtent - (sorted.Reach(sorted.count, element_size) - blamed.span());
  uint64_t above = 0;
  uint64_t below = 0;
  for (size_t i = nested.count + 1; i-- > 0;) {
    const uint64_t step = nested.Reach(i, element_size);
    if (i < nested.count) gap = std::min(gap, nested.list[i].step - step);
    if (gap / step < blamed.steps) continue;
    if (step > blamed.step) {
      above = step;
    } else if (below == 0) {
      below = step;
    }
  }
  if (above == 0 && below == 0)
    return BlameNested(StatusCode::kOutputOverlapsItself, request, operand, nesting);
  return BlameStride(StatusCode::kOutputOverlapsItself, request, operand, blamed, above != 0 ? above : below);
}

}  // namespace residue
