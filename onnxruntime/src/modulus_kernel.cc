#include "modulus_kernel.h"

#include "bfloat16.h"
#include "broadcast.h"
#include "thread_pool.h"

namespace residue::ort {
namespace {

std::string ToText(std::span<const int64_t> shape) {
  std::string text = "[";
  for (const int64_t size : shape) text += (text.size() > 1 ? "," : "") + std::to_string(size);
  return text + "]";
}

// Calls visit(offsets of a, b and out) for every combination of the outer loops.
template <class Visitor>
residue_status ForEachRun(std::span<const OuterLoop> loops, int64_t a, int64_t b, int64_t out,
                          const Visitor& visit) {
  if (loops.empty()) return visit(a, b, out);
  const OuterLoop& loop = loops.back();
  for (uint64_t i = 0; i < loop.size; ++i, a += loop.a_stride, b += loop.b_stride, out += loop.out_stride) {
    const residue_status status = ForEachRun(loops.first(loops.size() - 1), a, b, out, visit);
    if (status != RESIDUE_OK) return status;
  }
  return RESIDUE_OK;
}

}  // namespace

Status* ModulusKernel::Run(const InputTensor& a, const InputTensor& b, void* out,
                           KernelContext* context) const {
  BroadcastPlan plan = PlanBroadcast(a.shape.dimensions, b.shape.dimensions, type_.size);
  plan.problem.op = op_;
  plan.problem.operands = plan.operands;
  for (residue_operand& operand : plan.operands) operand.type = type_.computed_in;
  const ThreadPool pool(api_, context, 0);
  const residue_options options = {0, 0, &pool.executor(), nullptr};
  const residue_status status =
      ForEachRun(plan.outer, 0, 0, 0, [&](int64_t a_offset, int64_t b_offset, int64_t out_offset) {
        const void* const inputs[] = {static_cast<const char*>(a.data) + a_offset,
                                      static_cast<const char*>(b.data) + b_offset};
        return residue_run(&plan.problem, inputs, static_cast<char*>(out) + out_offset, &options);
      });
  if (status == RESIDUE_OK) return nullptr;
  return api_.Fail(ErrorCode::kFail, std::string("modulus: ") + residue_status_text(status));
}

Status* ModulusKernel::RunBfloat16(const InputTensor& a, const InputTensor& b, void* out, size_t count,
                                   KernelContext* context) const {
  const auto widen = [](const InputTensor& narrow, std::vector<float>* wide) {
    const std::span elements(static_cast<const uint16_t*>(narrow.data),
                             CountElements(narrow.shape.dimensions));
    wide->resize(elements.size());
    WidenBfloat16(elements, wide->data());
    return InputTensor{narrow.shape, wide->data()};
  };
  std::vector<float> wide_a;
  std::vector<float> wide_b;
  std::vector<float> wide_out(count);
  const InputTensor wide_input_a = widen(a, &wide_a);
  const InputTensor wide_input_b = widen(b, &wide_b);
  if (Status* status = Run(wide_input_a, wide_input_b, wide_out.data(), context)) return status;
  NarrowToBfloat16(wide_out, static_cast<uint16_t*>(out));
  return nullptr;
}

Status* ModulusKernel::Compute(KernelContext* context) const {
  InputTensor a;
  InputTensor b;
  if (Status* status = ReadInput(api_, context, 0, "modulus", &a)) return status;
  if (Status* status = ReadInput(api_, context, 1, "modulus", &b)) return status;
  const std::optional<Shape> shape = Broadcast(a.shape.dimensions, b.shape.dimensions);
  if (!shape) {
    return api_.Fail(ErrorCode::kInvalidArgument, "modulus: A has shape " + ToText(a.shape.dimensions) +
                                                      " and B " + ToText(b.shape.dimensions) +
                                                      ", which do not broadcast: sizes must be equal or 1");
  }
  void* out = nullptr;
  if (Status* status = MakeOutput(api_, context, 0, *shape, &out)) return status;
  const size_t count = CountElements(*shape);
  if (count == 0) return nullptr;
  return type_.onnx == ElementType::kBfloat16 ? RunBfloat16(a, b, out, count, context)
                                              : Run(a, b, out, context);
}

}  // namespace residue::ort
