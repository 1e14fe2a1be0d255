// operator new, and malloc and aligned_alloc as the library calls them, of the whole test program, which
// fails when told to, for the calling thread only.
#pragma once

namespace failing_allocator {

// Allocations of this thread until one fails, and all after it; negative: none fails.
extern thread_local long allocations_left;
// Set when one failed.
extern thread_local bool failed;

}  // namespace failing_allocator
