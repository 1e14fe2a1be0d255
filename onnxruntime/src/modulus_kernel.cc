#include "modulus_kernel.h"

#include <algorithm>
#include <new>
#include <thread>

#include "bfloat16.h"
#include "broadcast.h"

namespace residue::ort {
namespace {

struct TypeRow {
  ElementType onnx;
  residue_type type;
  int64_t size;
};
constexpr TypeRow kTypes[] = {
    {ElementType::kFloat, RESIDUE_FLOAT32, 4},  {ElementType::kFloat16, RESIDUE_FLOAT16, 2},
    {ElementType::kDouble, RESIDUE_FLOAT64, 8}, {ElementType::kInt8, RESIDUE_INT8, 1},
    {ElementType::kInt16, RESIDUE_INT16, 2},    {ElementType::kInt32, RESIDUE_INT32, 4},
    {ElementType::kInt64, RESIDUE_INT64, 8},    {ElementType::kUint8, RESIDUE_UINT8, 1},
    {ElementType::kUint16, RESIDUE_UINT16, 2},  {ElementType::kUint32, RESIDUE_UINT32, 4},
    {ElementType::kUint64, RESIDUE_UINT64, 8},
};

std::string ToText(std::span<const int64_t> shape) {
  std::string text = "[";
  for (const int64_t size : shape) text += (text.size() > 1 ? "," : "") + std::to_string(size);
  return text + "]";
}

size_t CountElements(std::span<const int64_t> shape) {
  size_t count = 1;
  for (const int64_t size : shape) count *= static_cast<size_t>(size);
  return count;
}

// ONNX Runtime's thread pool as libresidue's executor.
struct Pool {
  const Api& api;
  KernelContext* context;
};

struct Tasks {
  void (*task)(void*, uint32_t);
  void* argument;
};

void ParallelFor(void* context, uint32_t count, void (*task)(void*, uint32_t), void* argument) {
  const Pool& pool = *static_cast<const Pool*>(context);
  Tasks tasks = {task, argument};
  const auto call = [](void* all, size_t index) {
    const Tasks& one = *static_cast<const Tasks*>(all);
    one.task(one.argument, static_cast<uint32_t>(index));
  };
  using Function = void (*)(void*, size_t);
  // If it fails, libresidue does the work on this thread.
  pool.api.Release(pool.api.Call<Status*, const KernelContext*, Function, size_t, size_t, void*>(
      Slot::kKernelContextParallelFor, pool.context, call, count, 0, &tasks));
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

struct ModulusKernel::Input {
  TensorShape shape;
  const void* data = nullptr;
};

Status* ModulusKernel::ReadInput(const KernelContext* context, size_t index, Input* input) const {
  const Value* value = nullptr;
  if (Status* status = api_.Call<Status*, const KernelContext*, size_t, const Value**>(
          Slot::kKernelContextGetInput, context, index, &value)) {
    return status;
  }
  if (value == nullptr)
    return api_.Fail(ErrorCode::kInvalidArgument, "modulus: input " + std::to_string(index) + " is missing");
  ShapeInfo* info = nullptr;
  if (Status* status =
          api_.Call<Status*, const Value*, ShapeInfo**>(Slot::kGetTensorTypeAndShape, value, &info)) {
    return status;
  }
  const OwnedShapeInfo owned(info, Releaser{api_});
  if (Status* status = ReadShape(api_, info, &input->shape)) return status;
  void* data = nullptr;
  // The function takes a value to write to; we only read.
  if (Status* status =
          api_.Call<Status*, Value*, void**>(Slot::kGetTensorMutableData, const_cast<Value*>(value), &data)) {
    return status;
  }
  input->data = data;
  return nullptr;
}

Status* ModulusKernel::RunPlanned(const Input& a, const Input& b, void* out, residue_type type,
                                  int64_t element_size, KernelContext* context) const {
  BroadcastPlan plan = PlanBroadcast(a.shape.dimensions, b.shape.dimensions, element_size);
  plan.problem.op = op_;
  plan.problem.type = type;
  Pool pool = {api_, context};
  // How many threads its pool has, ONNX Runtime does not say; what is too many costs nothing.
  const residue_executor executor = {&pool, std::max(1u, std::thread::hardware_concurrency()), 0,
                                     &ParallelFor};
  const residue_options options = {0, 0, &executor, nullptr};
  const residue_status status =
      ForEachRun(plan.outer, 0, 0, 0, [&](int64_t a_offset, int64_t b_offset, int64_t out_offset) {
        return residue_run(&plan.problem, static_cast<const char*>(a.data) + a_offset,
                           static_cast<const char*>(b.data) + b_offset, static_cast<char*>(out) + out_offset,
                           &options);
      });
  if (status == RESIDUE_OK) return nullptr;
  return api_.Fail(ErrorCode::kFail, std::string("modulus: ") + residue_status_text(status));
}

Status* ModulusKernel::RunBfloat16(const Input& a, const Input& b, void* out, size_t count,
                                   KernelContext* context) const {
  const auto widen = [](const Input& narrow, std::vector<float>* wide) {
    const std::span elements(static_cast<const uint16_t*>(narrow.data),
                             CountElements(narrow.shape.dimensions));
    wide->resize(elements.size());
    WidenBfloat16(elements, wide->data());
    return Input{narrow.shape, wide->data()};
  };
  std::vector<float> wide_a;
  std::vector<float> wide_b;
  std::vector<float> wide_out(count);
  const Input wide_input_a = widen(a, &wide_a);
  const Input wide_input_b = widen(b, &wide_b);
  if (Status* status =
          RunPlanned(wide_input_a, wide_input_b, wide_out.data(), RESIDUE_FLOAT32, sizeof(float), context)) {
    return status;
  }
  NarrowToBfloat16(wide_out, static_cast<uint16_t*>(out));
  return nullptr;
}

Status* ModulusKernel::Compute(KernelContext* context) const {
  Input a;
  Input b;
  if (Status* status = ReadInput(context, 0, &a)) return status;
  if (Status* status = ReadInput(context, 1, &b)) return status;
  if (a.shape.type != b.shape.type) {
    return api_.Fail(ErrorCode::kInvalidArgument,
                     "modulus: A has element type " + std::to_string(static_cast<int>(a.shape.type)) +
                         " and B " + std::to_string(static_cast<int>(b.shape.type)) +
                         "; both must have the same, insert a Cast");
  }
  const std::optional<Shape> shape = Broadcast(a.shape.dimensions, b.shape.dimensions);
  if (!shape) {
    return api_.Fail(ErrorCode::kInvalidArgument, "modulus: A has shape " + ToText(a.shape.dimensions) +
                                                      " and B " + ToText(b.shape.dimensions) +
                                                      ", which do not broadcast: sizes must be equal or 1");
  }
  Value* value = nullptr;
  if (Status* status = api_.Call<Status*, KernelContext*, size_t, const int64_t*, size_t, Value**>(
          Slot::kKernelContextGetOutput, context, 0, shape->data(), shape->size(), &value)) {
    return status;
  }
  void* out = nullptr;
  if (Status* status = api_.Call<Status*, Value*, void**>(Slot::kGetTensorMutableData, value, &out))
    return status;
  const size_t count = CountElements(*shape);
  if (count == 0) return nullptr;
  if (a.shape.type == ElementType::kBfloat16) return RunBfloat16(a, b, out, count, context);
  const auto* row = std::ranges::find(kTypes, a.shape.type, &TypeRow::onnx);
  if (row == std::end(kTypes)) {
    return api_.Fail(ErrorCode::kNotImplemented,
                     "modulus: element type " + std::to_string(static_cast<int>(a.shape.type)) +
                         " (as in onnx.TensorProto.DataType) is not a number type that modulus has");
  }
  return RunPlanned(a, b, out, row->type, row->size, context);
}

}  // namespace residue::ort
