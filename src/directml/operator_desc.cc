#include "directml/operator_desc.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "core/float_environment.h"
#include "core/half.h"
#include "layout/layout.h"

namespace residue {
namespace {

constexpr auto kInvalid = RefusalCode::kInvalidArgument;

Refusal FindOperator(const DML_OPERATOR_DESC& desc, FeatureLevel level, OperatorRequest* request) noexcept {
  const int32_t type = NumberOf(desc.Type);
  if (type <= DML_OPERATOR_INVALID || type > kLastOperatorType) {
    return Refuse(kInvalid, "the operator Type is %d, but must be between 1 and %d", type, kLastOperatorType);
  }
  request->schema = FindOperatorSchema(type);
  if (request->schema == nullptr) {
    return Refuse(
        RefusalCode::kUnsupported,
        "the operator Type is %d, which this library does not have; `residue list` names those that it has",
        type);
  }
  const FeatureLevel since = request->schema->support.front().since;
  if (level < since) {
    return Refuse(RefusalCode::kUnsupported, "%s needs feature level 0x%x, but the device has 0x%x",
                  request->schema->name, static_cast<uint32_t>(since), static_cast<uint32_t>(level));
  }
  if (desc.Desc == nullptr) return Refuse(kInvalid, "the Desc is null, but must be set");
  return {};
}

// The first tensor that is there with the same letter, which may be this one.
uint32_t FirstOfLetter(const OperatorRequest& request, uint32_t index) noexcept {
  const OperatorSchema& schema = *request.schema;
  uint32_t first = 0;
  while (schema.Tensor(first).letter != schema.Tensor(index).letter || !request.tensors[first].is_present())
    ++first;
  return first;
}

Refusal CheckSizes(const OperatorRequest& request, uint32_t index) noexcept {
  const Field& field = request.schema->Tensor(index);
  const TensorDesc& tensor = request.tensors[index];
  const TensorDesc& first = request.tensors[0];
  for (uint32_t d = 0; d < tensor.rank; ++d) {
    if (field.one_element && tensor.sizes[d] != 1) {
      return Refuse(kInvalid, "Sizes[%u] of tensor '%s' is %u, but must be 1: it has one element", d,
                    field.name, tensor.sizes[d]);
    }
    if (!field.one_element && tensor.sizes[d] != first.sizes[d]) {
      return Refuse(
          kInvalid,
          "Sizes[%u] of tensor '%s' is %u, but that of tensor '%s' is %u: they must be equal; a stride "
          "of 0 broadcasts",
          d, field.name, tensor.sizes[d], request.schema->Tensor(0).name, first.sizes[d]);
    }
  }
  return {};
}

// The scale of integers is FLOAT32, and that of floats has their type.
Refusal CheckScaleType(const OperatorRequest& request) noexcept {
  const DataType input = request.input(0).type;
  const DataType wanted = input == DataType::kInt32 ? DataType::kFloat32 : input;
  if (request.schema->recipe != Recipe::kQuantize || request.input(1).type == wanted) return {};
  return Refuse(kInvalid, "the DataType of tensor 'Scale' is %s, but for tensor 'Input' of %s must be %s",
                TypeConstantName(static_cast<int32_t>(request.input(1).type)),
                TypeConstantName(static_cast<int32_t>(input)),
                TypeConstantName(static_cast<int32_t>(wanted)));
}

// Below 3_0 an exponent has the type of its base.
Refusal CheckExponentType(const OperatorRequest& request, FeatureLevel level) noexcept {
  const bool is_free = request.schema->recipe != Recipe::kPow || level >= FeatureLevel::k3_0;
  if (is_free || request.input(1).type == request.input(0).type) return {};
  return Refuse(
      kInvalid,
      "the DataType of tensor 'Exponent' is %s, but that of tensor 'Input' is %s: they must be equal at "
      "feature level 0x%x",
      TypeConstantName(static_cast<int32_t>(request.input(1).type)),
      TypeConstantName(static_cast<int32_t>(request.input(0).type)), static_cast<uint32_t>(level));
}

// Type and rank by the operator's table; equal type by letter, equal rank and sizes among its tensors.
Refusal CheckTensors(const OperatorRequest& request, FeatureLevel level) noexcept {
  const OperatorSchema& schema = *request.schema;
  const Support& support = *FindSupport(schema, level);
  const TensorDesc& first = request.tensors[0];
  const char* first_name = schema.Tensor(0).name;
  for (uint32_t i = 0; i <= schema.input_count; ++i) {
    const TensorDesc& tensor = request.tensors[i];
    if (!tensor.is_present()) continue;
    const char* name = schema.Tensor(i).name;
    const auto type = static_cast<int32_t>(tensor.type);
    if (!Contains(support.types[schema.Tensor(i).letter], tensor.type)) {
      return Refuse(
          kInvalid,
          "the DataType of tensor '%s' is %s, which the operator does not take at feature level 0x%x", name,
          TypeConstantName(type), static_cast<uint32_t>(level));
    }
    if (tensor.rank < support.fewest_dimensions || tensor.rank > support.most_dimensions) {
      return Refuse(
          kInvalid,
          "the DimensionCount of tensor '%s' is %u, but must be between %u and %u at feature level 0x%x",
          name, tensor.rank, support.fewest_dimensions, support.most_dimensions,
          static_cast<uint32_t>(level));
    }
    const uint32_t same = FirstOfLetter(request, i);
    if (tensor.type != request.tensors[same].type) {
      return Refuse(kInvalid,
                    "the DataType of tensor '%s' is %s, but that of tensor '%s' is %s: they must be equal",
                    name, TypeConstantName(type), schema.Tensor(same).name,
                    TypeConstantName(static_cast<int32_t>(request.tensors[same].type)));
    }
    if (tensor.rank != first.rank) {
      return Refuse(
          kInvalid,
          "the DimensionCount of tensor '%s' is %u, but that of tensor '%s' is %u: they must be equal", name,
          tensor.rank, first_name, first.rank);
    }
    if (Refusal refusal = CheckSizes(request, i); !refusal.ok()) return refusal;
  }
  if (request.output().owned_by_dml) {
    return Refuse(kInvalid, "tensor '%s' has DML_TENSOR_FLAG_OWNED_BY_DML, but only inputs may have it",
                  schema.Tensor(schema.input_count).name);
  }
  if (Refusal refusal = CheckExponentType(request, level); !refusal.ok()) return refusal;
  return CheckScaleType(request);
}

Refusal ReadScaleBias(const DML_SCALE_BIAS* scale_bias, OperatorRequest* request) noexcept {
  if (scale_bias == nullptr) return {};
  const DML_SCALE_BIAS given = *scale_bias;  // what is checked must be what is used
  const DataType type = request->tensors[0].type;
  if (!Contains(kFloats, type) && !(std::isfinite(given.Scale) && std::isfinite(given.Bias))) {
    return Refuse(kInvalid, "%s of ScaleBias is %g, but must be finite, because the DataType is %s",
                  std::isfinite(given.Scale) ? "Bias" : "Scale",
                  static_cast<double>(std::isfinite(given.Scale) ? given.Bias : given.Scale),
                  TypeConstantName(static_cast<int32_t>(type)));
  }
  request->scale_bias = {given.Scale, given.Bias};
  return {};
}

// The members of a description, copied: what is checked must be what is used.
class DescReader {
 public:
  DescReader(const OperatorSchema& schema, const void* desc) noexcept : schema_(schema) {
    std::memcpy(bytes_, desc, DescBytes(schema.fields));
  }

  // Calls visit(field, address of its bytes) for every field, until one is refused.
  template <class Visit>
  Refusal ForEach(const Visit& visit) const noexcept {
    uint32_t offset = 0;
    for (const Field& field : schema_.fields) {
      offset = OffsetOfNext(offset, field);
      if (Refusal refusal = visit(field, bytes_ + offset); !refusal.ok()) return refusal;
      offset += field.bytes();
    }
    return {};
  }

 private:
  static constexpr size_t kMostDescBytes = 128;
#define RESIDUE_DML(NAME, ...) static_assert(sizeof(DML_##NAME##_OPERATOR_DESC) <= kMostDescBytes);
#include "directml/operators.def"

  const OperatorSchema& schema_;
  alignas(8) std::byte bytes_[kMostDescBytes];
};

// The pointer that lies there, or the number.
template <class T>
const T* LoadPointer(const std::byte* from) noexcept {
  const void* pointer;
  std::memcpy(&pointer, from, sizeof(pointer));
  return static_cast<const T*>(pointer);
}
uint32_t LoadNumber(const std::byte* from) noexcept {
  uint32_t number;
  std::memcpy(&number, from, sizeof(number));
  return number;
}

Refusal ReadTensors(const DescReader& reader, FeatureLevel level, OperatorRequest* request) noexcept {
  uint32_t index = 0;
  return reader.ForEach([&](const Field& field, const std::byte* at) noexcept -> Refusal {
    if (!field.is_tensor()) return {};
    TensorDesc* tensor = &request->tensors[index++];
    const auto* desc = LoadPointer<DML_TENSOR_DESC>(at);
    if (desc == nullptr && level >= field.optional_since) return {};
    return ReadTensorDesc(desc, field.name, level, tensor);
  });
}

// A FLOAT as an element of the type: halves are rounded, integers truncated and saturated. NaN is no bound:
// of integers, the one that is none.
uint64_t BoundAsElement(float bound, bool is_least, DataType type) noexcept {
  return VisitType(type, [&]<class T>(T) -> uint64_t {
    if constexpr (std::is_same_v<T, Float16>) {
      return DoubleToHalf(static_cast<double>(bound)).bits;
    } else if constexpr (std::is_floating_point_v<T>) {
      return std::bit_cast<uint32_t>(bound);  // there is no bound of FLOAT64
    } else {
      constexpr T kLeast = std::numeric_limits<T>::min();
      constexpr T kMost = std::numeric_limits<T>::max();
      if (std::isnan(bound)) bound = is_least ? -INFINITY : INFINITY;
      const T element = !(bound > static_cast<float>(kLeast)) ? kLeast
                        : bound >= static_cast<float>(kMost)  ? kMost
                                                              : static_cast<T>(bound);
      return static_cast<std::make_unsigned_t<T>>(element);
    }
  });
}

Refusal CheckType(const Field& field, uint32_t given, DataType type) noexcept {
  if (given == static_cast<uint32_t>(type)) return {};
  if (field.kind == Field::kTypeOrUnknown && given == DML_TENSOR_DATA_TYPE_UNKNOWN) return {};
  return Refuse(kInvalid, "%s is %s, but the tensors have %s: they must be equal", field.name,
                TypeConstantName(static_cast<int32_t>(given)), TypeConstantName(static_cast<int32_t>(type)));
}

// Attributes are params, one after the other. Elements have the type of the operator's output.
Refusal ReadParamFields(const DescReader& reader, FeatureLevel level, DataType type, Params* params,
                        uint32_t* no_bounds) noexcept {
  size_t offset = 0;
  return reader.ForEach([&](const Field& field, const std::byte* at) noexcept -> Refusal {
    if (field.kind == Field::kType || field.kind == Field::kTypeOrUnknown)
      return CheckType(field, LoadNumber(at), type);
    if (!field.is_param()) return {};
    if (field.kind == Field::kEnumerator && LoadNumber(at) >= field.values.size()) {
      return Refuse(kInvalid, "%s is %u, but must be at most %zu, which is %s", field.name, LoadNumber(at),
                    field.values.size() - 1, field.values.back());
    }
    if (field.kind == Field::kSteepness) {
      const auto given = std::bit_cast<float>(LoadNumber(at));
      const bool any = level >= FeatureLevel::k6_4;
      if (!(any ? given > 0 : given >= 1)) {
        return Refuse(kInvalid, "%s is %g, but must be %s at feature level 0x%x", field.name,
                      static_cast<double>(given), any ? "above 0" : "at least 1",
                      static_cast<uint32_t>(level));
      }
    }
    if (field.kind == Field::kBound) {
      const auto given = std::bit_cast<float>(LoadNumber(at));
      const uint64_t bound = BoundAsElement(given, offset == 0, type);
      if (std::isnan(given) && !Contains(kFloats, type)) *no_bounds |= offset == 0 ? 1u : 2u;
      std::memcpy(params->bytes + offset, &bound, sizeof(bound));
    } else {
      std::memcpy(params->bytes + offset, at, field.bytes());
    }
    offset += field.param_bytes();
    return {};
  });
}

// A description without tensors, of an operator that may be fused into the result of another.
Refusal ReadActivation(const DML_OPERATOR_DESC* given, FeatureLevel level,
                       OperatorRequest* request) noexcept {
  if (given == nullptr) return {};
  const DML_OPERATOR_DESC desc = *given;
  OperatorRequest activation;
  if (Refusal refusal = FindOperator(desc, level, &activation); !refusal.ok()) {
    refusal.code = kInvalid;
    return refusal;
  }
  if (!IsFusable(*activation.schema)) return Refuse(kInvalid, "%s cannot be fused", activation.schema->name);
  const DescReader reader(*activation.schema, desc.Desc);
  Refusal refusal = reader.ForEach([&](const Field& field, const std::byte* at) noexcept -> Refusal {
    if (!field.is_tensor() || LoadPointer<DML_TENSOR_DESC>(at) == nullptr) return {};
    return Refuse(kInvalid, "tensor '%s' is set, but must be null in an activation", field.name);
  });
  uint32_t no_bounds = 0;  // no activation has any
  if (refusal.ok())
    refusal = ReadParamFields(reader, level, request->output().type, &request->activation_params, &no_bounds);
  request->activation = activation.schema;
  return refusal.ok() ? refusal : Prefixed(activation.schema->name, refusal);
}

Refusal ReadAttributes(const DescReader& reader, FeatureLevel level, OperatorRequest* request) noexcept {
  Refusal refusal = reader.ForEach([&](const Field& field, const std::byte* at) noexcept -> Refusal {
    if (field.kind == Field::kScaleBias) return ReadScaleBias(LoadPointer<DML_SCALE_BIAS>(at), request);
    if (field.kind != Field::kActivation) return {};
    Refusal fused = ReadActivation(LoadPointer<DML_OPERATOR_DESC>(at), level, request);
    return fused.ok() ? fused : Prefixed(field.name, fused);
  });
  if (!refusal.ok()) return refusal;
  return ReadParamFields(reader, level, request->output().type, &request->params, &request->no_bounds);
}

// The layout of the output alone: no input can be wrong that fits its tensor.
Refusal CheckOutputLayout(const OperatorRequest& request) noexcept {
  const TensorDesc& output = request.output();
  const char* name = request.schema->Tensor(request.schema->input_count).name;
  Sizes sizes{};
  for (uint32_t i = 0; i < output.rank; ++i) sizes[i] = output.sizes[i];
  const Strides strides = ByteStrides(output);
  LayoutRequest wanted;
  wanted.rank = output.rank;
  wanted.sizes = sizes.data();
  wanted.operand_count = 1;
  wanted.first_written = 0;
  wanted.operands[0] = {strides.data(), static_cast<uint32_t>(SizeOf(output.type)), "Strides"};
  Layout layout;
  const Status status = MakeLayout(wanted, &layout);
  if (status.ok()) return {};
  if (status.code != StatusCode::kOutputOverlapsItself) {
    char text[256];
    FormatStatus(status, text, sizeof(text));
    return Refuse(kInvalid, "tensor '%s' cannot be laid out: %s", name, text);
  }
  const auto dimension = static_cast<uint32_t>(status.index);
  return Refuse(
      kInvalid,
      "Strides[%u] of tensor '%s' is %u, so that two elements share an address: every output element "
      "needs its own",
      dimension, name, static_cast<uint32_t>(request.output().strides[dimension]));
}

}  // namespace

Refusal ReadOperatorDesc(const DML_OPERATOR_DESC* given, FeatureLevel level,
                         OperatorRequest* request) noexcept {
  const ScopedFloatEnvironment environment;
  *request = {};
  if (given == nullptr) return Refuse(kInvalid, "the DML_OPERATOR_DESC is null, but must be set");
  const DML_OPERATOR_DESC desc = *given;  // what is checked must be what is used
  if (Refusal refusal = FindOperator(desc, level, request); !refusal.ok()) return refusal;
  const DescReader reader(*request->schema, desc.Desc);
  Refusal refusal = ReadTensors(reader, level, request);
  if (refusal.ok()) refusal = CheckTensors(*request, level);
  if (refusal.ok()) refusal = ReadAttributes(reader, level, request);
  if (refusal.ok()) refusal = CheckOutputLayout(*request);
  return refusal.ok() ? refusal : Prefixed(request->schema->name, refusal);
}

}  // namespace residue
