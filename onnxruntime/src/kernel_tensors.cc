#include "kernel_tensors.h"

namespace residue::ort {

Status* ReadInput(const Api& api, const KernelContext* context, size_t index, InputTensor* input) {
  const Value* value = nullptr;
  if (Status* status = api.Call<Status*, const KernelContext*, size_t, const Value**>(
          Slot::kKernelContextGetInput, context, index, &value)) {
    return status;
  }
  if (value == nullptr) {
    return api.Fail(ErrorCode::kInvalidArgument, "residue: input " + std::to_string(index) + " is missing");
  }
  ShapeInfo* info = nullptr;
  if (Status* status =
          api.Call<Status*, const Value*, ShapeInfo**>(Slot::kGetTensorTypeAndShape, value, &info)) {
    return status;
  }
  const OwnedShapeInfo owned(info, Releaser{api});
  if (Status* status = ReadShape(api, info, &input->shape)) return status;
  void* data = nullptr;
  // The function takes a value to write to; we only read.
  if (Status* status =
          api.Call<Status*, Value*, void**>(Slot::kGetTensorMutableData, const_cast<Value*>(value), &data)) {
    return status;
  }
  input->data = data;
  return nullptr;
}

Status* MakeOutput(const Api& api, KernelContext* context, size_t index, std::span<const int64_t> shape,
                   void** data) {
  Value* value = nullptr;
  if (Status* status = api.Call<Status*, KernelContext*, size_t, const int64_t*, size_t, Value**>(
          Slot::kKernelContextGetOutput, context, index, shape.data(), shape.size(), &value)) {
    return status;
  }
  return api.Call<Status*, Value*, void**>(Slot::kGetTensorMutableData, value, data);
}

}  // namespace residue::ort
