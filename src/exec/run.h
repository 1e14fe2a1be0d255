// Running a plan on memory.
#pragma once

#include "exec/executor.h"
#include "exec/tile_walk.h"
#include "plan/plan.h"

namespace residue {

// Computes the plan on three addresses; b is not looked at with one input. The output may overlap the inputs
// in any way. The bytes written do not depend on the executor. Unless it is nullptr, `exceptions` gets those
// of the elements added.
Status Run(const Plan& plan, const Addresses& addresses, const Executor& executor,
           Exceptions* exceptions = nullptr) noexcept;

}  // namespace residue
