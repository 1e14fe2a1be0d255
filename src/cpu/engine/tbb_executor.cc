#include <pthread.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>

#include "cpu/engine/executor.h"

namespace residue {
namespace {

// A call may come from inside somebody's own oneTBB task: isolation keeps the waiting thread from picking up
// one of theirs.
void ParallelFor(void*, uint32_t count, Executor::Task task, void* argument) {
  tbb::this_task_arena::isolate([&] {
    tbb::parallel_for(
        uint32_t{0}, count, [&](uint32_t index) { task(argument, index); }, tbb::simple_partitioner());
  });
}

// A forked child has oneTBB's locks as they were, and none of its threads: a call that waits for one would
// wait for ever. So a child computes alone if its parent has been there.
std::atomic<bool> has_been_there{false};
std::atomic<bool> is_alone{false};

// When the library is loaded, before any thread can have been there.
const bool is_watching = pthread_atfork(nullptr, nullptr, [] {
                           if (has_been_there) is_alone = true;
                         }) == 0;

}  // namespace

Executor OwnExecutor(uint32_t max_threads) noexcept {
  if (is_alone || !is_watching) return SerialExecutor();
  has_been_there = true;
  uint32_t threads = 1;
  try {
    threads = static_cast<uint32_t>(std::max(1, tbb::this_task_arena::max_concurrency()));
  } catch (...) {  // NOLINT(bugprone-empty-catch): one thread is always there
  }
  if (max_threads != 0) threads = std::min(threads, max_threads);
  return {nullptr, threads, &ParallelFor};
}

}  // namespace residue
