// Operator identities, made from the one list in ops.inc.
#pragma once

#include <cstdint>

namespace residue {

enum class OperatorId : int32_t {
#define RESIDUE_OP(Name, C_NAME, value, text, ...) k##Name = (value),
#include "base/ops.inc"
};

inline constexpr OperatorId kAllOperators[] = {
#define RESIDUE_OP(Name, C_NAME, value, text, ...) OperatorId::k##Name,
#include "base/ops.inc"
};

// The printable name, or nullptr for a number that is not an operator.
constexpr const char* OperatorName(OperatorId op) noexcept {
  switch (op) {
#define RESIDUE_OP(Name, C_NAME, value, text, ...) \
  case OperatorId::k##Name:                        \
    return text;
#include "base/ops.inc"
  }
  return nullptr;
}

// How many tensors the operator reads; 0 for a number that is not an operator.
constexpr int InputCount(OperatorId op) noexcept {
  int count = 0;
#define RESIDUE_OP(Name, C_NAME, value, text, inputs, ...) \
  if (op == OperatorId::k##Name) count = inputs;
#include "base/ops.inc"
  return count;
}

}  // namespace residue
