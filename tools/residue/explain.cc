#include <wsl/winadapter.h>

#include "explain.h"

#include <fmt/format.h>

#include <thread>
#include <vector>

#include "console.h"
#include "exec/partition.h"
#include "failure.h"
#include "model_reader.h"
#include "number.h"
#include "plan/plan.h"
#include "run.h"
#include "schema/operator_desc.h"

namespace residue::tool {
namespace {

const char* ReasonFor(const Plan& plan) {
  const bool one_input = InputCount(plan.key.op) == 1;
  switch (plan.key.form) {
    case Form::kVectorVector:
      return "all tensors lie packed along the innermost loop";
    case Form::kVectorScalar:
      return one_input ? "both tensors lie packed along the innermost loop"
                       : "one divisor serves a whole row, so what depends on it alone is computed once";
    case Form::kScalarVector:
      return "one dividend serves a whole row";
    case Form::kStrided:
      break;
  }
  const Loop& row = plan.layout.loops[0];
  if (row.stride[kOperandA] == 0 && row.stride[kOperandB] == 0)
    return "one pair of operands serves a whole row";
  const auto packed = static_cast<int64_t>(SizeOf(plan.key.type));
  const bool has_gaps = row.stride[kOperandOut] != packed ||
                        (row.stride[kOperandA] != packed && row.stride[kOperandA] != 0) ||
                        (row.stride[kOperandB] != packed && row.stride[kOperandB] != 0);
  return has_gaps ? "some tensor has gaps along the innermost loop"
                  : "rows this short do not fill vectors, so several are computed together";
}

void PrintLayout(const Layout& layout) {
  // There are always two loops; those of one turn are nothing to see.
  std::vector<Loop> loops(layout.loops.begin(), layout.loops.begin() + layout.loop_count);
  std::erase_if(loops, [](const Loop& loop) { return loop.size == 1; });
  fmt::print("  {} element{} in {} loop{}, innermost first (strides in bytes)\n", layout.element_count,
             layout.element_count == 1 ? "" : "s", loops.size(), loops.size() == 1 ? "" : "s");
  for (const Loop& loop : loops) {
    fmt::print("    {:>10} x   a {:>8}   b {:>8}   out {:>8}\n", loop.size, loop.stride[kOperandA],
               loop.stride[kOperandB], loop.stride[kOperandOut]);
  }
}

void ExplainOperator(const Dispatchable& dispatchable, FeatureLevel level, uint32_t threads) {
  const OperatorDesc desc(dispatchable);
  OperatorRequest request;
  if (const Refusal refusal = ReadOperatorDesc(desc.get(), level, &request); !refusal.ok())
    Fail("dispatchable '{}' is refused: {}", dispatchable.name, refusal.text);
  Plan plan;
  const Status status = MakePlan(ToPlanRequest(request), BestTarget(), &plan);
  if (!status.ok()) {
    char text[256];
    FormatStatus(status, text, sizeof(text));
    Fail("dispatchable '{}' is refused: {}", dispatchable.name, text);
  }
  fmt::print("{}: {}, {}\n", Bold(dispatchable.name), dispatchable.schema->name, TypeText(plan.key.type));
  PrintLayout(plan.layout);
  char name[64];
  FormatKernelName(plan.key, plan.kernel.target, name, sizeof(name));
  fmt::print("  kernel {}: {}; {} is the best instruction set here that has it\n", name, ReasonFor(plan),
             TargetName(plan.kernel.target));
  const Partition partition = MakePartition(plan.layout.element_count, SizeOf(plan.key.type), threads);
  if (threads == 1) {
    fmt::print("  1 task on the calling thread\n");
  } else if (partition.piece_count <= 1) {
    fmt::print("  1 task on the calling thread: less than {} KiB per tensor is not worth waking others\n",
               kSmallestSharedBytes / 1024);
  } else {
    fmt::print("  {} tasks of {} elements for {} threads\n", partition.piece_count, partition.piece_elements,
               threads);
  }
}

// Who is bound where, and what that means for memory.
void ExplainDispatch(const DispatchCommand& command, const Model& model) {
  const Dispatchable& dispatchable = model.dispatchables[command.dispatchable];
  std::string text;
  for (uint32_t i = 0; i < dispatchable.tensors.size(); ++i) {
    const auto binding = command.bindings.find(dispatchable.BindPoint(i));
    const bool owned = binding == command.bindings.end();
    text += fmt::format("{}{} = {}", i == 0 ? "" : ", ", dispatchable.BindPoint(i),
                        owned ? "DirectML's own copy" : binding->second.resource);
  }
  const auto output = command.bindings.find(dispatchable.BindPoint(dispatchable.schema->input_count));
  bool in_place = false;
  for (const auto& [point, source] : command.bindings) {
    in_place |= output != command.bindings.end() && point != output->first &&
                source.resource == output->second.resource &&
                source.element_offset == output->second.element_offset;
  }
  fmt::print("dispatch {}: {}{}\n", dispatchable.name, text, in_place ? "; in place" : "");
}

}  // namespace

int Explain(const ExplainOptions& options) {
  const Model model = LoadModel(options.model, options.input_path, "");
  const auto level = static_cast<FeatureLevel>(ParseLevel(options.feature_level));
  const uint32_t threads =
      options.threads != 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
  for (const Dispatchable& dispatchable : model.dispatchables) ExplainOperator(dispatchable, level, threads);
  for (const Command& command : model.commands) {
    if (const auto* dispatch = std::get_if<DispatchCommand>(&command.action))
      ExplainDispatch(*dispatch, model);
  }
  return kExitOk;
}

}  // namespace residue::tool
