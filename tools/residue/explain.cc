#include <wsl/winadapter.h>

#include "explain.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "console.h"
#include "cpu/engine/partition.h"
#include "cpu/engine/plan.h"
#include "directml/lower.h"
#include "directml/operator_desc.h"
#include "failure.h"
#include "model_reader.h"
#include "number.h"
#include "run.h"

namespace residue::tool {
namespace {

const char* ReasonFor(const Plan& plan) {
  switch (plan.reach) {
    case Reach::kDirect:
      break;
    case Reach::kBlocks:
      return "some tensor has gaps along the innermost loop, so its elements are moved to packed blocks";
    case Reach::kShortRows:
      return "rows this short do not fill vectors, so several are computed together";
    case Reach::kSquares:
      return "an input is packed along another loop, so squares of it are transposed in the cache";
  }
  const Loop& row = plan.layout.loops[0];
  uint32_t singles = 0;
  for (uint32_t k = 0; k < plan.request.output(); ++k) singles += row.stride[k] == 0 ? 1u : 0u;
  if (singles == 0) return "all tensors lie packed along the innermost loop";
  if (singles == plan.request.output()) return "one element of each input serves a whole row";
  return "one element of an input serves a whole row";
}

void PrintLayout(const Layout& layout) {
  // There are always two loops; those of one turn are nothing to see.
  std::vector<Loop> loops(layout.loops.begin(), layout.loops.begin() + layout.loop_count);
  std::erase_if(loops, [](const Loop& loop) { return loop.size == 1; });
  fmt::print("  {} element{} in {} loop{}, innermost first (strides in bytes)\n", layout.element_count,
             layout.element_count == 1 ? "" : "s", loops.size(), loops.size() == 1 ? "" : "s");
  for (const Loop& loop : loops) {
    fmt::print("    {:>10} x", loop.size);
    for (uint32_t k = 0; k < layout.operand_count; ++k)
      fmt::print("   {} {:>8}", k == layout.first_written ? "out" : k == 0 ? "a" : "b", loop.stride[k]);
    fmt::print("\n");
  }
}

// The nodes that a DirectML operator becomes, by name.
class NamesOfNodes final : public ILoweringSink {
 public:
  uint32_t AddTemporary(uint64_t) override { return 0; }
  uint32_t AddElement(uint64_t, uint32_t) override { return 0; }
  uint32_t AddIndex() override { return 0; }
  void AddNode(residue_operator op, std::span<const LoweredValue> operands, const void*, uint32_t) override {
    const RowKey key = {static_cast<OperatorId>(op), static_cast<DataType>(operands.front().operand.type),
                        static_cast<DataType>(operands.back().operand.type)};
    char name[64];
    FormatRowName(key, FindRow(key, BestTarget()).target, name, sizeof(name));
    names.push_back(name);
  }
  std::vector<std::string> names;
};

OpRequest ToPlanRequest(const OperatorRequest& request) {
  OpRequest result{};
  result.op = request.scale_bias ? OperatorId::kScaleBias : request.schema->op;
  result.type = request.input(0).type;
  result.result = request.output().type;
  result.rank = request.output().rank;
  std::copy_n(request.output().sizes.begin(), result.rank, result.sizes.begin());
  for (uint32_t k = 0; k <= request.schema->input_count; ++k)
    result.strides[k] = ByteStrides(request.tensors[k]);
  result.params = request.scale_bias ? Params::Of(*request.scale_bias) : request.params;
  return result;
}

void ExplainOperator(const Dispatchable& dispatchable, FeatureLevel level, uint32_t threads) {
  const OperatorDesc desc(dispatchable);
  OperatorRequest request;
  if (const Refusal refusal = ReadOperatorDesc(desc.get(), level, &request); !refusal.ok())
    Fail("dispatchable '{}' is refused: {}", dispatchable.name, refusal.text);
  NamesOfNodes nodes;
  const std::vector<uint32_t> tensors(kMostTensors);
  LowerOperator(request, std::span(tensors).first(request.schema->input_count + 1), nodes);
  if (nodes.names.size() > 1 || request.schema->recipe != Recipe::kDirect) {
    fmt::print("{}: {}\n  rows {}, in one walk over memory\n", Bold(dispatchable.name),
               dispatchable.schema->name, fmt::join(nodes.names, ", "));
    return;
  }
  Plan plan;
  const Status status = MakePlan(ToPlanRequest(request), BestTarget(), &plan);
  if (!status.ok()) {
    char text[256];
    FormatStatus(status, text, sizeof(text));
    Fail("dispatchable '{}' is refused: {}", dispatchable.name, text);
  }
  fmt::print("{}: {}, {}\n", Bold(dispatchable.name), dispatchable.schema->name, TypeText(plan.request.type));
  PrintLayout(plan.layout);
  char name[64];
  FormatRowName({plan.request.op, plan.request.type, plan.request.result_type()}, plan.target, name,
                sizeof(name));
  fmt::print("  row {}: {}; {} is the best instruction set here that has it\n", name, ReasonFor(plan),
             TargetName(plan.target));
  const Partition partition = MakePartition(plan.layout.element_count, plan.widest, threads);
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
