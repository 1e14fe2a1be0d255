// Does one operand touch only bytes that another touches? Both see the same memory, with sizes of their own.
#pragma once

#include <cstdint>
#include <span>

namespace residue {

// Elements in memory. Those of what is written share no byte.
struct Region {
  std::span<const uint64_t> sizes;
  const int64_t* strides;  // in bytes, as many
  uint32_t element_size;
  uint64_t offset;  // of the first element
};

// The answer is exact if each stride of either is a multiple of the smaller ones that it does not step over;
// of regions whose strides cross it may be false where true would be right.
bool Covers(const Region& written, const Region& read) noexcept;

}  // namespace residue
