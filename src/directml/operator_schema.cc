#include "directml/operator_schema.h"

#include <iterator>

namespace residue {
namespace {

using enum FeatureLevel;
constexpr TypeSet kFloat16 = SetOf(DataType::kFloat16);
constexpr TypeSet kFloat32 = SetOf(DataType::kFloat32);
constexpr TypeSet kFloat16And32 = kFloat16 | kFloat32;
constexpr TypeSet kFloat64 = SetOf(DataType::kFloat64);
constexpr TypeSet kInt32 = SetOf(DataType::kInt32);
constexpr TypeSet kUint8 = SetOf(DataType::kUint8);
constexpr TypeSet kUint32 = SetOf(DataType::kUint32);
constexpr TypeSet k32BitIntegers = kInt32 | kUint32;
constexpr TypeSet k64BitIntegers = SetOf(DataType::kInt64) | SetOf(DataType::kUint64);
constexpr TypeSet kSmallIntegers = kIntegers & ~k64BitIntegers;
constexpr TypeSet kSmallSigned = kSmallIntegers & kSignedIntegers;
constexpr TypeSet kSmallUnsigned = kSmallIntegers & kUnsignedIntegers;
constexpr uint32_t kNotInPlace = 0;
constexpr uint32_t kInPlaceOfFirst = 1;
constexpr uint32_t kInPlace = UINT32_MAX;  // of all

constexpr const char* kRoundingModes[] = {"DML_ROUNDING_MODE_HALVES_TO_NEAREST_EVEN",
                                          "DML_ROUNDING_MODE_TOWARD_ZERO",
                                          "DML_ROUNDING_MODE_TOWARD_INFINITY"};
constexpr const char* kInfinityModes[] = {"DML_IS_INFINITY_MODE_EITHER", "DML_IS_INFINITY_MODE_POSITIVE",
                                          "DML_IS_INFINITY_MODE_NEGATIVE"};

// The words of the list.
consteval Field Input(const char* name, Letter letter = kT) { return {Field::kInput, name, letter}; }
consteval Field OptionalInput(const char* name, Letter letter, FeatureLevel since) {
  return {.kind = Field::kInput, .name = name, .letter = letter, .optional_since = since};
}
consteval Field OneElement(const char* name, Letter letter = kT) {
  return {.kind = Field::kInput, .name = name, .letter = letter, .one_element = true};
}
consteval Field OptionalElement(const char* name, Letter letter = kT) {
  return {.kind = Field::kInput, .name = name, .letter = letter, .one_element = true, .optional_since = k1_0};
}
consteval Field Output(const char* name, Letter letter = kT) { return {Field::kOutput, name, letter}; }
consteval Field ScaleBias() { return {Field::kScaleBias, "ScaleBias"}; }
consteval Field Activation(const char* name) { return {Field::kActivation, name}; }
consteval Field Type(const char* name) { return {Field::kType, name}; }
consteval Field TypeOrUnknown(const char* name) { return {Field::kTypeOrUnknown, name}; }
consteval Field Float32(const char* name) { return {Field::kFloat32, name}; }
consteval Field Steepness(const char* name) { return {Field::kSteepness, name}; }
consteval Field Enumerator(const char* name, std::span<const char* const> values) {
  return {Field::kEnumerator, name, kT, values};
}
consteval Field Bound(const char* name) { return {Field::kBound, name}; }
consteval Field Element(const char* name) { return {Field::kElement, name}; }

struct Made {
  consteval Made(Recipe recipe_) : recipe(recipe_) {}
  consteval Made(OperatorId op_) : recipe(Recipe::kDirect), op(op_) {}
  Recipe recipe;
  OperatorId op{};
};
using enum Recipe;
#define Direct(Operator) OperatorId::k##Operator

#define RESIDUE_FIELDS(...) \
  { __VA_ARGS__ }
#define RESIDUE_SUPPORT(...) \
  { __VA_ARGS__ }

#define RESIDUE_DML(NAME, recipe, in_place, fields, support) \
  constexpr Field k##NAME##_Fields[] = fields;               \
  constexpr Support k##NAME##_Support[] = support;
#include "directml/operators.def"

consteval uint32_t CountInputs(std::span<const Field> fields) {
  uint32_t count = 0;
  for (const Field& field : fields) count += field.kind == Field::kInput ? 1 : 0;
  return count;
}
consteval size_t CountParamsBytes(std::span<const Field> fields) {
  size_t bytes = 0;
  for (const Field& field : fields) bytes += field.is_param() ? field.param_bytes() : 0;
  return bytes;
}

consteval bool EnumeratorsHaveValues(std::span<const Field> fields) {
  for (const Field& field : fields) {
    if ((field.kind == Field::kEnumerator) == field.values.empty()) return false;
  }
  return true;
}

constexpr OperatorSchema kSchemas[] = {
#define RESIDUE_DML(NAME, made, in_place, fields, support) \
  {Made(made).recipe,                                      \
   Made(made).op,                                          \
   DML_OPERATOR_##NAME,                                    \
   "DML_OPERATOR_" #NAME,                                  \
   CountInputs(k##NAME##_Fields),                          \
   in_place & ((1u << CountInputs(k##NAME##_Fields)) - 1), \
   k##NAME##_Fields,                                       \
   k##NAME##_Support},
#include "directml/operators.def"
};

// An operator of the library has the inputs and params that the fields give.
consteval bool Fits(const Made& made, std::span<const Field> fields) {
  return made.recipe != Recipe::kDirect ||
         (CountInputs(fields) == InputCount(made.op) && CountParamsBytes(fields) == ParamsBytes(made.op));
}
#define RESIDUE_DML(NAME, made, in_place, fields, support)                          \
  static_assert(EnumeratorsHaveValues(k##NAME##_Fields));                           \
  static_assert(DescBytes(k##NAME##_Fields) == sizeof(DML_##NAME##_OPERATOR_DESC)); \
  static_assert(CountInputs(k##NAME##_Fields) <= kMostTensorInputs);                \
  static_assert(CountParamsBytes(k##NAME##_Fields) <= kMostParamsBytes);            \
  static_assert(Fits(made, k##NAME##_Fields));
#include "directml/operators.def"
#undef Direct

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

bool IsFusable(const OperatorSchema& schema) noexcept {
  switch (schema.type) {
    case DML_OPERATOR_ACTIVATION_CELU:
    case DML_OPERATOR_ACTIVATION_ELU:
    case DML_OPERATOR_ACTIVATION_GELU:
    case DML_OPERATOR_ACTIVATION_HARD_SIGMOID:
    case DML_OPERATOR_ACTIVATION_IDENTITY:
    case DML_OPERATOR_ACTIVATION_LEAKY_RELU:
    case DML_OPERATOR_ACTIVATION_LINEAR:
    case DML_OPERATOR_ACTIVATION_PARAMETRIC_SOFTPLUS:
    case DML_OPERATOR_ACTIVATION_RELU:
    case DML_OPERATOR_ACTIVATION_SCALED_ELU:
    case DML_OPERATOR_ACTIVATION_SCALED_TANH:
    case DML_OPERATOR_ACTIVATION_SHRINK:
    case DML_OPERATOR_ACTIVATION_SIGMOID:
    case DML_OPERATOR_ACTIVATION_SOFTPLUS:
    case DML_OPERATOR_ACTIVATION_SOFTSIGN:
    case DML_OPERATOR_ACTIVATION_TANH:
    case DML_OPERATOR_ACTIVATION_THRESHOLDED_RELU:
      return true;
    default:
      return false;
  }
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
