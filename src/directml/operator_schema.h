// What DirectML says about each operator of the one list: its number, the members of its description, and
// which types and ranks it takes at which feature level.
#pragma once

#include <DirectML.h>

#include <array>
#include <cstdint>
#include <span>

#include "core/operator_id.h"
#include "core/type_set.h"
#include "directml/feature_level.h"

namespace residue {

// No operator has more inputs, nor more tensors, inputs and output together.
inline constexpr uint32_t kMostTensorInputs = 8;
inline constexpr uint32_t kMostTensors = kMostTensorInputs + 1;

// Tensors of an operator that have one letter have one type. No operator has more letters.
enum Letter : uint8_t { kT, kU, kV, kW, kX, kY };
inline constexpr size_t kMostLetters = kY + 1;

// How an operator is computed by those of src/core/ops.def.
enum class Recipe : uint8_t {
  kDirect,     // it is one of them
  kThreshold,  // all others are made of several (src/directml/lower.cc)
  kRelu,
  kLinear,
  kHardSigmoid,
  kAddActivation,
  kFillConstant,
  kFillSequence,
  kQuantize,
  kDequantize,
  kQuantizedAdd,
  kPow,
  kConstantPow,
};

// A member of an operator's description.
struct Field {
  enum Kind : uint8_t {
    kInput,          // const DML_TENSOR_DESC*
    kOutput,         // const DML_TENSOR_DESC*, after all inputs
    kScaleBias,      // const DML_SCALE_BIAS*, may be null
    kActivation,     // const DML_OPERATOR_DESC*, may be null
    kType,           // DML_TENSOR_DATA_TYPE: that of the output
    kTypeOrUnknown,  // the same, or DML_TENSOR_DATA_TYPE_UNKNOWN
    kFloat32,        // FLOAT
    kSteepness,      // FLOAT, at least 1, and from 6_4 on above 0
    kEnumerator,     // an enumeration, or a UINT that stands for one
    kBound,          // FLOAT, converted to an element
    kElement,        // DML_SCALAR_UNION
  };
  Kind kind;
  const char* name;
  Letter letter = kT;                                      // of a tensor
  std::span<const char* const> values{};                   // an enumeration's, from 0 on
  bool one_element = false;                                // all sizes of the tensor are 1
  FeatureLevel optional_since = FeatureLevel{UINT32_MAX};  // from there on, the tensor may be null

  constexpr uint32_t bytes() const noexcept {
    return kind <= kActivation || kind == kElement ? sizeof(uint64_t) : sizeof(uint32_t);
  }
  constexpr bool is_tensor() const noexcept { return kind <= kOutput; }
  constexpr bool is_optional() const noexcept { return optional_since <= kHighestFeatureLevel; }
  constexpr bool is_param() const noexcept { return kind >= kFloat32; }
  // A bound is given as a FLOAT and kept as an element.
  constexpr uint32_t param_bytes() const noexcept { return kind == kBound ? sizeof(uint64_t) : bytes(); }
};
static_assert(sizeof(void*) == sizeof(uint64_t), "descriptions are those of 64-bit programs");

// From a level on, until a later entry replaces it.
struct Support {
  FeatureLevel since;
  uint32_t fewest_dimensions;
  uint32_t most_dimensions;
  std::array<TypeSet, kMostLetters> types;  // by letter
};

struct OperatorSchema {
  Recipe recipe;
  OperatorId op;     // what kDirect computes
  int32_t type;      // DML_OPERATOR_TYPE
  const char* name;  // "DML_OPERATOR_ELEMENT_WISE_MODULUS_FLOOR"
  uint32_t input_count;
  uint32_t in_place;  // bit i: the output may be input i
  std::span<const Field> fields;
  std::span<const Support> support;

  // The tensor's field; the output is tensor number input_count.
  const Field& Tensor(uint32_t index) const noexcept;
  bool has_scale_bias() const noexcept;
};

// Where the next member lies, and how large a description is: as the compiler places them.
constexpr uint32_t OffsetOfNext(uint32_t offset, const Field& field) noexcept {
  return (offset + field.bytes() - 1) / field.bytes() * field.bytes();
}
constexpr uint32_t DescBytes(std::span<const Field> fields) noexcept {
  uint32_t offset = 0;
  for (const Field& field : fields) offset = OffsetOfNext(offset, field) + field.bytes();
  return (offset + sizeof(void*) - 1) / sizeof(void*) * sizeof(void*);  // all begin with a pointer
}

std::span<const OperatorSchema> AllOperatorSchemas() noexcept;

// nullptr if this library does not have the operator.
const OperatorSchema* FindOperatorSchema(int32_t type) noexcept;

// nullptr if the operator does not exist at that level yet.
const Support* FindSupport(const OperatorSchema& schema, FeatureLevel level) noexcept;

// May the operator be the activation of another?
bool IsFusable(const OperatorSchema& schema) noexcept;

// Does any operator take or give the type at that level?
bool IsTypeSupported(int32_t type, FeatureLevel level) noexcept;

// The last number that DirectML.h gives to an operator.
inline constexpr int32_t kLastOperatorType = DML_OPERATOR_UNFOLD;

// "DML_TENSOR_DATA_TYPE_FLOAT32"; "unknown" for other numbers.
const char* TypeConstantName(int32_t type) noexcept;

}  // namespace residue
