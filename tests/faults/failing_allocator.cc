#include "faults/failing_allocator.h"

#include <cstdlib>
#include <new>

namespace failing_allocator {

thread_local long allocations_left = -1;
thread_local bool failed = false;

}  // namespace failing_allocator

namespace {

void* Allocate(std::size_t size) noexcept {
  using failing_allocator::allocations_left;
  if (allocations_left == 0) {
    failing_allocator::failed = true;
    return nullptr;
  }
  if (allocations_left > 0) --allocations_left;
  return std::malloc(size);
}

}  // namespace

void* operator new(std::size_t size) {
  if (void* memory = Allocate(size)) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return Allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
