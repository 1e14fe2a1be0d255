#include "schema/operator_schema.h"

#include <iterator>

namespace residue {
namespace {

using enum FeatureLevel;
constexpr TypeSet kFloat16And32 = SetOf(DataType::kFloat16) | SetOf(DataType::kFloat32);
constexpr TypeSet kFloat64 = SetOf(DataType::kFloat64);
constexpr TypeSet kSmallIntegers = SetOf(DataType::kInt8) | SetOf(DataType::kInt16) |
                                   SetOf(DataType::kInt32) | SetOf(DataType::kUint8) |
                                   SetOf(DataType::kUint16) | SetOf(DataType::kUint32);
constexpr TypeSet kAllIntegers = kSmallIntegers | SetOf(DataType::kInt64) | SetOf(DataType::kUint64);
constexpr bool kInPlace = true;

#define RESIDUE_OP(Name, C_NAME, value, text, inputs, exceptions, DML_NAME, in_place, ...) \
  constexpr Support k##Name##Support[] = {__VA_ARGS__};
#include "base/ops.inc"

constexpr OperatorSchema kSchemas[] = {
#define RESIDUE_OP(Name, C_NAME, value, text, inputs, exceptions, DML_NAME, in_place, ...)    \
  {OperatorId::k##Name, DML_OPERATOR_##DML_NAME, "DML_OPERATOR_" #DML_NAME, inputs, in_place, \
   k##Name##Support},
#include "base/ops.inc"
};

// Descriptions are read by their shape: all tensor pointers first, then the unary operators' ScaleBias.
#define RESIDUE_OP(Name, C_NAME, value, text, inputs, exceptions, DML_NAME, ...) \
  static_assert(sizeof(DML_##DML_NAME##_OPERATOR_DESC) == 3 * sizeof(void*) && (inputs == 1 || inputs == 2));
#include "base/ops.inc"

}  // namespace

const char* OperatorSchema::TensorName(uint32_t index) const noexcept {
  if (index == input_count) return "Output";
  if (input_count == 1) return "Input";
  return index == 0 ? "A" : "B";
}

std::span<const OperatorSchema> AllOperatorSchemas() noexcept { return kSchemas; }

const OperatorSchema* FindOperatorSchema(int32_t type) noexcept {
  for (const OperatorSchema& schema : kSchemas) {
    if (schema.type == type) return &schema;
  }
  return nullptr;
}

const Support* FindSupport(const OperatorSchema& schema, FeatureLevel level) noexcept {
  const Support* newest = nullptr;
  for (const Support& support : schema.support) {
    if (support.since <= level) newest = &support;
  }
  return newest;
}

bool IsTypeSupported(int32_t type, FeatureLevel level) noexcept {
  if (SizeOf(static_cast<DataType>(type)) == 0) return false;
  for (const OperatorSchema& schema : kSchemas) {
    const Support* support = FindSupport(schema, level);
    if (support != nullptr && (support->types & SetOf(static_cast<DataType>(type))) != 0) return true;
  }
  return false;
}

const char* TypeConstantName(int32_t type) noexcept {
  switch (type) {
    case DML_TENSOR_DATA_TYPE_UNKNOWN:
      return "DML_TENSOR_DATA_TYPE_UNKNOWN";
    case DML_TENSOR_DATA_TYPE_UINT4:
      return "DML_TENSOR_DATA_TYPE_UINT4";
    case DML_TENSOR_DATA_TYPE_INT4:
      return "DML_TENSOR_DATA_TYPE_INT4";
#define RESIDUE_TYPE(Name, C_NAME, value, Cpp, text) \
  case value:                                        \
    return "DML_TENSOR_DATA_TYPE_" #C_NAME;
#include "base/types.inc"
    default:
      return "unknown";
  }
}

}  // namespace residue
