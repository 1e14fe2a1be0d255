// What is worth telling about the elements of a run: IEEE 754's exceptions, as far as a modulus has them.
// Results are defined whatever happens; a caller may want to know that it did.
#pragma once

#include <cstdint>

#include "base/operator_id.h"

namespace residue {

// A set of bits.
using Exceptions = uint32_t;
inline constexpr Exceptions kNoException = 0;
inline constexpr Exceptions kDivisionByZero = 1;    // an integer divisor of 0
inline constexpr Exceptions kInvalidOperation = 2;  // a float divisor of 0 or an infinite dividend, unless
                                                    // the other operand is NaN; a signalling NaN

// Which of them an operator has.
enum class ExceptionRule : uint8_t { kNone, kDivision };

constexpr ExceptionRule ExceptionRuleOf(OperatorId op) noexcept {
  ExceptionRule rule = ExceptionRule::kNone;
#define RESIDUE_OP(Name, C_NAME, value, text, inputs, exceptions, ...) \
  if (op == OperatorId::k##Name) rule = ExceptionRule::exceptions;
#include "base/ops.inc"
  return rule;
}

}  // namespace residue
