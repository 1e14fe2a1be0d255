// Copies of inputs that the output would overwrite before they are read.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>

#include "cpu/engine/plan.h"
#include "cpu/engine/scratch.h"

namespace residue {

// Copies the elements of one input into a packed buffer, broadcast dimensions once, and points the request's
// strides at it. `operand` is an input. The buffer is null if there is no memory.
OwnedMemory StageInput(const std::byte* input, uint32_t operand, OpRequest* request) noexcept;

}  // namespace residue
