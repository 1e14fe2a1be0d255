#include "threads.h"

#include <atomic>
#include <utility>

namespace residue::python {
namespace {

std::atomic<uint32_t> process_threads{1};
thread_local int64_t own_threads = kInherit;

}  // namespace

uint32_t NumThreads() noexcept {
  if (own_threads != kInherit) return static_cast<uint32_t>(own_threads);
  return process_threads.load(std::memory_order_relaxed);
}

void SetProcessThreads(uint32_t count) noexcept { process_threads.store(count, std::memory_order_relaxed); }

int64_t ExchangeOwnThreads(int64_t count) noexcept { return std::exchange(own_threads, count); }

}  // namespace residue::python
