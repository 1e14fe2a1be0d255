// Computing all elements of a plan, on this thread or shared between several.
#pragma once

#include <cstddef>

#include "exec/executor.h"
#include "plan/plan.h"

namespace residue {

// The addresses have been checked, and no input is overwritten before it is read. `apart`: the output shares
// no byte with an input. Unless it is nullptr, `exceptions` gets those of the elements added.
void RunJob(const Plan& plan, const std::byte* a, const std::byte* b, std::byte* out, bool apart,
            const Executor& executor, Exceptions* exceptions) noexcept;

}  // namespace residue
