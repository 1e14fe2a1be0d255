// Computing all elements of a pass, on this thread or shared between several.
#pragma once

#include "cpu/engine/block_runner.h"
#include "cpu/engine/executor.h"

namespace residue {

// The addresses have been checked, and no input is overwritten before it is read. `apart`: nothing that is
// written shares a byte with an input. Returns the exceptions of the elements if they are asked for.
Exceptions RunJob(const Pass& pass, const Addresses& addresses, bool apart, bool detect,
                  const Executor& executor) noexcept;

// One element after the other, each seeing what those before it have written: reductions and running results.
// The pass is one row call on a layout of one dimension, whose output may overlap itself and the inputs in
// any way.
Exceptions RunInOrder(const Pass& pass, const Addresses& addresses, bool detect) noexcept;

}  // namespace residue
