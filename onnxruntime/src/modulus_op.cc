#include "modulus_op.h"

#include <memory>
#include <string>
#include <string_view>

#include "modulus_kernel.h"
#include "shape_inference.h"

namespace residue::ort {
namespace {

constexpr char kFmod[] = "fmod";
constexpr std::string_view kMissingAttribute = "No attribute with name";

const ModulusOp& From(const CustomOp* op) noexcept { return *static_cast<const ModulusOp*>(op); }

// 0 or 1; 0 if the node does not say.
Status* ReadFmod(const Api& api, const KernelInfo* info, bool* truncate) {
  int64_t fmod = 0;
  if (Status* status = api.Call<Status*, const KernelInfo*, const char*, int64_t*>(
          Slot::kKernelInfoGetAttributeInt64, info, kFmod, &fmod)) {
    // Missing is fine, of another type is not; only the text tells which.
    if (std::string_view(api.Message(status)).find(kMissingAttribute) == std::string_view::npos)
      return status;
    api.Release(status);
  }
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
    const auto rounding = truncate ? RESIDUE_MODULUS_TRUNCATE : RESIDUE_MODULUS_FLOOR;
    *kernel = std::make_unique<ModulusKernel>(api, rounding, *From(op).type).release();
    return nullptr;
  });
}

Status* ComputeKernel(void* kernel, KernelContext* context) noexcept {
  const auto& modulus = *static_cast<const ModulusKernel*>(kernel);
  return Guarded(modulus.api(), [&] { return modulus.Compute(context); });
}

Status* InferOutputShape(const CustomOp* op, InferContext* context) noexcept {
  const Api api(From(op).table);
  // ONNX Runtime 1.30 drops what we return without releasing it. A shape that cannot be inferred is no error.
  api.Release(Guarded(api, [&] { return InferShape(api, context); }));
  return nullptr;
}

}  // namespace

ModulusOp MakeModulusOp(FunctionTable table, const char* name, Mode mode, const TypeRow& type) noexcept {
  ModulusOp op = {};
  op.version = kApiVersion;
  op.table = table;
  op.name = name;
  op.mode = mode;
  op.type = &type;
  op.GetName = [](const CustomOp* self) { return From(self).name; };
  op.GetExecutionProviderType = [](const CustomOp*) -> const char* { return "CPUExecutionProvider"; };
  // Both inputs and the output of one type; all required, in main memory.
  op.GetInputType = op.GetOutputType = [](const CustomOp* self, size_t) { return From(self).type->onnx; };
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
  // All opsets, which keeps ONNX Runtime from folding a Mod of constants with its own kernel of opset 10
  // or 13.
  op.GetStartVersion = [](const CustomOp*) { return 1; };
  return op;
}

}  // namespace residue::ort
