#include "broadcast.h"

#include <algorithm>

namespace residue::ort {
namespace {

// The size of dimension i of `rank`, counted from the last; missing ones are 1.
int64_t SizeAt(std::span<const int64_t> shape, size_t rank, size_t i) {
  const size_t missing = rank - shape.size();
  return i < missing ? 1 : shape[i - missing];
}

struct Dimension {
  int64_t size;
  bool a_is_one;
  bool b_is_one;
};

// Innermost first, without dimensions of one element, and with those joined that lie alike in both operands.
std::vector<Dimension> JoinDimensions(std::span<const int64_t> a, std::span<const int64_t> b) {
  const size_t rank = std::max(a.size(), b.size());
  std::vector<Dimension> joined;
  for (size_t i = rank; i-- > 0;) {
    const int64_t x = SizeAt(a, rank, i);
    const int64_t y = SizeAt(b, rank, i);
    const Dimension dimension = {x == 1 ? y : x, x == 1, y == 1};
    if (dimension.size == 1) continue;
    if (!joined.empty() && joined.back().a_is_one == dimension.a_is_one &&
        joined.back().b_is_one == dimension.b_is_one) {
      joined.back().size *= dimension.size;
    } else {
      joined.push_back(dimension);
    }
  }
  return joined;
}

}  // namespace

size_t CountElements(std::span<const int64_t> shape) noexcept {
  size_t count = 1;
  for (const int64_t size : shape) count *= static_cast<size_t>(size);
  return count;
}

std::optional<Shape> Broadcast(std::span<const int64_t> a, std::span<const int64_t> b) {
  const size_t rank = std::max(a.size(), b.size());
  Shape shape(rank);
  for (size_t i = 0; i < rank; ++i) {
    const int64_t x = SizeAt(a, rank, i);
    const int64_t y = SizeAt(b, rank, i);
    if (x == y || y == 1) {
      shape[i] = x;
    } else if (x == 1) {
      shape[i] = y;
    } else if (x < 0 || y < 0) {
      shape[i] = std::max(x, y);
    } else {
      return std::nullopt;
    }
  }
  return shape;
}

BroadcastPlan PlanBroadcast(std::span<const int64_t> a, std::span<const int64_t> b, int64_t element_size) {
  BroadcastPlan plan = {};
  const std::vector<Dimension> dimensions = JoinDimensions(a, b);
  const size_t inner = std::min<size_t>(dimensions.size(), RESIDUE_MAX_RANK);
  plan.problem.size = sizeof(plan.problem);
  plan.problem.operand_count = 3;
  plan.problem.rank = static_cast<uint32_t>(inner);
  int64_t a_step = element_size;
  int64_t b_step = element_size;
  int64_t out_step = element_size;
  for (size_t i = 0; i < dimensions.size(); ++i) {
    const Dimension& dimension = dimensions[i];
    const auto size = static_cast<uint64_t>(dimension.size);
    const OuterLoop loop = {size, dimension.a_is_one ? 0 : a_step, dimension.b_is_one ? 0 : b_step, out_step};
    if (i < inner) {
      plan.problem.sizes[i] = loop.size;
      plan.operands[0].strides[i] = loop.a_stride;
      plan.operands[1].strides[i] = loop.b_stride;
      plan.operands[2].strides[i] = loop.out_stride;
    } else {
      plan.outer.push_back(loop);
    }
    if (!dimension.a_is_one) a_step *= dimension.size;
    if (!dimension.b_is_one) b_step *= dimension.size;
    out_step *= dimension.size;
  }
  return plan;
}

}  // namespace residue::ort
