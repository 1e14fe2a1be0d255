// The tensors of one kernel call: where inputs lie, and where outputs go.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "api.h"

namespace residue::ort {

struct InputTensor {
  TensorShape shape;
  const void* data = nullptr;
};

// May throw std::bad_alloc.
Status* ReadInput(const Api& api, const KernelContext* context, size_t index, InputTensor* input);

// Lets ONNX Runtime make an output of this shape.
Status* MakeOutput(const Api& api, KernelContext* context, size_t index, std::span<const int64_t> shape,
                   void** data);

}  // namespace residue::ort
