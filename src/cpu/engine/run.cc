#include "cpu/engine/run.h"

#include "core/checked_math.h"
#include "cpu/engine/job.h"
#include "cpu/engine/staging.h"
#include "layout/overlap.h"

namespace residue {
namespace {

constexpr const char* kAddressFields[kMostOperatorOperands] = {"operands[0]", "operands[1]", "operands[2]",
                                                               "operands[3]"};

// The operand's bytes must lie inside the address space.
bool FitsAddressSpace(uintptr_t address, int64_t lowest, int64_t highest) noexcept {
  uintptr_t end;
  return CheckedAdd(address, lowest, &end) && CheckedAdd(address, highest, &end);
}

uintptr_t ToInteger(const void* pointer) noexcept { return reinterpret_cast<uintptr_t>(pointer); }

Status CheckAddress(const Layout& layout, uint32_t operand, const std::byte* address) noexcept {
  if (address == nullptr)
    return {StatusCode::kNullPointer, kAddressFields[operand], -1, 0, Relation::kAtLeast, 1};
  if (!FitsAddressSpace(ToInteger(address), layout.lowest[operand], layout.highest[operand])) {
    return {StatusCode::kTooLarge};
  }
  return {};
}

// Most operands are simply elsewhere. Both lie inside the address space.
Overlap FindOverlap(const Layout& layout, uint32_t input, const std::byte* in, uint32_t written,
                    const std::byte* out) noexcept {
  const bool before = in + layout.highest[input] <= out + layout.lowest[written];
  const bool behind = out + layout.highest[written] <= in + layout.lowest[input];
  if (before || behind) return Overlap::kDisjoint;
  return ClassifyOverlap(layout, input, ToInteger(in), written, ToInteger(out));
}

Exceptions RunPlan(const Plan& plan, const Addresses& addresses, bool apart, bool detect,
                   const Executor& executor) noexcept {
  return RunJob(plan.pass(), addresses, apart, detect, executor);
}

// An input that the output overwrites element by element before it is read is copied first.
Status RunWithCopies(const Plan& plan, Addresses addresses, uint32_t copied, const Executor& executor,
                     Exceptions* exceptions) noexcept {
  Plan staged;
  staged.request = plan.request;
  std::array<OwnedMemory, kMostInputs> buffers;
  for (uint32_t k = 0; k < plan.request.output(); ++k) {
    if ((copied >> k & 1) == 0) continue;
    buffers[k] = StageInput(addresses[k], k, &staged.request);
    if (buffers[k] == nullptr) return {StatusCode::kOutOfMemory};
    addresses[k] = buffers[k].get();
  }
  if (const Status status = CompletePlan(plan.target, &staged); !status.ok()) return status;
  const Exceptions found = RunPlan(staged, addresses, false, exceptions != nullptr, executor);
  if (exceptions != nullptr) *exceptions |= found;
  return {};
}

}  // namespace

Status Run(const Plan& plan, const Addresses& addresses, const Executor& executor,
           Exceptions* exceptions) noexcept {
  const Layout& layout = plan.layout;
  if (layout.element_count == 0) return {};
  const uint32_t out = plan.request.output();
  for (uint32_t k = 0; k <= out; ++k) {
    if (const Status status = CheckAddress(layout, k, addresses[k]); !status.ok()) return status;
  }
  if (plan.request.in_order) {
    const Exceptions found = RunInOrder(plan.pass(), addresses, exceptions != nullptr);
    if (exceptions != nullptr) *exceptions |= found;
    return {};
  }
  uint32_t copied = 0;
  bool apart = true;
  for (uint32_t k = 0; k < out; ++k) {
    const Overlap overlap = FindOverlap(layout, k, addresses[k], out, addresses[out]);
    if (overlap == Overlap::kPartial) copied |= 1u << k;
    apart = apart && overlap == Overlap::kDisjoint;
  }
  if (copied != 0) return RunWithCopies(plan, addresses, copied, executor, exceptions);
  const Exceptions found = RunPlan(plan, addresses, apart, exceptions != nullptr, executor);
  if (exceptions != nullptr) *exceptions |= found;
  return {};
}

}  // namespace residue
