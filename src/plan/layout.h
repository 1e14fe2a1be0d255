// From any sizes and strides to the fewest loops that visit the same elements.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/status.h"
#include "plan/request.h"

namespace residue {

// No operand spans more bytes. It is more than any machine addresses, and leaves room in 64 bits to add and
// subtract the offsets of several operands.
inline constexpr int64_t kMaxExtent = int64_t{1} << 58;

using OperandOffsets = std::array<int64_t, kOperandCount>;  // bytes, by Operand

struct Loop {
  uint64_t size;
  OperandOffsets stride;
};

// Loops from the innermost outwards. There are always two, so that a tile has columns and rows; every output
// stride of a loop longer than one is positive unless the order matters. `origin` is where the first element
// lies.
struct Layout {
  uint64_t element_count;
  uint32_t loop_count;
  std::array<Loop, kMaxRank> loops;
  OperandOffsets origin;
  // The bytes an operand touches, relative to its address: [lowest, highest).
  OperandOffsets lowest;
  OperandOffsets highest;
};

inline std::span<const Loop> LoopsOf(const Layout& layout) noexcept {
  return std::span(layout.loops).first(layout.loop_count);
}

// Checks everything about a request that does not depend on addresses: operator, type, rank, that no byte
// offset or count overflows, and that the output's elements do not overlap.
Status MakeLayout(const OpRequest& request, Layout* layout) noexcept;

}  // namespace residue
