// One operator on one layout: checked, reduced to loops and given a row. Immutable, a plain value: it may be
// copied, shared between threads, and run any number of times. Making one allocates nothing.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "core/operator_id.h"
#include "core/status.h"
#include "cpu/engine/pass.h"
#include "layout/layout.h"

namespace residue {

// The operands of an operator, by number: its inputs, then its output.
inline constexpr uint32_t kMostOperatorOperands = kMostInputs + 1;
inline constexpr uint32_t kOperandA = 0;
inline constexpr uint32_t kOperandB = 1;

// An unvalidated request, owned and without pointers.
struct OpRequest {
  OperatorId op;
  DataType type;                   // of the first input
  std::optional<DataType> result;  // of the results, if the operator leaves a choice
  uint32_t rank;
  Sizes sizes;
  std::array<Strides, kMostOperatorOperands> strides;  // the inputs', then the output's
  Params params{};
  bool in_order = false;  // elements see what those before them have written; one dimension at most

  uint32_t output() const noexcept { return InputCount(op); }
  DataType OperandType(uint32_t operand) const noexcept {
    return residue::OperandType(op, operand, type, result_type());
  }
  DataType result_type() const noexcept { return result.value_or(OutputType(op, type)); }
};

struct Plan {
  OpRequest request;
  Layout layout;
  RowCall row;
  Target target;
  Reach reach;
  uint8_t widest;

  // Valid as long as the plan.
  Pass pass() const noexcept;
};

// Makes a plan with the best row no better than `max_target`; plan->request is what is wanted.
Status CompletePlan(Target max_target, Plan* plan) noexcept;

Status MakePlan(const OpRequest& request, Target max_target, Plan* plan) noexcept;

}  // namespace residue
