// Running a program on the memory that its spaces were given.
#pragma once

#include <span>

#include "exec/executor.h"
#include "plan/program.h"

namespace residue {

struct Areas {
  std::span<std::byte* const> inputs;
  std::span<std::byte* const> outputs;
  std::byte* temporary;
  std::byte* persistent;
};

// Runs every step; stops at the first that fails, which only memory for staging copies can make it do.
Status RunProgram(const Program& program, const Areas& areas) noexcept;

}  // namespace residue
