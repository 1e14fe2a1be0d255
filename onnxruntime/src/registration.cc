// The entry points: what ONNX Runtime calls when somebody registers this library with the options of a
// session.
//
//   RegisterCustomOps    ModulusFloor and ModulusTruncate in the domain "residue"; and, if the environment
//                        variable RESIDUE_ONNXRUNTIME_REPLACE_MOD is 1, the same as the next one
//   RegisterResidueMod   Mod in the standard domain, in place of the built-in kernel, for this session
//
// Options may be given to them any number of times.
#include <cstdlib>
#include <string>
#include <string_view>

#include "operator_domains.h"

#define RESIDUE_ORT_EXPORT extern "C" __attribute__((visibility("default")))

namespace residue::ort {
namespace {

Status* Register(SessionOptions* options, const ApiBase* base, bool own, bool replace) noexcept {
  // An ONNX Runtime that is too old for us still has its first version, whose status can say so.
  const FunctionTable first = base == nullptr ? nullptr : base->GetApi(1);
  if (first == nullptr) return nullptr;
  const Api api(first);
  return Guarded(api, [&]() -> Status* {
    const FunctionTable table = base->GetApi(kApiVersion);
    if (table == nullptr) {
      return api.Fail(
          ErrorCode::kNotImplemented,
          std::string("residue needs ONNX Runtime 1.17 or newer, and this is ") + base->GetVersionString());
    }
    if (options == nullptr)
      return api.Fail(ErrorCode::kInvalidArgument, "residue: the session options are null");
    const Api used(table);
    if (own) {
      if (Status* status = AddOwnOperators(used, options)) return status;
    }
    return replace ? AddStandardMod(used, options) : nullptr;
  });
}

bool IsAskedToReplace() noexcept {
  const char* value = std::getenv("RESIDUE_ONNXRUNTIME_REPLACE_MOD");
  return value != nullptr && std::string_view(value) == "1";
}

}  // namespace
}  // namespace residue::ort

RESIDUE_ORT_EXPORT residue::ort::Status* RegisterCustomOps(residue::ort::SessionOptions* options,
                                                           const residue::ort::ApiBase* base) noexcept {
  return residue::ort::Register(options, base, true, residue::ort::IsAskedToReplace());
}

RESIDUE_ORT_EXPORT residue::ort::Status* RegisterResidueMod(residue::ort::SessionOptions* options,
                                                            const residue::ort::ApiBase* base) noexcept {
  return residue::ort::Register(options, base, false, true);
}
