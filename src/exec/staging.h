// Copies of inputs that the output would overwrite before they are read.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>

#include "plan/plan.h"

namespace residue {

struct FreeMemory {
  void operator()(void* memory) const noexcept { std::free(memory); }
};
using StagingBuffer = std::unique_ptr<std::byte, FreeMemory>;

// Copies the elements of one input into a packed buffer, broadcast dimensions once, and points the request's
// strides at it. The buffer is null if memory could not be had.
StagingBuffer StageInput(const std::byte* input, Operand operand, OpRequest* request) noexcept;

}  // namespace residue
