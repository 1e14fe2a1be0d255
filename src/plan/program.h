// Several plans in the order they run, and where each finds its operands: what a compiled operator or graph
// is. Immutable once made; it may be shared between threads and run any number of times.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "plan/plan.h"

namespace residue {

// The memory areas a program is given when it runs, and the one it brings along.
enum class Space : uint8_t { kInput, kOutput, kTemporary, kPersistent, kConstant };

struct Place {
  Space space = Space::kInput;
  uint32_t index = 0;   // which input or output; 0 for the other areas
  uint64_t offset = 0;  // in bytes from the area's beginning
};

struct Step {
  Plan plan;
  std::array<Place, kOperandCount> places;
};

// For a result that is wanted in more than one place.
struct Copy {
  Place from;
  Place to;
  uint64_t bytes;
};

struct Program {
  std::vector<Step> steps;
  std::vector<Copy> copies;  // after all steps
  std::vector<std::byte> constants;
  uint64_t temporary_bytes = 0;
};

}  // namespace residue
