#include "modulus_op.h"

#include <atomic>
#include <cstdint>
#include <new>
#include <optional>
#include <string>

#include "broadcast.h"
#include "modulus_kernel.h"

namespace residue::ort {
namespace {

constexpr char kFmod[] = "fmod";
constexpr int kNewestOpset = INT32_MAX;

const ModulusOp& From(const CustomOp* op) noexcept { return *static_cast<const ModulusOp*>(op); }

// ONNX Runtime is C to us: nothing may be thrown into it.
template <class Body>
Status* Guarded(const Api& api, const Body& body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return api.Fail(ErrorCode::kFail, "modulus: out of memory");
  }
}

// 0 or 1; 0 if the node does not say.
Status* ReadFmod(const Api& api, const KernelInfo* info, bool* truncate) {
  int64_t fmod = 0;
  // A missing attribute is an error of the function, and none of ours.
  api.Release(api.Call<Status*, const KernelInfo*, const char*, int64_t*>(Slot::kKernelInfoGetAttributeInt64,
                                                                          info, kFmod, &fmod));
  if (fmod != 0 && fmod != 1) {
    return api.Fail(ErrorCode::kInvalidArgument,
                    "Mod: fmod is " + std::to_string(fmod) + ", but must be 0 or 1");
  }
  *truncate = fmod == 1;
  return nullptr;
}

Status* CreateKernel(const CustomOp* op, FunctionTable table, const KernelInfo* info,
                     void** kernel) noexcept {
  const Api api(table);
  return Guarded(api, [&]() -> Status* {
    bool truncate = From(op).mode == Mode::kTruncate;
    if (From(op).mode == Mode::kFmodAttribute) {
      if (Status* status = ReadFmod(api, info, &truncate)) return status;
    }
    *kernel = new ModulusKernel(api, truncate ? RESIDUE_MODULUS_TRUNCATE : RESIDUE_MODULUS_FLOOR);
    return nullptr;
  });
}

Status* ComputeKernel(void* kernel, KernelContext* context) noexcept {
  const auto& modulus = *static_cast<const ModulusKernel*>(kernel);
  return Guarded(modulus.api(), [&] { return modulus.Compute(context); });
}

// The dimension of a shape that lies under dimension i of a broadcast one, or nothing if that is missing.
std::optional<size_t> Under(const TensorShape& input, size_t rank, size_t i) {
  const size_t missing = rank - input.dimensions.size();
  if (i < missing) return std::nullopt;
  return i - missing;
}

// The name of dimension i if this input leaves it open, or nothing.
std::optional<std::string> OpenName(const TensorShape& input, size_t rank, size_t i) {
  const std::optional<size_t> place = Under(input, rank, i);
  if (!place || input.dimensions[*place] >= 0) return std::nullopt;
  return input.names[*place];
}

// A name for every dimension that is not known: the inputs' own, or one that no other dimension has, because
// ONNX Runtime takes dimensions of one name for equal.
std::vector<std::string> NameDimensions(const Shape& shape, const TensorShape& a, const TensorShape& b) {
  static std::atomic<uint64_t> counter{0};
  std::vector<std::string> names(shape.size());
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] >= 0) continue;
    const std::optional<std::string> of_a = OpenName(a, shape.size(), i);
    const std::optional<std::string> of_b = OpenName(b, shape.size(), i);
    const bool agree = !of_a || !of_b || *of_a == *of_b;
    names[i] = agree ? of_a.value_or(of_b.value_or("")) : "";
    if (names[i].empty()) names[i] = "residue_modulus_" + std::to_string(counter.fetch_add(1));
  }
  return names;
}

Status* Infer(const Api& api, InferContext* context) {
  TensorShape inputs[2];
  for (size_t i = 0; i < 2; ++i) {
    ShapeInfo* info = nullptr;  // the context's, not ours
    if (Status* status = api.Call<Status*, const InferContext*, size_t, ShapeInfo**>(
            Slot::kShapeInferContextGetInputTypeShape, context, i, &info)) {
      return status;
    }
    if (Status* status = ReadShape(api, info, &inputs[i])) return status;
  }
  const std::optional<Shape> shape = Broadcast(inputs[0].dimensions, inputs[1].dimensions);
  if (!shape) return api.Fail(ErrorCode::kInvalidArgument, "modulus: the shapes of A and B do not broadcast");
  ShapeInfo* made = nullptr;
  if (Status* status = api.Call<Status*, ShapeInfo**>(Slot::kCreateTensorTypeAndShapeInfo, &made))
    return status;
  const OwnedShapeInfo owned(made, Releaser{api});
  if (Status* status =
          api.Call<Status*, ShapeInfo*, ElementType>(Slot::kSetTensorElementType, made, inputs[0].type)) {
    return status;
  }
  if (Status* status = api.Call<Status*, ShapeInfo*, const int64_t*, size_t>(Slot::kSetDimensions, made,
                                                                             shape->data(), shape->size())) {
    return status;
  }
  const std::vector<std::string> names = NameDimensions(*shape, inputs[0], inputs[1]);
  std::vector<const char*> pointers;
  for (const std::string& name : names) pointers.push_back(name.c_str());
  if (Status* status = api.Call<Status*, ShapeInfo*, const char**, size_t>(
          Slot::kSetSymbolicDimensions, made, pointers.data(), pointers.size())) {
    return status;
  }
  return api.Call<Status*, const InferContext*, size_t, const ShapeInfo*>(
      Slot::kShapeInferContextSetOutputTypeShape, context, 0, made);
}

Status* InferOutputShape(const CustomOp* op, InferContext* context) noexcept {
  const Api api(From(op).table);
  return Guarded(api, [&] { return Infer(api, context); });
}

}  // namespace

ModulusOp MakeModulusOp(FunctionTable table, const char* name, Mode mode) noexcept {
  ModulusOp op = {};
  op.version = kApiVersion;
  op.table = table;
  op.name = name;
  op.mode = mode;
  op.GetName = [](const CustomOp* self) { return From(self).name; };
  op.GetExecutionProviderType = [](const CustomOp*) -> const char* { return "CPUExecutionProvider"; };
  // Any type, which inference and computation look at; both inputs required, in main memory.
  op.GetInputType = op.GetOutputType = [](const CustomOp*, size_t) { return ElementType::kUndefined; };
  op.GetInputTypeCount = [](const CustomOp*) -> size_t { return 2; };
  op.GetOutputTypeCount = [](const CustomOp*) -> size_t { return 1; };
  op.GetInputCharacteristic = op.GetOutputCharacteristic =
      op.GetInputMemoryType = [](const CustomOp*, size_t) { return int32_t{0}; };
  op.GetVariadicInputMinArity = op.GetVariadicOutputMinArity = op.GetVariadicInputHomogeneity =
      op.GetVariadicOutputHomogeneity = [](const CustomOp*) { return 1; };
  op.CreateKernelV2 = &CreateKernel;
  op.KernelComputeV2 = &ComputeKernel;
  op.KernelDestroy = [](void* kernel) { delete static_cast<ModulusKernel*>(kernel); };
  op.InferOutputShape = &InferOutputShape;
  op.GetStartVersion = [](const CustomOp*) { return 1; };
  op.GetEndVersion = [](const CustomOp*) { return kNewestOpset; };
  return op;
}

}  // namespace residue::ort
