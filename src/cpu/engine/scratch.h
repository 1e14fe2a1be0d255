// The memory of blocks: a little of the caller's stack, or more where a pass is better off with it: from a
// pool that was filled beforehand, or from the heap. Where neither has any, the little must do.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

namespace residue {

// No call may need more than 16 KiB of stack in all.
inline constexpr size_t kStackScratchBytes = size_t{2} * 1024;

struct FreeMemory {
  void operator()(void* memory) const noexcept { std::free(memory); }
};
using OwnedMemory = std::unique_ptr<std::byte, FreeMemory>;

// From the heap, aligned to 64 bytes. nullptr if it has not so many, or has no addresses for them (32 bits).
OwnedMemory Allocate(uint64_t bytes) noexcept;

// Equal pieces of memory that any number of threads take and give back without waiting.
class ScratchPool {
 public:
  // At most 64 pieces; none if there is no memory.
  ScratchPool(size_t piece_bytes, uint32_t pieces) noexcept;

  std::byte* Take(size_t bytes) noexcept;  // nullptr if no piece is free, or large enough
  void GiveBack(std::byte* piece) noexcept;

 private:
  const size_t piece_bytes_;
  OwnedMemory memory_;
  std::atomic<uint64_t> free_{0};  // bit i: piece i is free
};

class Scratch {
 public:
  // Asks elsewhere if `wanted` bytes are more than the stack's: the pool, or the heap if there is no pool.
  Scratch(size_t wanted, ScratchPool* pool) noexcept;
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::byte* data() noexcept { return elsewhere_ != nullptr ? elsewhere_ : stack_; }
  size_t size() const noexcept { return size_; }

 private:
  ScratchPool* const pool_;
  std::byte* const elsewhere_;
  const size_t size_;
  alignas(64) std::byte stack_[kStackScratchBytes];
};

}  // namespace residue
