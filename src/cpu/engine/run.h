// Running a plan on memory.
#pragma once

#include "cpu/engine/executor.h"
#include "cpu/engine/plan.h"
#include "cpu/engine/tile_walk.h"

namespace residue {

// Computes the plan on the addresses of its operands, inputs first; inputs are only read. The output may
// overlap the inputs in any way. The bytes written do not depend on the executor. Unless it is nullptr,
// `exceptions` gets those of the elements added.
Status Run(const Plan& plan, const Addresses& addresses, const Executor& executor,
           Exceptions* exceptions = nullptr) noexcept;

}  // namespace residue
