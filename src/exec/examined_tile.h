// Computing a tile and looking for its exceptions, piece by piece, so that every element comes from memory
// once.
#pragma once

#include "kernels/kernel.h"

namespace residue {

// kernel.examine is not nullptr.
Exceptions RunExaminedTile(const KernelKey& key, const Kernel& kernel, const Tile& tile) noexcept;

}  // namespace residue
