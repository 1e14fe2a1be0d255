#include "faults/failing_allocator.h"

#include <cstddef>
#include <cstdlib>
#include <new>

namespace failing_allocator {

thread_local long allocations_left = -1;
thread_local bool failed = false;

}  // namespace failing_allocator

namespace {

bool FailsNow() {
  using failing_allocator::allocations_left;
  if (allocations_left == 0) return failing_allocator::failed = true;
  if (allocations_left > 0) --allocations_left;
  return false;
}

}  // namespace

// The linker sends the library's own calls of malloc and aligned_alloc here (--wrap).
extern "C" void* __real_malloc(std::size_t size);
extern "C" void* __wrap_malloc(std::size_t size) { return FailsNow() ? nullptr : __real_malloc(size); }
extern "C" void* __real_aligned_alloc(std::size_t alignment, std::size_t size);
extern "C" void* __wrap_aligned_alloc(std::size_t alignment, std::size_t size) {
  return FailsNow() ? nullptr : __real_aligned_alloc(alignment, size);
}

void* operator new(std::size_t size) {
  if (void* memory = __wrap_malloc(size)) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return __wrap_malloc(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
