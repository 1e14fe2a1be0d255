#include "exec/run.h"

#include "base/checked_math.h"
#include "exec/job.h"
#include "exec/staging.h"
#include "plan/overlap.h"

namespace residue {
namespace {

// The operand's bytes must lie inside the address space.
bool FitsAddressSpace(uintptr_t address, int64_t lowest, int64_t highest) noexcept {
  uintptr_t end;
  return CheckedAdd(address, lowest, &end) && CheckedAdd(address, highest, &end);
}

uintptr_t ToInteger(const void* pointer) noexcept { return reinterpret_cast<uintptr_t>(pointer); }

Status CheckAddress(const Layout& layout, Operand operand, const char* name,
                    const std::byte* address) noexcept {
  if (address == nullptr) return {StatusCode::kNullPointer, name, -1, 0, Relation::kAtLeast, 1};
  if (!FitsAddressSpace(ToInteger(address), layout.lowest[operand], layout.highest[operand])) {
    return {StatusCode::kTooLarge};
  }
  return {};
}

// Most operands are simply elsewhere. Both lie inside the address space.
Overlap FindOverlap(const Plan& plan, Operand operand, const std::byte* input,
                    const std::byte* out) noexcept {
  const Layout& layout = plan.layout;
  const bool before = input + layout.highest[operand] <= out + layout.lowest[kOperandOut];
  const bool behind = out + layout.highest[kOperandOut] <= input + layout.lowest[operand];
  if (before || behind) return Overlap::kDisjoint;
  return ClassifyOverlap(layout, operand, ToInteger(input), ToInteger(out), SizeOf(plan.request.type));
}

// An input that the output overwrites element by element before it is read is copied first.
Status RunWithCopies(const Plan& plan, Addresses addresses, bool copy_a, bool copy_b,
                     const Executor& executor, Exceptions* exceptions) noexcept {
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
  RunJob(staged, addresses.a, addresses.b, addresses.out, false, executor, exceptions);
  return {};
}

}  // namespace

Status Run(const Plan& plan, const Addresses& given, const Executor& executor,
           Exceptions* exceptions) noexcept {
  if (plan.layout.element_count == 0) return {};
  const bool one_input = InputCount(plan.request.op) == 1;
  static constexpr std::byte kUnread[sizeof(uint64_t)] = {};  // what kernels of one input may load as b
  const std::byte* a = given.a;
  const std::byte* b = one_input ? kUnread : given.b;
  std::byte* out = given.out;
  if (const Status status = CheckAddress(plan.layout, kOperandA, "a", a); !status.ok()) return status;
  if (const Status status = CheckAddress(plan.layout, kOperandB, "b", b); !status.ok()) return status;
  if (const Status status = CheckAddress(plan.layout, kOperandOut, "out", out); !status.ok()) return status;
  if (plan.request.in_order) {
    RunJob(plan, a, b, out, false, SerialExecutor(), exceptions);
    return {};
  }
  const Overlap overlap_a = FindOverlap(plan, kOperandA, a, out);
  const Overlap overlap_b = one_input ? Overlap::kDisjoint : FindOverlap(plan, kOperandB, b, out);
  const bool copy_a = overlap_a == Overlap::kPartial;
  const bool copy_b = overlap_b == Overlap::kPartial;
  if (copy_a || copy_b) return RunWithCopies(plan, {a, b, out}, copy_a, copy_b, executor, exceptions);
  const bool apart = overlap_a == Overlap::kDisjoint && overlap_b == Overlap::kDisjoint;
  RunJob(plan, a, b, out, apart, executor, exceptions);
  return {};
}

}  // namespace residue
