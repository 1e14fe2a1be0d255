// How a job is cut into pieces for several threads.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace residue {

struct Partition {
  uint64_t piece_elements;  // elements of every piece but the last
  uint64_t piece_count;
};

// Waking threads costs about as much as computing this many bytes of each tensor.
inline constexpr uint64_t kSmallestSharedBytes = uint64_t{256} * 1024;

// Is there enough work to make waking other threads pay? Sizes are powers of two.
inline bool IsWorthSharing(uint64_t element_count, size_t element_size) noexcept {
  return element_count >= kSmallestSharedBytes >> std::countr_zero(element_size);
}

// One piece if the work is too small to share, else a few pieces per thread, so that a slow thread does not
// hold up the others. Pieces are whole blocks of elements, so that threads share few cache lines.
Partition MakePartition(uint64_t element_count, size_t element_size, uint32_t num_threads) noexcept;

}  // namespace residue
