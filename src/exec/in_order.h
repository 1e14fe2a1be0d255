// One element after the other, each seeing what those before it have written: reductions and running results.
#pragma once

#include "kernels/kernel.h"

namespace residue {

// Computes a row, whose output may overlap itself and the inputs in any way, and returns its exceptions.
Exceptions RunInOrder(const Kernel& kernel, const Tile& row) noexcept;

}  // namespace residue
