// Builds with RESIDUE_THREADS=OFF compute on the calling thread, unless the caller brings threads.
#include "cpu/engine/executor.h"

namespace residue {

Executor OwnExecutor(uint32_t) noexcept { return SerialExecutor(); }

}  // namespace residue
