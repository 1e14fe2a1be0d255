#include "exec/job.h"

#include <algorithm>
#include <atomic>

#include "exec/cache.h"
#include "exec/float_environment.h"
#include "exec/partition.h"
#include "exec/tile_walk.h"

namespace residue {
namespace {

void RunTile(const Plan& plan, bool stream, Tile& tile) noexcept {
  tile.attributes = &plan.request.attributes;
  tile.stream = stream;
  plan.kernel.run(tile);
}

void RunHere(const Plan& plan, const Addresses& addresses, bool stream) noexcept {
  const ScopedFloatEnvironment environment;
  ForEachTile(plan.layout, addresses, 0, plan.layout.element_count,
              [&](Tile& tile) { RunTile(plan, stream, tile); });
}

// Pieces are claimed, not assigned: a task that starts late or never costs time, not correctness.
class SharedJob {
 public:
  SharedJob(const Plan& plan, const Addresses& addresses, bool stream, Partition partition) noexcept
      : plan_(plan), addresses_(addresses), stream_(stream), partition_(partition) {}

  void RunUnclaimedPieces() noexcept {
    const ScopedFloatEnvironment environment;
    for (;;) {
      const uint64_t piece = next_piece_.fetch_add(1, std::memory_order_relaxed);
      if (piece >= partition_.piece_count) return;
      const uint64_t begin = piece * partition_.piece_elements;
      const uint64_t end = std::min(begin + partition_.piece_elements, plan_.layout.element_count);
      ForEachTile(plan_.layout, addresses_, begin, end,
                  [this](Tile& tile) { RunTile(plan_, stream_, tile); });
    }
  }

 private:
  const Plan& plan_;
  const Addresses addresses_;
  const bool stream_;
  const Partition partition_;
  std::atomic<uint64_t> next_piece_{0};
};

void RunShared(const Plan& plan, const Addresses& addresses, bool stream, const Executor& executor) noexcept {
  const Partition partition =
      MakePartition(plan.layout.element_count, SizeOf(plan.request.type), executor.num_threads);
  const auto threads = static_cast<uint32_t>(std::min<uint64_t>(executor.num_threads, partition.piece_count));
  SharedJob job(plan, addresses, stream, partition);
  try {
    executor.parallel_for(
        executor.context, threads,
        [](void* argument, uint32_t) { static_cast<SharedJob*>(argument)->RunUnclaimedPieces(); }, &job);
  } catch (...) {  // NOLINT(bugprone-empty-catch): a pool that cannot start its tasks leaves them to us
  }
  job.RunUnclaimedPieces();  // what an executor may have left
}

}  // namespace

void RunJob(const Plan& plan, const std::byte* a, const std::byte* b, std::byte* out, bool apart,
            const Executor& executor) noexcept {
  const size_t element_size = SizeOf(plan.request.type);
  const uint64_t count = plan.layout.element_count;
  const bool small = !IsWorthSharing(count, element_size);
  const bool stream = !small && apart && count * element_size >= SmallestStreamedBytes();
  if (small || executor.num_threads <= 1) return RunHere(plan, {a, b, out}, stream);
  RunShared(plan, {a, b, out}, stream, executor);
}

}  // namespace residue
