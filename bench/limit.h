// The physical limit: the least that any element-wise operator must do, by the best loops there are.
#pragma once

#include <cstddef>

namespace residue::bench {

enum class Store { kPlain, kStreaming, kStreamingPages };

// out = a + b over `bytes` bytes of packed float32; b is one number if `scalar_b`. The arrays must be aligned
// to 64 bytes.
void Add(const std::byte* a, const std::byte* b, std::byte* out, std::size_t bytes, bool scalar_b,
         Store store);

// out = a * scale + bias, of such arrays.
void Scale(const std::byte* a, float scale, float bias, std::byte* out, std::size_t bytes, Store store);

}  // namespace residue::bench
