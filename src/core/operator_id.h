// Operator identities and what the one list in ops.def says of each.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "core/params.h"
#include "core/type_set.h"

namespace residue {

enum class OperatorId : int32_t {
#define RESIDUE_OP(Name, C_NAME, value, ...) k##Name = (value),
#include "core/ops.def"
};

inline constexpr OperatorId kAllOperators[] = {
#define RESIDUE_OP(Name, ...) OperatorId::k##Name,
#include "core/ops.def"
};

// No operator reads more tensors.
inline constexpr uint32_t kMostInputs = 3;

// Which exceptions the elements of an operator may have (src/core/exceptions.h).
enum class ExceptionRule : uint8_t {
  kNone,
  kDivision,    // integers: a division by zero; floats: an invalid operation
  kArithmetic,  // floats: an invalid operation or an overflow, of every rounded operation
};

// What the list says of one operator.
struct OperatorTraits {
  const char* name = nullptr;  // printable
  uint32_t inputs = 0;         // how many tensors it reads
  TypeSet types = 0;           // which elements they may have
  std::optional<DataType> output;
  size_t params_bytes = 0;
  Params default_params;  // where nobody says otherwise
  ExceptionRule exceptions = ExceptionRule::kNone;
};

namespace detail {

inline constexpr auto kOperatorCount = static_cast<size_t>(*std::ranges::max_element(kAllOperators)) + 1;

consteval auto MakeTraits() {
  constexpr std::optional<DataType> kSameType;
  std::array<OperatorTraits, kOperatorCount> traits{};
#define RESIDUE_OP(Name, C_NAME, value, text, inputs, types, output, Parameters, exceptions) \
  traits[value] = {text,                                                                     \
                   inputs,                                                                   \
                   types,                                                                    \
                   output,                                                                   \
                   std::is_empty_v<Parameters> ? 0 : sizeof(Parameters),                     \
                   Params::Of(Parameters{}),                                                 \
                   ExceptionRule::exceptions};
#include "core/ops.def"
  return traits;
}
inline constexpr std::array<OperatorTraits, kOperatorCount> kTraits = MakeTraits();

}  // namespace detail

// Of a number that is not an operator: no name, no inputs, no types.
constexpr const OperatorTraits& TraitsOf(OperatorId op) noexcept {
  const auto index = static_cast<uint32_t>(op);  // number 0 is nobody's
  return detail::kTraits[index < detail::kOperatorCount ? index : 0];
}

constexpr const char* OperatorName(OperatorId op) noexcept { return TraitsOf(op).name; }
constexpr uint32_t InputCount(OperatorId op) noexcept { return TraitsOf(op).inputs; }
constexpr TypeSet InputTypes(OperatorId op) noexcept { return TraitsOf(op).types; }
constexpr size_t ParamsBytes(OperatorId op) noexcept { return TraitsOf(op).params_bytes; }
constexpr const Params& DefaultParams(OperatorId op) noexcept { return TraitsOf(op).default_params; }
// Integers wrap: their arithmetic has no exceptions.
constexpr ExceptionRule ExceptionRuleOf(OperatorId op, DataType type) noexcept {
  const ExceptionRule rule = TraitsOf(op).exceptions;
  return rule == ExceptionRule::kArithmetic && !Contains(kFloats, type) ? ExceptionRule::kNone : rule;
}

// The type of the results for inputs of this type.
constexpr DataType OutputType(OperatorId op, DataType input) noexcept {
  return TraitsOf(op).output.value_or(input);
}

}  // namespace residue
