#include "thread_pool.h"

#include <algorithm>
#include <thread>

namespace residue::ort {
namespace {

struct Tasks {
  void (*task)(void*, uint32_t);
  void* argument;
};

// How many threads its pool has, ONNX Runtime does not say; what is too many costs nothing.
uint32_t MostThreads() noexcept {
  static const uint32_t threads = std::max(1u, std::thread::hardware_concurrency());
  return threads;
}

}  // namespace

ThreadPool::ThreadPool(const Api& api, KernelContext* context, uint32_t most) noexcept
    : api_(api), context_(context), executor_{this, most == 0 ? MostThreads() : most, 0, &ParallelFor} {}

void ThreadPool::ParallelFor(void* context, uint32_t count, void (*task)(void*, uint32_t), void* argument) {
  const ThreadPool& pool = *static_cast<const ThreadPool*>(context);
  Tasks tasks = {task, argument};
  const auto call = [](void* all, size_t index) {
    const Tasks& one = *static_cast<const Tasks*>(all);
    one.task(one.argument, static_cast<uint32_t>(index));
  };
  using Function = void (*)(void*, size_t);
  // If it fails, libresidue does the work on this thread.
  pool.api_.Release(pool.api_.Call<Status*, const KernelContext*, Function, size_t, size_t, void*>(
      Slot::kKernelContextParallelFor, pool.context_, call, count, 0, &tasks));
}

}  // namespace residue::ort
