#include "exec/run_program.h"

#include <cstring>

#include "exec/partition.h"
#include "exec/run.h"

namespace residue {
namespace {

std::byte* Resolve(const Program& program, const Areas& areas, const Place& place) noexcept {
  switch (place.space) {
    case Space::kInput:
      return areas.inputs[place.index] + place.offset;
    case Space::kOutput:
      return areas.outputs[place.index] + place.offset;
    case Space::kTemporary:
      return areas.temporary + place.offset;
    case Space::kPersistent:
      return areas.persistent + place.offset;
    case Space::kConstant:
      break;
  }
  // Steps only read their inputs, and only inputs are constants.
  return const_cast<std::byte*>(program.constants.data()) + place.offset;
}

// oneTBB is not even asked how many threads it has unless they are of use.
Executor ChooseExecutor(const Plan& plan) noexcept {
  const bool share = IsWorthSharing(plan.layout.element_count, SizeOf(plan.request.type));
  return share ? TbbExecutor(0) : SerialExecutor();
}

}  // namespace

Status RunProgram(const Program& program, const Areas& areas) noexcept {
  for (const Step& step : program.steps) {
    const Addresses addresses = {Resolve(program, areas, step.places[kOperandA]),
                                 Resolve(program, areas, step.places[kOperandB]),
                                 Resolve(program, areas, step.places[kOperandOut])};
    const Status status = Run(step.plan, addresses, ChooseExecutor(step.plan));
    if (!status.ok()) return status;
  }
  for (const Copy& copy : program.copies) {
    // Areas may lie over each other where an application placed resources so.
    std::memmove(Resolve(program, areas, copy.to), Resolve(program, areas, copy.from), copy.bytes);
  }
  return {};
}

}  // namespace residue
