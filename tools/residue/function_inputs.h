// The numbers on which residue verify compares functions: all float32 numbers, or a part of them, or pairs.
#pragma once

#include <cstdint>
#include <vector>

#include "core/operator_id.h"

namespace residue::tool {

class FunctionInputs {
 public:
  FunctionInputs(OperatorId op, bool exhaustive) : op_(op), exhaustive_(exhaustive) {}

  uint64_t count() const;

  // Elements of both operands, from number `begin` on; the second is empty if there is one operand only.
  // Pairs are random, and the same for the same `begin`.
  void Fill(uint64_t begin, std::vector<float>* x, std::vector<float>* y) const;

 private:
  OperatorId op_;
  bool exhaustive_;
};

}  // namespace residue::tool
