// Sizes and strides of tensors.
#pragma once

#include <array>
#include <cstdint>

namespace residue {

inline constexpr uint32_t kMaxRank = 8;

using Sizes = std::array<uint64_t, kMaxRank>;
using Strides = std::array<int64_t, kMaxRank>;  // in bytes

}  // namespace residue
