// An addition in the library's own loops: what a layout costs whatever is computed on it.
#pragma once

#include "kernels/kernel.h"

namespace residue::bench {

// For the key's type and form (the operator does not matter), on this target or the next one below that has
// it; nullptr for types that no benchmark needs.
TileFn FindAddKernel(KernelKey key, Target target) noexcept;

}  // namespace residue::bench
