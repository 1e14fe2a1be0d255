// Access: moving elements between memory of any layout and packed blocks, by element size and target. What is
// moved is bits; operators and types mean nothing here.
#pragma once

#include <cstddef>

#include "cpu/rows/target.h"

namespace residue {

struct Access {
  // `count` elements, `stride` bytes apart, into a packed block. What lies between them is not read.
  void (*gather)(const std::byte* from, ptrdiff_t stride, size_t count, std::byte* to) noexcept;

  // The other way; what lies between them is not written.
  void (*scatter)(const std::byte* from, size_t count, std::byte* to, ptrdiff_t stride) noexcept;

  // Copies a block of a matrix with rows and columns exchanged. Column c of the block is a packed line of
  // `rows` elements, line_stride bytes from the one before; row r of the result begins at r * to_pitch bytes.
  void (*transpose)(const std::byte* from, ptrdiff_t line_stride, size_t rows, size_t columns, std::byte* to,
                    size_t to_pitch) noexcept;

  // Copies rows of `bytes` each, from_pitch apart, to rows that lie to_stride apart, past the caches where
  // they are whole lines and a target can. The caller must flush in the end.
  void (*stream)(const std::byte* from, size_t from_pitch, size_t rows, size_t bytes, std::byte* to,
                 ptrdiff_t to_stride) noexcept;
};

// For elements of 1, 2, 4 or 8 bytes, by the best target no better than `max` that this machine can run.
const Access& FindAccess(size_t element_size, Target max) noexcept;

// Makes everything streamed by this thread visible to others.
void FlushStreams() noexcept;

}  // namespace residue
