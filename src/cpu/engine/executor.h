// Who runs the pieces of a large job. A plain struct of a context and a function, so that a caller's pool is
// used exactly as our own.
#pragma once

#include <cstdint>

namespace residue {

struct Executor {
  using Task = void (*)(void* argument, uint32_t index);

  void* context;
  uint32_t num_threads;
  // Calls task(argument, i) for every i below count, on any threads, and returns when all calls have ended.
  // May throw if it cannot start tasks, once those it did start have ended.
  void (*parallel_for)(void* context, uint32_t count, Task task, void* argument);
};

// Everything on the calling thread.
inline constexpr Executor SerialExecutor() noexcept {
  return {nullptr, 1, [](void*, uint32_t count, Executor::Task task, void* argument) {
            for (uint32_t i = 0; i < count; ++i) task(argument, i);
          }};
}

// The library's own threads, which are oneTBB's: at most max_threads of them, and 0 means as many as oneTBB
// would use. Builds without threads have the caller's.
Executor OwnExecutor(uint32_t max_threads) noexcept;

}  // namespace residue
