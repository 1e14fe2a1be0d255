#include "directml/operator_schema.h"

#include <iterator>

namespace residue {
namespace {

using enum FeatureLevel;
constexpr TypeSet kFloat16And32 = SetOf(DataType::kFloat16) | SetOf(DataType::kFloat32);
constexpr TypeSet kFloat64 = SetOf(DataType::kFloat64);
constexpr TypeSet k32BitIntegers = SetOf(DataType::kInt32) | SetOf(DataType::kUint32);
constexpr TypeSet k64BitIntegers = SetOf(DataType::kInt64) | SetOf(DataType::kUint64);
constexpr TypeSet kSmallIntegers = SetOf(DataType::kInt8) | SetOf(DataType::kInt16) |
                                   SetOf(DataType::kInt32) | SetOf(DataType::kUint8) |
                                   SetOf(DataType::kUint16) | SetOf(DataType::kUint32);
constexpr TypeSet kAllIntegers = kSignedIntegers | kUnsignedIntegers;
constexpr bool kInPlace = true;

// The words of the list.
constexpr Field Input(const char* name, Letter letter = kT) { return {Field::kInput, name, letter}; }
constexpr Field Output(const char* name, Letter letter = kT) { return {Field::kOutput, name, letter}; }
constexpr Field ScaleBias() { return {Field::kScaleBias, "ScaleBias"}; }

#define RESIDUE_FIELDS(...) \
  { __VA_ARGS__ }
#define RESIDUE_SUPPORT(...) \
  { __VA_ARGS__ }

#define RESIDUE_DML(NAME, Operator, in_place, fields, support) \
  constexpr Field k##NAME##_Fields[] = fields;                 \
  constexpr Support k##NAME##_Support[] = support;
#include "directml/operators.def"

constexpr uint32_t CountInputs(std::span<const Field> fields) {
  uint32_t count = 0;
  for (const Field& field : fields) count += field.kind == Field::kInput ? 1 : 0;
  return count;
}
constexpr size_t CountParamsBytes(std::span<const Field> fields) {
  size_t bytes = 0;
  for (const Field& field : fields) bytes += field.is_param() ? field.bytes() : 0;
  return bytes;
}

constexpr bool EnumeratorsHaveValues(std::span<const Field> fields) {
  for (const Field& field : fields) {
    if ((field.kind == Field::kEnumerator) == field.values.empty()) return false;
  }
  return true;
}

constexpr OperatorSchema kSchemas[] = {
#define RESIDUE_DML(NAME, Operator, in_place, fields, support) \
  {OperatorId::k##Operator,                                    \
   DML_OPERATOR_##NAME,                                        \
   "DML_OPERATOR_" #NAME,                                      \
   CountInputs(k##NAME##_Fields),                              \
   in_place,                                                   \
   k##NAME##_Fields,                                           \
   k##NAME##_Support},
#include "directml/operators.def"
};

// Descriptions are as large as their fields say, and the operator has the inputs and params that they give.
#define RESIDUE_DML(NAME, Operator, in_place, fields, support)                         \
  static_assert(EnumeratorsHaveValues(k##NAME##_Fields));                              \
  static_assert(DescBytes(k##NAME##_Fields) == sizeof(DML_##NAME##_OPERATOR_DESC));    \
  static_assert(CountInputs(k##NAME##_Fields) == InputCount(OperatorId::k##Operator)); \
  static_assert(CountParamsBytes(k##NAME##_Fields) == ParamsBytes(OperatorId::k##Operator));
#include "directml/operators.def"

}  // namespace

const Field& OperatorSchema::Tensor(uint32_t index) const noexcept {
  for (const Field& field : fields) {
    if (field.is_tensor() && index-- == 0) return field;
  }
  return fields.back();  // there is no such tensor
}

bool OperatorSchema::has_scale_bias() const noexcept {
  for (const Field& field : fields) {
    if (field.kind == Field::kScaleBias) return true;
  }
  return false;
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
  for (const OperatorSchema& schema : kSchemas) {
    const Support* support = FindSupport(schema, level);
    if (support == nullptr) continue;
    for (const TypeSet types : support->types) {
      if (Contains(types, static_cast<DataType>(type))) return true;
    }
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
#include "core/types.def"
    default:
      return "unknown";
  }
}

}  // namespace residue
