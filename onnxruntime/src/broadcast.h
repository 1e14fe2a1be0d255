// Multidirectional broadcasting, as ONNX has it: from two shapes to one, and to as few dimensions as will do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace residue::ort {

using Shape = std::vector<int64_t>;

// Of known sizes.
size_t CountElements(std::span<const int64_t> shape) noexcept;

// Both shapes stretched to one, or nothing if two sizes differ and neither is 1. Sizes of -1 are not known:
// against 1 or themselves they stay so, against any other size they are that size.
std::optional<Shape> Broadcast(std::span<const int64_t> a, std::span<const int64_t> b);

std::string ToText(std::span<const int64_t> shape);

// Neighbouring dimensions that are stretched alike in all of these become one, and those of one element go.
// Whatever could be broadcast still can, to the same elements.
void JoinDimensions(std::span<Shape> shapes);

}  // namespace residue::ort
