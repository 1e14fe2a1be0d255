// Computing tiles of a pass whose operands are all packed or single: no block is needed.
#pragma once

#include "cpu/engine/pass.h"
#include "cpu/engine/tile_walk.h"

namespace residue {

// How every tile of a run is computed.
struct RunOptions {
  bool stream = false;  // what is written is larger than the caches and lies apart from what is read
  bool detect = false;  // exceptions are asked for
};

Exceptions RunDirectTile(const Pass& pass, const Addresses& addresses, RunOptions options,
                         const Tile& tile) noexcept;

}  // namespace residue
