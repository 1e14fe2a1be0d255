// Operator identities and what the one list in ops.def says of each.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string_view>
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
  kArithmetic,  // floats: all three, of every rounded operation
  kQuotient,    // integers as kDivision, floats as kArithmetic
  kResult,      // floats: NaN of operands that are none is invalid, an infinity of finite ones is an overflow
  kPole,        // the same, except that an infinity of 0, 1 or -1 is a division by zero
};

// What the list says of one operator.
struct OperatorTraits {
  const char* name = nullptr;   // printable
  const char* letters = "";     // of the tensors it reads
  uint32_t inputs = 0;          // how many they are
  TypeSet types = 0;            // which elements the first may have
  TypeSet results = kSameType;  // and the results
  size_t params_bytes = 0;
  Params default_params;  // where nobody says otherwise
  ExceptionRule exceptions = ExceptionRule::kNone;
};

namespace detail {

inline constexpr auto kOperatorCount = static_cast<size_t>(*std::ranges::max_element(kAllOperators)) + 1;

consteval auto MakeTraits() {
  std::array<OperatorTraits, kOperatorCount> traits{};
#define RESIDUE_OP(Name, C_NAME, value, text, letters, types, results, Parameters, exceptions) \
  traits[value] = {text,                                                                       \
                   letters,                                                                    \
                   sizeof(letters) - 1,                                                        \
                   types,                                                                      \
                   results,                                                                    \
                   std::is_empty_v<Parameters> ? 0 : sizeof(Parameters),                       \
                   Params::Of(Parameters{}),                                                   \
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
// Seen from operands and results, whatever was computed between them.
constexpr bool IsSeenFromResults(ExceptionRule rule) noexcept {
  return rule == ExceptionRule::kResult || rule == ExceptionRule::kPole;
}
// Integers wrap: their arithmetic has no exceptions, except division by zero.
constexpr ExceptionRule ExceptionRuleOf(OperatorId op, DataType type) noexcept {
  const ExceptionRule rule = TraitsOf(op).exceptions;
  const bool is_float = Contains(kFloats, type);
  if (rule == ExceptionRule::kQuotient)
    return is_float ? ExceptionRule::kArithmetic : ExceptionRule::kDivision;
  return rule == ExceptionRule::kDivision || is_float ? rule : ExceptionRule::kNone;
}

// All of its tensors have one type, unless somebody asks for halves of FLOAT32 numbers.
constexpr bool IsUniform(OperatorId op) noexcept {
  return TraitsOf(op).results == kSameType || TraitsOf(op).results == kSameOrHalf;
}

// Does it give results of that type for inputs of this one?
constexpr bool Gives(OperatorId op, DataType type, DataType result) noexcept {
  if (!Contains(InputTypes(op), type)) return false;
  if (!IsUniform(op)) return Contains(TraitsOf(op).results, result);
  const bool halves = TraitsOf(op).results == kSameOrHalf && type == DataType::kFloat32;
  return result == type || (halves && result == DataType::kFloat16);
}

// Is it computed with more digits and rounded once? The reference takes its time for that: it has 320.
constexpr bool IsFunction(OperatorId op, DataType type) noexcept {
  switch (op) {
    case OperatorId::kPow:
    case OperatorId::kPowOfSum:
    case OperatorId::kPowTruncated:
      return Contains(kFloats, type);
#define RESIDUE_OP(...)
#define RESIDUE_FUNCTION(Name, ...) case OperatorId::k##Name:
#include "core/ops.def"
      return true;
    default:
      return false;
  }
}

// Nobody has to say which type the results have.
constexpr bool HasOneResult(OperatorId op) noexcept {
  return IsUniform(op) || std::has_single_bit(TraitsOf(op).results);
}

// The type of one input tells those of all, and of the results.
constexpr bool IsToldByOneType(OperatorId op) noexcept {
  return HasOneResult(op) && std::string_view(TraitsOf(op).letters).find('R') == std::string_view::npos;
}

// The type of the results for inputs of this type: the only one, or the first of several.
constexpr DataType OutputType(OperatorId op, DataType input) noexcept {
  if (IsUniform(op)) return input;
  return static_cast<DataType>(std::countr_zero(TraitsOf(op).results));
}

// The type of an input, or of the results, which come after the inputs.
constexpr DataType OperandType(OperatorId op, uint32_t operand, DataType type, DataType result) noexcept {
  const OperatorTraits& traits = TraitsOf(op);
  return operand < traits.inputs && traits.letters[operand] == 'T' ? type : result;
}

}  // namespace residue
