#include "exec/run.h"

#include <atomic>

#include "exec/cache.h"
#include "exec/float_environment.h"
#include "exec/partition.h"
#include "exec/staging.h"
#include "plan/overlap.h"

namespace residue {
namespace {

// Pieces are claimed, not assigned: a task that starts late or never costs time, not correctness.
class Job {
 public:
  Job(const Plan& plan, const Addresses& addresses, Partition partition, bool stream) noexcept
      : plan_(plan), addresses_(addresses), partition_(partition), stream_(stream) {}

  void RunUnclaimedPieces() noexcept {
    const ScopedFloatEnvironment environment;
    for (;;) {
      const uint64_t piece = next_piece_.fetch_add(1, std::memory_order_relaxed);
      if (piece >= partition_.piece_count) return;
      const uint64_t begin = piece * partition_.piece_elements;
      const uint64_t end = std::min(begin + partition_.piece_elements, plan_.layout.element_count);
      ForEachTile(plan_.layout, addresses_, begin, end, [this](Tile& tile) {
        tile.attributes = &plan_.request.attributes;
        tile.stream = stream_;
        plan_.kernel.run(tile);
      });
    }
  }

 private:
  const Plan& plan_;
  const Addresses addresses_;
  const Partition partition_;
  const bool stream_;
  std::atomic<uint64_t> next_piece_{0};
};

// `apart`: the output shares no byte with an input.
void RunJob(const Plan& plan, const Addresses& addresses, bool apart, const Executor& executor) noexcept {
  const Partition partition =
      MakePartition(plan.layout.element_count, SizeOf(plan.request.type), executor.num_threads);
  const uint64_t bytes = plan.layout.element_count * SizeOf(plan.request.type);
  Job job(plan, addresses, partition, apart && bytes >= SmallestStreamedBytes());
  if (partition.piece_count > 1) {
    const auto threads =
        static_cast<uint32_t>(std::min<uint64_t>(executor.num_threads, partition.piece_count));
    try {
      executor.parallel_for(
          executor.context, threads,
          [](void* argument, uint32_t) { static_cast<Job*>(argument)->RunUnclaimedPieces(); }, &job);
    } catch (...) {  // NOLINT(bugprone-empty-catch): a pool that cannot start its tasks leaves them to us
    }
  }
  job.RunUnclaimedPieces();  // everything if there is one piece, else what an executor may have left
}

// The operand's bytes must lie inside the address space.
bool FitsAddressSpace(uintptr_t address, int64_t lowest, int64_t highest) noexcept {
  const uintptr_t below = uintptr_t{0} - static_cast<uintptr_t>(lowest);
  return address >= below && static_cast<uintptr_t>(highest) <= UINTPTR_MAX - address;
}

uintptr_t ToInteger(const void* pointer) noexcept { return reinterpret_cast<uintptr_t>(pointer); }

Status CheckAddresses(const Layout& layout, const Addresses& addresses) noexcept {
  constexpr const char* kNames[] = {"a", "b", "out"};
  const void* pointers[] = {addresses.a, addresses.b, addresses.out};
  for (size_t k = 0; k < kOperandCount; ++k) {
    if (pointers[k] == nullptr) return {StatusCode::kNullPointer, kNames[k], -1, 0, Relation::kAtLeast, 1};
    if (!FitsAddressSpace(ToInteger(pointers[k]), layout.lowest[k], layout.highest[k])) {
      return {StatusCode::kTooLarge};
    }
  }
  return {};
}

// An input that the output overwrites element by element before it is read is copied first.
Status RunWithCopies(const Plan& plan, Addresses addresses, bool copy_a, bool copy_b,
                     const Executor& executor) noexcept {
  OpRequest request = plan.request;
  StagingBuffer buffer_a;
  StagingBuffer buffer_b;
  if (copy_a) {
    buffer_a = StageInput(addresses.a, kOperandA, &request);
    if (buffer_a == nullptr) return {StatusCode::kOutOfMemory};
    addresses.a = buffer_a.get();
  }
  if (copy_b) {
    buffer_b = StageInput(addresses.b, kOperandB, &request);
    if (buffer_b == nullptr) return {StatusCode::kOutOfMemory};
    addresses.b = buffer_b.get();
  }
  Plan staged;
  if (const Status status = MakePlan(request, plan.kernel.target, &staged); !status.ok()) return status;
  RunJob(staged, addresses, false, executor);
  return {};
}

}  // namespace

Status Run(const Plan& plan, const Addresses& given, const Executor& executor) noexcept {
  if (plan.layout.element_count == 0) return {};
  const bool one_input = InputCount(plan.request.op) == 1;
  static constexpr std::byte kUnread[sizeof(uint64_t)] = {};  // what kernels of one input may load as b
  const Addresses addresses = {given.a, one_input ? kUnread : given.b, given.out};
  if (const Status status = CheckAddresses(plan.layout, addresses); !status.ok()) return status;
  const size_t element_size = SizeOf(plan.request.type);
  const uintptr_t out = ToInteger(addresses.out);
  const auto classify = [&](Operand operand, const std::byte* input) {
    return ClassifyOverlap(plan.layout, operand, ToInteger(input), out, element_size);
  };
  const Overlap overlap_a = classify(kOperandA, addresses.a);
  const Overlap overlap_b = one_input ? Overlap::kDisjoint : classify(kOperandB, addresses.b);
  const bool copy_a = overlap_a == Overlap::kPartial;
  const bool copy_b = overlap_b == Overlap::kPartial;
  if (copy_a || copy_b) return RunWithCopies(plan, addresses, copy_a, copy_b, executor);
  RunJob(plan, addresses, overlap_a == Overlap::kDisjoint && overlap_b == Overlap::kDisjoint, executor);
  return {};
}

}  // namespace residue
