#include "cpu/engine/job.h"

#include <algorithm>
#include <atomic>
#include <optional>

#include "core/float_environment.h"
#include "cpu/engine/cache.h"
#include "cpu/engine/partition.h"
#include "cpu/engine/residency.h"
#include "cpu/engine/tile_walk.h"

namespace residue {
namespace {

Exceptions RunRange(const Pass& pass, const Addresses& addresses, RunOptions options, uint64_t begin,
                    uint64_t end) noexcept {
  Exceptions found = kNoException;
  ForEachTile(*pass.layout, begin, end,
              [&](const Tile& tile) { found |= RunDirectTile(pass, addresses, options, tile); });
  return found;
}

Exceptions RunRange(BlockRunner& runner, const Layout& layout, uint64_t begin, uint64_t end) noexcept {
  Exceptions found = kNoException;
  ForEachTile(layout, begin, end, [&](const Tile& tile) { found |= runner.Run(tile); });
  return found;
}

// Apart from the direct way, whose calls should not pay for room on the stack.
[[gnu::noinline]] Exceptions RunInBlocks(const Pass& pass, const Addresses& addresses,
                                         RunOptions options) noexcept {
  BlockRunner runner(pass, addresses, options);
  return RunRange(runner, *pass.layout, 0, pass.layout->element_count);
}

Exceptions RunHere(const Pass& pass, const Addresses& addresses, RunOptions options) noexcept {
  const ScopedFloatEnvironment environment;
  const Exceptions found = pass.reach == Reach::kDirect
                               ? RunRange(pass, addresses, options, 0, pass.layout->element_count)
                               : RunInBlocks(pass, addresses, options);
  if (options.stream) FlushStreams();
  return found;
}

// Pieces are claimed, not assigned: a task that starts late or never costs time, not correctness.
class SharedJob {
 public:
  SharedJob(const Pass& pass, const Addresses& addresses, RunOptions options, Partition partition) noexcept
      : pass_(pass), options_(options), partition_(partition), addresses_(addresses) {}

  void RunUnclaimedPieces() noexcept {
    const ScopedFloatEnvironment environment;
    const Exceptions found = pass_.reach == Reach::kDirect ? RunDirectPieces() : RunPiecesInBlocks();
    if (options_.stream) FlushStreams();
    if (found != kNoException) written_.found.fetch_or(found, std::memory_order_relaxed);
  }

  // Once all tasks have ended.
  Exceptions found() const noexcept { return written_.found.load(std::memory_order_relaxed); }

 private:
  struct Range {
    uint64_t begin;
    uint64_t end;
  };

  std::optional<Range> Claim() noexcept {
    const uint64_t piece = written_.next_piece.fetch_add(1, std::memory_order_relaxed);
    if (piece >= partition_.piece_count) return std::nullopt;
    const uint64_t begin = piece * partition_.piece_elements;
    return Range{begin, std::min(begin + partition_.piece_elements, pass_.layout->element_count)};
  }

  Exceptions RunDirectPieces() noexcept {
    Exceptions found = kNoException;
    while (const auto range = Claim()) {
      found |= RunRange(pass_, addresses_, options_, range->begin, range->end);
    }
    return found;
  }

  [[gnu::noinline]] Exceptions RunPiecesInBlocks() noexcept {
    std::optional<Range> range = Claim();
    if (!range) return kNoException;  // before any block is asked for
    BlockRunner runner(pass_, addresses_, options_);
    Exceptions found = kNoException;
    for (; range; range = Claim()) found |= RunRange(runner, *pass_.layout, range->begin, range->end);
    return found;
  }

  // What threads write: a line of its own, apart from what they only read.
  struct alignas(64) Written {
    std::atomic<uint64_t> next_piece{0};
    std::atomic<Exceptions> found{kNoException};
  };

  Written written_;
  // What a thread reads first: one line, unless there are more than four operands.
  const Pass& pass_;
  const RunOptions options_;
  const Partition partition_;
  const Addresses addresses_;
};

Exceptions RunShared(const Pass& pass, const Addresses& addresses, RunOptions options,
                     const Executor& executor) noexcept {
  const Partition partition = MakePartition(pass.layout->element_count, pass.widest, executor.num_threads);
  const auto threads = static_cast<uint32_t>(std::min<uint64_t>(executor.num_threads, partition.piece_count));
  SharedJob job(pass, addresses, options, partition);
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

// What the kernel has just filled with zeros lies in the caches: storing past them would have it written to
// memory twice.
bool AreResident(const Layout& layout, const Addresses& addresses) noexcept {
  for (uint32_t k = layout.first_written; k < layout.operand_count; ++k) {
    const int64_t bytes = layout.highest[k] - layout.lowest[k];
    if (bytes > 0 && !IsResident(addresses[k] + layout.lowest[k], static_cast<uint64_t>(bytes))) return false;
  }
  return true;
}

}  // namespace

Exceptions RunJob(const Pass& pass, const Addresses& addresses, bool apart, bool detect,
                  const Executor& executor) noexcept {
  const uint64_t count = pass.layout->element_count;
  const bool small = !IsWorthSharing(count, pass.widest);
  const bool stream = !small && apart && count * pass.widest >= SmallestStreamedBytes() &&
                      AreResident(*pass.layout, addresses);
  const RunOptions options = {stream, detect};
  const bool here = small || executor.num_threads <= 1;
  return here ? RunHere(pass, addresses, options) : RunShared(pass, addresses, options, executor);
}

Exceptions RunInOrder(const Pass& pass, const Addresses& addresses, bool detect) noexcept {
  const ScopedFloatEnvironment environment;
  Exceptions found = kNoException;
  ForEachTile(*pass.layout, 0, pass.layout->element_count, [&](const Tile& row) {
    Tile element = row;
    element.columns = 1;
    for (size_t i = 0; i < row.columns; ++i) {
      found |= RunDirectTile(pass, addresses, {false, detect}, element);
      for (uint32_t k = 0; k < pass.layout->operand_count; ++k) {
        element.offset[k] += pass.layout->loops[0].stride[k];
      }
    }
  });
  return found;
}

}  // namespace residue
