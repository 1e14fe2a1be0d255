// A residue_problem of two inputs and an output of one type, with the operands it points to.
#pragma once

#include <cstdint>

#include "residue/residue.h"

namespace residue::testing {

struct BinaryProblem {
  BinaryProblem(residue_operator op, residue_type type, uint32_t rank) {
    problem.size = sizeof(problem);
    problem.op = op;
    problem.rank = rank;
    problem.operand_count = 3;
    for (residue_operand& operand : operands) operand.type = type;
  }

  int64_t* a_strides() { return operands[0].strides; }
  int64_t* b_strides() { return operands[1].strides; }
  int64_t* out_strides() { return operands[2].strides; }
  // One input: the output comes second.
  void DropB() {
    operands[1] = operands[2];
    problem.operand_count = 2;
  }

  // For the C interface, as long as this lives where it is.
  const residue_problem* get() {
    problem.operands = operands;
    return &problem;
  }
  residue_status Run(const void* a, const void* b, void* out, const residue_options* options = nullptr) {
    const void* const inputs[] = {a, b};
    return residue_run(get(), inputs, out, options);
  }

  residue_operand operands[4] = {};  // one more, for who makes it a problem of three inputs
  residue_problem problem = {};
};

}  // namespace residue::testing
