// One number for all outputs of examples/onnxruntime/models/image.onnx: who computes the same bits has the
// same number.
#pragma once

#include <cstdint>

#include "session.h"

namespace residue::ort::testing {

// Of an image of so many elements, and a third as many angles.
uint64_t DigestImage(int64_t elements, const Session::Settings& settings);

}  // namespace residue::ort::testing
