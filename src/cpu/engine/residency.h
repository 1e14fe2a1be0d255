// Whether memory has been touched yet.
#pragma once

#include <cstddef>
#include <cstdint>

namespace residue {

// False if the first, the middle or the last page of some bytes has no memory behind it yet, as of an array
// that was allocated and not written to: the kernel fills a page with zeros, in the caches, when it is first
// written. Where nobody can tell, true. `bytes` is not 0.
bool IsResident(const void* from, uint64_t bytes) noexcept;

}  // namespace residue
