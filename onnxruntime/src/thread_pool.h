// ONNX Runtime's thread pool as libresidue's executor, for the length of one kernel call.
#pragma once

#include <cstdint>

#include "api.h"
#include "residue/residue.h"

namespace residue::ort {

class ThreadPool {
 public:
  // At most `most` threads; 0 for as many as there are.
  ThreadPool(const Api& api, KernelContext* context, uint32_t most) noexcept;
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  const residue_executor& executor() const noexcept { return executor_; }

 private:
  static void ParallelFor(void* context, uint32_t count, void (*task)(void*, uint32_t), void* argument);

  const Api& api_;
  KernelContext* context_;
  residue_executor executor_;
};

}  // namespace residue::ort
