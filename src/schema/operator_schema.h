// What DirectML says about each operator of the one list: its number, its tensors' names, and which types and
// ranks it takes at which feature level.
#pragma once

#include <DirectML.h>

#include <cstdint>
#include <span>

#include "base/data_type.h"
#include "base/operator_id.h"
#include "schema/feature_level.h"

namespace residue {

// Sets of element types, one bit per DML_TENSOR_DATA_TYPE.
using TypeSet = uint32_t;
constexpr TypeSet SetOf(DataType type) noexcept { return TypeSet{1} << static_cast<uint32_t>(type); }

// From a level on, until a later entry replaces it.
struct Support {
  FeatureLevel since;
  TypeSet types;
  uint32_t fewest_dimensions;
  uint32_t most_dimensions;
};

struct OperatorSchema {
  OperatorId op;
  int32_t type;      // DML_OPERATOR_TYPE
  const char* name;  // "DML_OPERATOR_ELEMENT_WISE_MODULUS_FLOOR"
  uint32_t input_count;
  bool in_place;
  std::span<const Support> support;

  // The tensor's field without "Tensor", as messages name it; the output is tensor number input_count.
  const char* TensorName(uint32_t index) const noexcept;
};

std::span<const OperatorSchema> AllOperatorSchemas() noexcept;

// nullptr if this library does not have the operator.
const OperatorSchema* FindOperatorSchema(int32_t type) noexcept;

// nullptr if the operator does not exist at that level yet.
const Support* FindSupport(const OperatorSchema& schema, FeatureLevel level) noexcept;

// Does any operator take the type at that level?
bool IsTypeSupported(int32_t type, FeatureLevel level) noexcept;

// The last number that DirectML.h gives to an operator.
inline constexpr int32_t kLastOperatorType = DML_OPERATOR_UNFOLD;

// "DML_TENSOR_DATA_TYPE_FLOAT32"; "unknown" for other numbers.
const char* TypeConstantName(int32_t type) noexcept;

}  // namespace residue
