// Which bytes two operands share: an exact answer wherever it can be had with bounded work.
#pragma once

#include <cstddef>
#include <cstdint>

#include "plan/layout.h"

namespace residue {

enum class Overlap : uint8_t {
  kDisjoint,   // no byte in common
  kIdentical,  // element for element the same bytes: in place
  kPartial,    // anything else, or too intricate to tell
};

// True if two different output elements share a byte. Needs the loops sorted, not yet merged.
bool OutputOverlapsItself(const Layout& layout, size_t element_size) noexcept;

// How an input at address `input` and the output at address `out` lie to each other.
Overlap ClassifyOverlap(const Layout& layout, Operand operand, uintptr_t input, uintptr_t out,
                        size_t element_size) noexcept;

}  // namespace residue
