#include "plan/plan.h"

namespace residue {
namespace {

Form ChooseForm(const Layout& layout, size_t element_size) noexcept {
  const Loop& columns = layout.loops[0];
  const auto packed = static_cast<int64_t>(element_size);
  const int64_t a = columns.stride[kOperandA];
  const int64_t b = columns.stride[kOperandB];
  if (columns.stride[kOperandOut] != packed) return Form::kStrided;
  if (layout.loops[1].size > 1 && columns.size * element_size < kShortRowBytes) return Form::kStrided;
  if (a == packed && b == packed) return Form::kVectorVector;
  if (a == packed && b == 0) return Form::kVectorScalar;
  if (a == 0 && b == packed) return Form::kScalarVector;
  return Form::kStrided;
}

}  // namespace

Status CompletePlan(Target max_target, Plan* plan) noexcept {
  OpRequest& request = plan->request;
  if (InputCount(request.op) == 1) request.strides[kOperandB] = {};
  if (const Status status = MakeLayout(request, &plan->layout); !status.ok()) return status;
  const Form form = ChooseForm(plan->layout, SizeOf(request.type));
  const KernelKey key = {request.op, request.type, form};
  plan->kernel = FindKernel(key, max_target);
  plan->key = key;
  return {};
}

Status MakePlan(const OpRequest& request, Target max_target, Plan* plan) noexcept {
  plan->request = request;
  return CompletePlan(max_target, plan);
}

}  // namespace residue
