// Memory with an inaccessible page before and after it: one byte too far is a fault, not a surprise.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>

namespace residue::testing {

class GuardedArena {
 public:
  explicit GuardedArena(size_t size) {
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    size_ = (size + page - 1) / page * page;
    mapped_ = size_ + 2 * page;
    void* memory = mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) std::abort();
    begin_ = static_cast<std::byte*>(memory) + page;
    if (mprotect(begin_, size_, PROT_READ | PROT_WRITE) != 0) std::abort();
  }
  ~GuardedArena() {
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    munmap(begin_ - page, mapped_);
  }
  GuardedArena(const GuardedArena&) = delete;
  GuardedArena& operator=(const GuardedArena&) = delete;

  std::byte* begin() const { return begin_; }
  std::byte* end() const { return begin_ + size_; }
  size_t size() const { return size_; }

 private:
  std::byte* begin_;
  size_t size_;
  size_t mapped_;
};

}  // namespace residue::testing
