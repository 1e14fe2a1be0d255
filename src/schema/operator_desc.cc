#include "schema/operator_desc.h"

#include "plan/layout.h"

namespace residue {
namespace {

constexpr auto kInvalid = RefusalCode::kInvalidArgument;

// The common shape of element-wise descriptions: tensor pointers, then (unary operators) the ScaleBias.
struct ElementWiseFields {
  const void* pointers[3];
};

Refusal FindOperator(const DML_OPERATOR_DESC& desc, FeatureLevel level, OperatorRequest* request) noexcept {
  const int32_t type = NumberOf(desc.Type);
  if (type <= DML_OPERATOR_INVALID || type > kLastOperatorType) {
    return Refuse(kInvalid, "the operator Type is %d, but must be between 1 and %d", type, kLastOperatorType);
  }
  request->schema = FindOperatorSchema(type);
  if (request->schema == nullptr) {
    return Refuse(RefusalCode::kUnsupported,
                  "the operator Type is %d, which this library does not have; it has:"
#define RESIDUE_OP(Name, C_NAME, value, text, inputs, exceptions, DML_NAME, ...) " " #DML_NAME
#include "base/ops.inc"
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

// Type and rank by the operator's table; equal type, rank and sizes among its tensors.
Refusal CheckTensors(const OperatorRequest& request, FeatureLevel level) noexcept {
  const OperatorSchema& schema = *request.schema;
  const Support& support = *FindSupport(schema, level);
  const TensorDesc& first = request.tensors[0];
  const char* first_name = schema.TensorName(0);
  for (uint32_t i = 0; i <= schema.input_count; ++i) {
    const TensorDesc& tensor = request.tensors[i];
    const char* name = schema.TensorName(i);
    const auto type = static_cast<int32_t>(tensor.type);
    if ((support.types & SetOf(tensor.type)) == 0) {
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
    if (tensor.type != first.type) {
      return Refuse(
          kInvalid, "the DataType of tensor '%s' is %s, but that of tensor '%s' is %s: they must be equal",
          name, TypeConstantName(type), first_name, TypeConstantName(static_cast<int32_t>(first.type)));
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

Refusal ReadAttributes(const DML_SCALE_BIAS* scale_bias, OperatorRequest* request) noexcept {
  if (scale_bias == nullptr) return {};
  const DataType type = request->tensors[0].type;
  if (type != DataType::kFloat16 && type != DataType::kFloat32 && type != DataType::kFloat64) {
    return Refuse(kInvalid,
                  "ScaleBias is set, but the DataType is %s: only floating-point types have a ScaleBias",
                  TypeConstantName(static_cast<int32_t>(type)));
  }
  request->attributes = {true, scale_bias->Scale, scale_bias->Bias};
  return {};
}

Refusal CheckOutputLayout(const OperatorRequest& request) noexcept {
  Layout layout;
  const Status status = MakeLayout(ToPlanRequest(request), &layout);
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
  const OperatorSchema& schema = *request->schema;
  ElementWiseFields fields;
  std::memcpy(&fields, desc.Desc, sizeof(fields));
  const auto read = [&]() noexcept -> Refusal {
    for (uint32_t i = 0; i <= schema.input_count; ++i) {
      const auto* tensor = static_cast<const DML_TENSOR_DESC*>(fields.pointers[i]);
      if (Refusal refusal = ReadTensorDesc(tensor, schema.TensorName(i), level, &request->tensors[i]);
          !refusal.ok()) {
        return refusal;
      }
    }
    if (Refusal refusal = CheckTensors(*request, level); !refusal.ok()) return refusal;
    if (schema.input_count == 1) {
      const auto* scale_bias = static_cast<const DML_SCALE_BIAS*>(fields.pointers[2]);
      if (Refusal refusal = ReadAttributes(scale_bias, request); !refusal.ok()) return refusal;
    }
    return CheckOutputLayout(*request);
  };
  const Refusal refusal = read();
  return refusal.ok() ? refusal : Prefixed(schema.name, refusal);
}

OpRequest ToPlanRequest(const OperatorRequest& request) noexcept {
  OpRequest result{};
  result.op = request.schema->op;
  result.type = request.output().type;
  result.rank = request.output().rank;
  for (uint32_t i = 0; i < result.rank; ++i) result.sizes[i] = request.output().sizes[i];
  for (uint32_t i = 0; i < request.schema->input_count; ++i)
    result.strides[i] = ByteStrides(request.input(i));
  result.strides[kOperandOut] = ByteStrides(request.output());
  result.attributes = request.attributes;
  return result;
}

}  // namespace residue
