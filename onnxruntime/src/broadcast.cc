#include "broadcast.h"

#include <algorithm>

namespace residue::ort {
namespace {

// The size of dimension i of `rank`, counted from the last; missing ones are 1.
int64_t SizeAt(std::span<const int64_t> shape, size_t rank, size_t i) {
  const size_t missing = rank - shape.size();
  return i < missing ? 1 : shape[i - missing];
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

std::string ToText(std::span<const int64_t> shape) {
  std::string text = "[";
  for (const int64_t size : shape) text += (text.size() > 1 ? "," : "") + std::to_string(size);
  return text + "]";
}

void JoinDimensions(std::span<Shape> shapes) {
  size_t rank = 0;
  for (const Shape& shape : shapes) rank = std::max(rank, shape.size());
  std::vector<Shape> joined(shapes.size());  // innermost first
  size_t before = rank;                      // the dimension that was taken last; rank for none
  for (size_t i = rank; i-- > 0;) {
    const auto is_one = [&](const Shape& shape, size_t at) { return SizeAt(shape, rank, at) == 1; };
    if (std::ranges::all_of(shapes, [&](const Shape& shape) { return is_one(shape, i); })) continue;
    const bool alike = before != rank && std::ranges::all_of(shapes, [&](const Shape& shape) {
                         return is_one(shape, i) == is_one(shape, before);
                       });
    for (size_t s = 0; s < shapes.size(); ++s) {
      if (!alike) joined[s].push_back(1);
      joined[s].back() *= SizeAt(shapes[s], rank, i);
    }
    before = i;
  }
  for (size_t s = 0; s < shapes.size(); ++s) {
    while (!joined[s].empty() && joined[s].back() == 1) joined[s].pop_back();
    shapes[s].assign(joined[s].rbegin(), joined[s].rend());
  }
}

}  // namespace residue::ort
