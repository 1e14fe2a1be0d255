#include "cpu/engine/plan.h"

#include <algorithm>
#include <array>

#include "core/check_params.h"
#include "layout/blame.h"

namespace residue {
namespace {

Status CheckKind(const OpRequest& request) noexcept {
  std::array<DataType, kMostOperatorOperands> types{};
  for (uint32_t k = 0; k < kMostOperatorOperands; ++k) types[k] = request.OperandType(k);
  if (const Status status = CheckTypes(request.op, types.data()); !status.ok()) return status;
  if (const Status status = CheckParams(request.op, request.type, request.params.bytes); !status.ok())
    return status;
  const uint32_t max_rank = request.in_order ? 1 : kMaxRank;
  if (request.rank > max_rank) {
    return {StatusCode::kInvalidRank, "rank", -1, request.rank, Relation::kAtMost, max_rank};
  }
  return {};
}

LayoutRequest ToLayoutRequest(const OpRequest& request) noexcept {
  LayoutRequest result;
  result.rank = request.rank;
  result.sizes = request.sizes.data();
  result.first_written = request.output();
  result.operand_count = request.output() + 1;
  result.in_order = request.in_order;
  for (uint32_t k = 0; k <= request.output(); ++k) {
    const auto size = static_cast<uint32_t>(SizeOf(request.OperandType(k)));
    result.operands[k] = {request.strides[k].data(), size, kStrideFields[k]};
  }
  return result;
}

}  // namespace

Pass Plan::pass() const noexcept {
  Pass pass;
  pass.layout = &layout;
  pass.rows = {&row, 1};
  pass.target = target;
  pass.reach = reach;
  pass.widest = widest;
  return pass;
}

Status CompletePlan(Target max_target, Plan* plan) noexcept {
  const OpRequest& request = plan->request;
  if (const Status status = CheckKind(request); !status.ok()) return status;
  if (const Status status = MakeLayout(ToLayoutRequest(request), &plan->layout); !status.ok()) return status;
  const RowEntry entry = FindRow({request.op, request.type, request.result_type()}, max_target);
  plan->target = entry.target;
  plan->row.run = entry.run;
  plan->row.input_count = static_cast<uint8_t>(request.output());
  for (uint32_t i = 0; i < request.output(); ++i) plan->row.in[i] = static_cast<ValueId>(i);
  plan->row.out = static_cast<ValueId>(request.output());
  plan->row.params = request.params;
  plan->widest = 0;
  Pass pass = plan->pass();
  CompletePass(&pass);
  plan->reach = pass.reach;
  plan->widest = pass.widest;
  return {};
}

Status MakePlan(const OpRequest& request, Target max_target, Plan* plan) noexcept {
  plan->request = request;
  return CompletePlan(max_target, plan);
}

}  // namespace residue
