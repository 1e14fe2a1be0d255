// Which bytes two operands share: an exact answer wherever it can be had with bounded work.
#pragma once

#include <cstdint>

#include "layout/layout.h"

namespace residue {

enum class Overlap : uint8_t {
  kDisjoint,   // no byte in common
  kIdentical,  // element for element the same bytes: in place
  kPartial,    // anything else, or too intricate to tell
};

// True if two different elements of the operand share a byte. Needs one loop for each dimension.
bool OverlapsItself(const Layout& layout, uint32_t operand) noexcept;

// How two operands at these addresses lie to each other; the second is written.
Overlap ClassifyOverlap(const Layout& layout, uint32_t input, uintptr_t input_address, uint32_t written,
                        uintptr_t written_address) noexcept;

}  // namespace residue
