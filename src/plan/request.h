// What somebody wants computed: an owned copy without pointers, still untrusted.
#pragma once

#include <array>
#include <cstdint>

#include "base/attributes.h"
#include "base/data_type.h"
#include "base/operator_id.h"

namespace residue {

inline constexpr uint32_t kMaxRank = 8;

enum Operand : uint8_t { kOperandA, kOperandB, kOperandOut };
inline constexpr int kOperandCount = 3;

using Sizes = std::array<uint64_t, kMaxRank>;
using Strides = std::array<int64_t, kMaxRank>;

struct OpRequest {
  OperatorId op;
  DataType type;
  uint32_t rank;
  Sizes sizes;
  std::array<Strides, kOperandCount> strides;  // in bytes, by Operand; b means nothing with one input
  Attributes attributes{};
  bool in_order = false;  // elements see what those before them have written; one dimension at most
};

}  // namespace residue
