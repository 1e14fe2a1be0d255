// From any sizes and strides to the fewest loops that visit the same elements.
#pragma once

#include <array>
#include <cstdint>

#include "base/status.h"
#include "plan/request.h"

namespace residue {

// Sums of two operands' offsets. Where there are no 128 bits for them, operands are short enough for 64: 2^58
// bytes, far more than a system of that kind can address.
#ifdef __SIZEOF_INT128__
using OffsetSum = __int128;
inline constexpr int64_t kMaxExtent = INT64_MAX;
#else
using OffsetSum = int64_t;
inline constexpr int64_t kMaxExtent = int64_t{1} << 58;
#endif

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

// Checks everything about a request that does not depend on addresses: operator, type, rank, that no byte
// offset or count overflows, and that the output's elements do not overlap.
Status MakeLayout(const OpRequest& request, Layout* layout) noexcept;

}  // namespace residue
