#include "faults/failing_allocator.h"

#include <cstddef>
#include <cstdlib>
#include <new>

namespace failing_allocator {

thread_local long allocations_left = -1;
thread_local bool failed = false;

}  // namespace failing_allocator

// The linker sends the library's own calls of malloc here (--wrap).
extern "C" void* __real_malloc(std::size_t size);
extern "C" void* __wrap_malloc(std::size_t size) {
  using failing_allocator::allocations_left;
  if (allocations_left == 0) {
    failing_allocator::failed = true;
    return nullptr;
  }
  if (allocations_left > 0) --allocations_left;
  return __real_malloc(size);
}

void* operator new(std::size_t size) {
  if (void* memory = __wrap_malloc(size)) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return __wrap_malloc(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
