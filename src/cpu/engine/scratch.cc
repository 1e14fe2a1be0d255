#include "cpu/engine/scratch.h"

#include <algorithm>
#include <bit>

namespace residue {
namespace {

constexpr size_t kAlignment = 64;

constexpr size_t RoundUp(size_t bytes) noexcept { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

std::byte* FindElsewhere(size_t wanted, ScratchPool* pool) noexcept {
  if (wanted <= kStackScratchBytes) return nullptr;
  return pool != nullptr ? pool->Take(wanted) : Allocate(wanted).release();
}

}  // namespace

OwnedMemory Allocate(uint64_t bytes) noexcept {
  if (bytes > SIZE_MAX - kAlignment) return nullptr;
  return OwnedMemory(
      static_cast<std::byte*>(std::aligned_alloc(kAlignment, RoundUp(static_cast<size_t>(bytes)))));
}

ScratchPool::ScratchPool(size_t piece_bytes, uint32_t pieces) noexcept : piece_bytes_(RoundUp(piece_bytes)) {
  const uint32_t count = std::min(pieces, 64u);
  if (piece_bytes == 0 || count == 0) return;
  memory_ = Allocate(uint64_t{piece_bytes_} * count);
  if (memory_ != nullptr) free_ = count == 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1;
}

std::byte* ScratchPool::Take(size_t bytes) noexcept {
  if (bytes > piece_bytes_) return nullptr;
  uint64_t free = free_.load(std::memory_order_relaxed);
  while (free != 0) {
    if (free_.compare_exchange_weak(free, free & (free - 1), std::memory_order_acquire,
                                    std::memory_order_relaxed)) {
      return memory_.get() + static_cast<size_t>(std::countr_zero(free)) * piece_bytes_;
    }
  }
  return nullptr;
}

void ScratchPool::GiveBack(std::byte* piece) noexcept {
  const auto index = static_cast<size_t>(piece - memory_.get()) / piece_bytes_;
  free_.fetch_or(uint64_t{1} << index, std::memory_order_release);
}

Scratch::Scratch(size_t wanted, ScratchPool* pool) noexcept
    : pool_(pool),
      elsewhere_(FindElsewhere(wanted, pool)),
      size_(elsewhere_ != nullptr ? wanted : kStackScratchBytes) {}

Scratch::~Scratch() {
  if (elsewhere_ == nullptr) return;
  if (pool_ != nullptr) {
    pool_->GiveBack(elsewhere_);
  } else {
    std::free(elsewhere_);
  }
}

}  // namespace residue
