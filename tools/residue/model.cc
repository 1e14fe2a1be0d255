#include <wsl/winadapter.h>

#include "model.h"

namespace residue::tool {

const Resource* Model::FindResource(std::string_view name) const {
  for (const Resource& resource : resources) {
    if (resource.name == name) return &resource;
  }
  return nullptr;
}

DML_BUFFER_TENSOR_DESC Describe(const TensorSpec& tensor) {
  DML_BUFFER_TENSOR_DESC desc = {};
  desc.DataType = static_cast<DML_TENSOR_DATA_TYPE>(tensor.type);
  desc.Flags = tensor.flags;
  desc.DimensionCount = static_cast<UINT>(tensor.sizes.size());
  desc.Sizes = tensor.sizes.data();
  desc.Strides = tensor.strides.empty() ? nullptr : tensor.strides.data();
  desc.TotalTensorSizeInBytes = tensor.total_bytes;
  desc.GuaranteedBaseOffsetAlignment = tensor.alignment;
  return desc;
}

// All descriptions of the registry have this shape: the tensors, then (unary operators) the ScaleBias.
OperatorDesc::OperatorDesc(const Dispatchable& dispatchable)
    : buffers_{}, tensors_{}, scale_bias_{}, fields_{}, desc_{} {
  for (size_t i = 0; i < dispatchable.tensors.size(); ++i) {
    buffers_[i] = Describe(dispatchable.tensors[i]);
    tensors_[i] = {DML_TENSOR_TYPE_BUFFER, &buffers_[i]};
    fields_[i] = &tensors_[i];
  }
  if (dispatchable.scale_bias) {
    scale_bias_ = *dispatchable.scale_bias;
    fields_[2] = &scale_bias_;
  }
  desc_ = {static_cast<DML_OPERATOR_TYPE>(dispatchable.schema->type), &fields_};
}

}  // namespace residue::tool
