// The plainest request: one dimension, all operands packed.
#pragma once

#include "cpu/engine/plan.h"

namespace residue::testing {

inline OpRequest PackedRequest(OperatorId op, DataType type, uint64_t count) {
  OpRequest request{};
  request.op = op;
  request.type = type;
  request.rank = 1;
  request.sizes[0] = count;
  request.params = DefaultParams(op);
  for (auto& strides : request.strides) strides[0] = static_cast<int64_t>(SizeOf(type));
  return request;
}

}  // namespace residue::testing
