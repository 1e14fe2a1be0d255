// From any sizes and strides to the fewest loops that visit the same elements.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/status.h"
#include "layout/shape.h"

namespace residue {

// No walk over memory has more operands, read and written together.
inline constexpr uint32_t kMostOperands = 12;

// No operand spans more bytes. It is more than any machine addresses, and leaves room in 64 bits to add and
// subtract the offsets of several operands.
inline constexpr int64_t kMaxExtent = int64_t{1} << 58;

// What is to be walked over, still untrusted. All operands have the same sizes; those that are written are
// the last.
struct LayoutRequest {
  struct Operand {
    const int64_t* strides;  // in bytes, as many as the rank
    uint32_t element_size;   // a power of two
    const char* field;       // the strides' name in errors
  };
  uint32_t rank = 0;
  const uint64_t* sizes = nullptr;
  uint32_t operand_count = 0;
  uint32_t first_written = 0;
  bool in_order = false;  // elements see what those before them have written; one dimension at most
  std::array<Operand, kMostOperands> operands;
};

using OperandOffsets = std::array<int64_t, kMostOperands>;  // bytes; only as many as there are operands

struct Loop {
  uint64_t size;
  OperandOffsets stride;
};

// Loops from the innermost outwards. There are always two, so that a tile has columns and rows; every stride
// of the first written operand is positive in a loop longer than one, unless the order matters. `origin` is
// where the first element lies.
struct Layout {
  uint64_t element_count;
  uint32_t loop_count;
  uint32_t operand_count;
  uint32_t first_written;
  std::array<Loop, kMaxRank> loops;
  OperandOffsets origin;
  // The bytes an operand touches, relative to its address: [lowest, highest).
  OperandOffsets lowest;
  OperandOffsets highest;
  std::array<uint8_t, kMostOperands> element_size;
};

inline std::span<const Loop> LoopsOf(const Layout& layout) noexcept {
  return std::span(layout.loops).first(layout.loop_count);
}

// Checks everything that does not depend on addresses: that no byte offset or count overflows, and that the
// elements of what is written do not overlap.
Status MakeLayout(const LayoutRequest& request, Layout* layout) noexcept;

// The first elements of a layout of one dimension, at most as many as it has, whose strides are not negative.
Layout FirstElements(const Layout& layout, uint64_t count) noexcept;

}  // namespace residue
