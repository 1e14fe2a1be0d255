#include "directml/operator_desc.h"

#include <cstring>

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
    return Refuse(RefusalCode::kUnsupported,
                  "the operator Type is %d, which this library does not have; it has:"
#define RESIDUE_DML(NAME, ...) " " #NAME
#include "directml/operators.def"
                  ,
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

// The first tensor with the same letter, which may be this one.
uint32_t FirstOfLetter(const OperatorSchema& schema, uint32_t index) noexcept {
  uint32_t first = 0;
  while (schema.Tensor(first).letter != schema.Tensor(index).letter) ++first;
  return first;
}

// Type and rank by the operator's table; equal type by letter, equal rank and sizes among its tensors.
Refusal CheckTensors(const OperatorRequest& request, FeatureLevel level) noexcept {
  const OperatorSchema& schema = *request.schema;
  const Support& support = *FindSupport(schema, level);
  const TensorDesc& first = request.tensors[0];
  const char* first_name = schema.Tensor(0).name;
  for (uint32_t i = 0; i <= schema.input_count; ++i) {
    const TensorDesc& tensor = request.tensors[i];
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
    const uint32_t same = FirstOfLetter(schema, i);
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
    for (uint32_t d = 0; d < tensor.rank; ++d) {
      if (tensor.sizes[d] != first.sizes[d]) {
        return Refuse(
            kInvalid,
            "Sizes[%u] of tensor '%s' is %u, but that of tensor '%s' is %u: they must be equal; a stride "
            "of 0 broadcasts",
            d, name, tensor.sizes[d], first_name, first.sizes[d]);
      }
    }
  }
  if (request.output().owned_by_dml) {
    return Refuse(kInvalid, "tensor 'Output' has DML_TENSOR_FLAG_OWNED_BY_DML, but only inputs may have it");
  }
  return {};
}

Refusal ReadScaleBias(const DML_SCALE_BIAS* scale_bias, OperatorRequest* request) noexcept {
  if (scale_bias == nullptr) return {};
  const DataType type = request->tensors[0].type;
  if (!Contains(kFloats, type)) {
    return Refuse(kInvalid,
                  "ScaleBias is set, but the DataType is %s: only floating-point types have a ScaleBias",
                  TypeConstantName(static_cast<int32_t>(type)));
  }
  request->scale_bias = {scale_bias->Scale, scale_bias->Bias};
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
    return ReadTensorDesc(LoadPointer<DML_TENSOR_DESC>(at), field.name, level, &request->tensors[index++]);
  });
}

// Attributes are the operator's params, one after the other.
Refusal ReadAttributes(const DescReader& reader, OperatorRequest* request) noexcept {
  size_t offset = 0;
  return reader.ForEach([&](const Field& field, const std::byte* at) noexcept -> Refusal {
    if (field.kind == Field::kScaleBias) return ReadScaleBias(LoadPointer<DML_SCALE_BIAS>(at), request);
    if (!field.is_param()) return {};
    if (field.kind == Field::kEnumerator && LoadNumber(at) >= field.values.size()) {
      return Refuse(kInvalid, "%s is %u, but must be at most %zu, which is %s", field.name, LoadNumber(at),
                    field.values.size() - 1, field.values.back());
    }
    std::memcpy(request->params.bytes + offset, at, field.bytes());
    offset += field.bytes();
    return {};
  });
}

Refusal CheckOutputLayout(const OperatorRequest& request) noexcept {
  const uint32_t count = request.schema->input_count + 1;
  Sizes sizes{};
  for (uint32_t i = 0; i < request.output().rank; ++i) sizes[i] = request.output().sizes[i];
  std::array<Strides, kMostTensors> strides;
  LayoutRequest wanted;
  wanted.rank = request.output().rank;
  wanted.sizes = sizes.data();
  wanted.operand_count = count;
  wanted.first_written = count - 1;
  for (uint32_t k = 0; k < count; ++k) {
    strides[k] = ByteStrides(request.tensors[k]);
    const auto element_size = static_cast<uint32_t>(SizeOf(request.tensors[k].type));
    wanted.operands[k] = {strides[k].data(), element_size, "Strides"};
  }
  Layout layout;
  const Status status = MakeLayout(wanted, &layout);
  if (status.ok()) return {};
  if (status.code != StatusCode::kOutputOverlapsItself) {
    char text[256];
    FormatStatus(status, text, sizeof(text));
    return Refuse(kInvalid, "tensor 'Output' cannot be laid out: %s", text);
  }
  const auto dimension = static_cast<uint32_t>(status.index);
  return Refuse(
      kInvalid,
      "Strides[%u] of tensor 'Output' is %u, so that two elements share an address: every output element "
      "needs its own",
      dimension, static_cast<uint32_t>(request.output().strides[dimension]));
}

}  // namespace

Refusal ReadOperatorDesc(const DML_OPERATOR_DESC* given, FeatureLevel level,
                         OperatorRequest* request) noexcept {
  *request = {};
  if (given == nullptr) return Refuse(kInvalid, "the DML_OPERATOR_DESC is null, but must be set");
  const DML_OPERATOR_DESC desc = *given;  // what is checked must be what is used
  if (Refusal refusal = FindOperator(desc, level, request); !refusal.ok()) return refusal;
  const DescReader reader(*request->schema, desc.Desc);
  Refusal refusal = ReadTensors(reader, level, request);
  if (refusal.ok()) refusal = CheckTensors(*request, level);
  if (refusal.ok()) refusal = ReadAttributes(reader, request);
  if (refusal.ok()) refusal = CheckOutputLayout(*request);
  return refusal.ok() ? refusal : Prefixed(request->schema->name, refusal);
}

}  // namespace residue
