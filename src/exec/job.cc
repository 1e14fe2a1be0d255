#include "exec/job.h"

#include <algorithm>
#include <atomic>

#include "exec/cache.h"
#include "exec/examined_tile.h"
#include "exec/float_environment.h"
#include "exec/in_order.h"
#include "exec/partition.h"
#include "exec/tile_walk.h"

namespace residue {
namespace {

// How every tile of a job is run.
struct Manner {
  bool stream;
  bool examine;
  bool in_order;
};

Exceptions RunTile(const Plan& plan, Manner manner, Tile& tile) noexcept {
  tile.attributes = &plan.request.attributes;
  tile.stream = manner.stream;
  if (manner.in_order) return RunInOrder(plan.kernel, tile);
  if (manner.examine) return RunExaminedTile(plan.key, plan.kernel, tile);
  plan.kernel.run(tile);
  return kNoException;
}

Exceptions RunHere(const Plan& plan, const Addresses& addresses, Manner manner) noexcept {
  const ScopedFloatEnvironment environment;
  Exceptions found = kNoException;
  ForEachTile(plan.layout, addresses, 0, plan.layout.element_count,
              [&](Tile& tile) { found |= RunTile(plan, manner, tile); });
  return found;
}

// Pieces are claimed, not assigned: a task that starts late or never costs time, not correctness.
class SharedJob {
 public:
  SharedJob(const Plan& plan, const Addresses& addresses, Manner manner, Partition partition) noexcept
      : plan_(plan), addresses_(addresses), manner_(manner), partition_(partition) {}

  void RunUnclaimedPieces() noexcept {
    const ScopedFloatEnvironment environment;
    Exceptions found = kNoException;
    for (;;) {
      const uint64_t piece = next_piece_.fetch_add(1, std::memory_order_relaxed);
      if (piece >= partition_.piece_count) break;
      const uint64_t begin = piece * partition_.piece_elements;
      const uint64_t end = std::min(begin + partition_.piece_elements, plan_.layout.element_count);
      ForEachTile(plan_.layout, addresses_, begin, end,
                  [&](Tile& tile) { found |= RunTile(plan_, manner_, tile); });
    }
    if (found != kNoException) found_.fetch_or(found, std::memory_order_relaxed);
  }

  // Once all tasks have ended.
  Exceptions found() const noexcept { return found_.load(std::memory_order_relaxed); }

 private:
  const Plan& plan_;
  const Addresses addresses_;
  const Manner manner_;
  const Partition partition_;
  std::atomic<uint64_t> next_piece_{0};
  std::atomic<Exceptions> found_{kNoException};
};

Exceptions RunShared(const Plan& plan, const Addresses& addresses, Manner manner,
                     const Executor& executor) noexcept {
  const Partition partition =
      MakePartition(plan.layout.element_count, SizeOf(plan.request.type), executor.num_threads);
  const auto threads = static_cast<uint32_t>(std::min<uint64_t>(executor.num_threads, partition.piece_count));
  SharedJob job(plan, addresses, manner, partition);
  const KeptFloatEnvironment environment;  // oneTBB brings a caller's modes back, but clears the flags
  try {
    executor.parallel_for(
        executor.context, threads,
        [](void* argument, uint32_t) { static_cast<SharedJob*>(argument)->RunUnclaimedPieces(); }, &job);
  } catch (...) {  // NOLINT(bugprone-empty-catch): a pool that cannot start its tasks leaves them to us
  }
  job.RunUnclaimedPieces();  // what an executor may have left
  return job.found();
}

}  // namespace

void RunJob(const Plan& plan, const std::byte* a, const std::byte* b, std::byte* out, bool apart,
            const Executor& executor, Exceptions* exceptions) noexcept {
  const size_t element_size = SizeOf(plan.request.type);
  const uint64_t count = plan.layout.element_count;
  const bool small = !IsWorthSharing(count, element_size);
  const bool stream = !small && apart && count * element_size >= SmallestStreamedBytes();
  const Manner manner = {stream, exceptions != nullptr && plan.kernel.examine != nullptr,
                         plan.request.in_order};
  const bool here = small || executor.num_threads <= 1;
  const Exceptions found =
      here ? RunHere(plan, {a, b, out}, manner) : RunShared(plan, {a, b, out}, manner, executor);
  if (exceptions != nullptr) *exceptions |= found;
}

}  // namespace residue
