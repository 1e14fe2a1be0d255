#include <wsl/winadapter.h>

#include "model.h"

#include <cstring>

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

// Member by member, as the registry has them.
OperatorDesc::OperatorDesc(const Dispatchable& dispatchable)
    : buffers_{}, tensors_{}, scale_bias_{}, fields_{}, desc_{} {
  uint32_t offset = 0;
  uint32_t tensor = 0;
  size_t attribute = 0;
  for (const Field& field : dispatchable.schema->fields) {
    offset = OffsetOfNext(offset, field);
    if (field.kind > Field::kActivation) {
      std::memcpy(fields_ + offset, &dispatchable.attributes[attribute++], field.bytes());
      offset += field.bytes();
      continue;
    }
    const void* pointer = nullptr;
    if (field.is_tensor()) {
      if (tensor < dispatchable.tensors.size() && !dispatchable.tensors[tensor].sizes.empty()) {
        buffers_[tensor] = Describe(dispatchable.tensors[tensor]);
        tensors_[tensor] = {DML_TENSOR_TYPE_BUFFER, &buffers_[tensor]};
        pointer = &tensors_[tensor];
      }
      ++tensor;
    } else if (field.kind == Field::kScaleBias && dispatchable.scale_bias) {
      scale_bias_ = *dispatchable.scale_bias;
      pointer = &scale_bias_;
    } else if (field.kind == Field::kActivation && dispatchable.activation != nullptr) {
      activation_ = std::make_unique<OperatorDesc>(*dispatchable.activation);
      pointer = activation_->get();
    }
    std::memcpy(fields_ + offset, &pointer, sizeof(pointer));
    offset += field.bytes();
  }
  desc_ = {static_cast<DML_OPERATOR_TYPE>(dispatchable.schema->type), &fields_};
}

}  // namespace residue::tool
