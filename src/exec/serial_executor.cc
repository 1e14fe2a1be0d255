#include "exec/executor.h"

namespace residue {

Executor SerialExecutor() noexcept {
  return {nullptr, 1, [](void*, uint32_t count, Executor::Task task, void* argument) {
            for (uint32_t i = 0; i < count; ++i) task(argument, i);
          }};
}

}  // namespace residue
