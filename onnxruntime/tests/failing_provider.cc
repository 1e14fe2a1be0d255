// A library of a provider that is ours, except that ONNX Runtime's functions come from somebody else: ONNX
// Runtime loads providers by their paths, and gives them its own.
#include <dlfcn.h>

#include "provider_abi.h"

namespace {

const residue::ort::ApiBase* used_base = nullptr;

template <class Function>
Function Find(const char* name) {
  return reinterpret_cast<Function>(dlsym(dlopen(RESIDUE_ORT_LIBRARY, RTLD_NOW | RTLD_LOCAL), name));
}

}  // namespace

#define RESIDUE_ORT_EXPORT extern "C" __attribute__((visibility("default")))

RESIDUE_ORT_EXPORT void UseBase(const residue::ort::ApiBase* base) { used_base = base; }

RESIDUE_ORT_EXPORT residue::ort::Status* CreateEpFactories(const char* name, const residue::ort::ApiBase*,
                                                           const residue::ort::Logger* logger,
                                                           residue::ort::EpFactory** factories, size_t most,
                                                           size_t* count) {
  return Find<decltype(&CreateEpFactories)>("CreateEpFactories")(name, used_base, logger, factories, most,
                                                                 count);
}

RESIDUE_ORT_EXPORT residue::ort::Status* ReleaseEpFactory(residue::ort::EpFactory* factory) {
  return Find<decltype(&ReleaseEpFactory)>("ReleaseEpFactory")(factory);
}
