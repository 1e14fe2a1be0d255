// What ONNX Runtime may know of an output before it runs: the shape, as far as those of the inputs are known.
#pragma once

#include "api.h"

namespace residue::ort {

// Says the output's shape, or nothing if that is not certain. May throw std::bad_alloc.
Status* InferShape(const Api& api, InferContext* context);

}  // namespace residue::ort
