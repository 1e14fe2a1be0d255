// What this machine's caches hold, as far as it matters here.
#pragma once

#include <cstdint>

namespace residue {

// Outputs of at least this many bytes are stored past the caches: they would push out what is wanted next,
// and their lines would be read from memory only to be overwritten. This is where an output fills a core's
// own cache alone; storing past it pays from half of that on, but whoever uses the result next may want it
// there.
uint64_t SmallestStreamedBytes() noexcept;

}  // namespace residue
