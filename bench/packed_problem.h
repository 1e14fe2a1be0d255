// A problem of the C interface on packed tensors of one dimension, and what it points to.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/data_type.h"
#include "core/operator_id.h"
#include "residue/residue.h"

namespace residue::bench {

struct PackedProblem {
  // The operator's types are those of its first input and of its results.
  PackedProblem(OperatorId op, DataType type, DataType result, size_t count, const Params& params_)
      : params(params_) {
    for (uint32_t k = 0; k <= InputCount(op); ++k) {
      const DataType of_operand = OperandType(op, k, type, result);
      operands[k].type = static_cast<residue_type>(of_operand);
      operands[k].strides[0] = static_cast<int64_t>(SizeOf(of_operand));
    }
    problem.size = sizeof(problem);
    problem.op = static_cast<residue_operator>(op);
    problem.rank = 1;
    problem.sizes[0] = count;
    problem.operand_count = InputCount(op) + 1;
    problem.operands = operands;
    problem.params_size = static_cast<uint32_t>(ParamsBytes(op));
    problem.params = problem.params_size == 0 ? nullptr : params.bytes;
  }
  PackedProblem(const PackedProblem&) = delete;
  PackedProblem& operator=(const PackedProblem&) = delete;

  Params params;
  residue_operand operands[kMostInputs + 1] = {};
  residue_problem problem = {};
};

}  // namespace residue::bench
