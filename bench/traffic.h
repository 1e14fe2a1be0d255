// The limit for operands of different sizes: inputs are read once, results are written once, and next to
// nothing is done in between.
#pragma once

#include <cstddef>
#include <span>

#include "limit.h"

namespace residue::bench {

// An operand of `count` elements, packed and aligned to 64 bytes.
struct Stream {
  std::byte* at;
  std::size_t element_bytes;
};

// `count` elements are a multiple of 8192 bytes of the largest operand; 1 to 3 inputs. False where there is
// no loop for these sizes.
bool Move(std::span<const Stream> inputs, const Stream& output, std::size_t count, Store store);

}  // namespace residue::bench
