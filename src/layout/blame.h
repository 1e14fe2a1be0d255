// Why a request was refused: the field to blame, its value, and the nearest value that mends it. Setting the
// field to that value makes the request valid, or leaves another field to blame; setting one field after the
// other makes any request valid. Nothing here is called for a request that is accepted.
#pragma once

#include <algorithm>
#include <bit>
#include <iterator>

#include "core/operator_id.h"
#include "core/status.h"
#include "layout/layout.h"

namespace residue {

static_assert(std::ranges::is_sorted(kAllOperators) && std::ranges::is_sorted(kAllDataTypes));

// A number that is not in the sorted list: the next one below that is wanted, or the first that is. One is.
template <class Enum, size_t kCount, class IsWanted>
Status BlameNumber(StatusCode code, const char* field, Enum given, const Enum (&known)[kCount],
                   IsWanted is_wanted) noexcept {
  const Enum* const first = std::ranges::find_if(known, is_wanted);
  const Enum* below = nullptr;
  for (const Enum* value = first; value != std::end(known) && *value < given; ++value) {
    if (is_wanted(*value)) below = value;
  }
  return {code,
          field,
          -1,
          static_cast<int64_t>(given),
          below == nullptr ? Relation::kAtLeast : Relation::kAtMost,
          static_cast<int64_t>(below == nullptr ? *first : *below)};
}

// Elements that the operator does not take: the first type that it does.
inline Status BlameType(OperatorId op, DataType given) noexcept {
  const TypeSet taken = InputTypes(op);
  return {StatusCode::kTypeNotTaken,   "operands[0].type", -1,
          static_cast<int64_t>(given), Relation::kEqualTo, std::countr_zero(taken)};
}

// The operands of an operator in refusals.
inline constexpr const char* kStrideFields[] = {"operands[0].strides", "operands[1].strides",
                                                "operands[2].strides", "operands[3].strides"};
inline constexpr const char* kTypeFields[] = {"operands[0].type", "operands[1].type", "operands[2].type",
                                              "operands[3].type"};
static_assert(std::size(kStrideFields) > kMostInputs && std::size(kTypeFields) > kMostInputs);

// An operator that there is, and elements that it takes.
inline Status CheckOperator(OperatorId op, DataType type) noexcept {
  if (OperatorName(op) == nullptr) {
    return BlameNumber(StatusCode::kInvalidOperator, "op", op, kAllOperators,
                       [](OperatorId) { return true; });
  }
  const auto is_taken = [op](DataType one) { return Contains(InputTypes(op), one); };
  if (SizeOf(type) == 0) {
    return BlameNumber(StatusCode::kInvalidType, kTypeFields[0], type, kAllDataTypes, is_taken);
  }
  return is_taken(type) ? Status{} : BlameType(op, type);
}

// The types of all operands: the inputs', then the result's.
inline Status CheckTypes(OperatorId op, const DataType* types) noexcept {
  if (const Status status = CheckOperator(op, types[0]); !status.ok()) return status;
  const uint32_t output = InputCount(op);
  const DataType result = types[output];
  if (!IsUniform(op) && !Gives(op, types[0], result)) {
    return {
        StatusCode::kTypeNotTaken,    kTypeFields[output], -1,
        static_cast<int64_t>(result), Relation::kEqualTo,  static_cast<int64_t>(OutputType(op, types[0]))};
  }
  const DataType given = Gives(op, types[0], result) ? result : types[0];
  for (uint32_t k = 1; k <= output; ++k) {
    const DataType wanted = OperandType(op, k, types[0], given);
    if (types[k] == wanted) continue;
    return {StatusCode::kTypeMismatch,      kTypeFields[k],     -1,
            static_cast<int64_t>(types[k]), Relation::kEqualTo, static_cast<int64_t>(wanted)};
  }
  return {};
}

// More elements than an output could have, each in a place of its own; kOk if it is not that.
Status BlameSizes(const LayoutRequest& request) noexcept;

// An operand that spans more than kMaxExtent.
Status BlameExtent(const LayoutRequest& request, uint32_t operand) noexcept;

// A written operand whose elements may share bytes, and which spans no more than kMaxExtent.
Status BlameOverlap(const LayoutRequest& request, uint32_t operand) noexcept;

}  // namespace residue
