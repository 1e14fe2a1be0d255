// The entry points for plug-in execution providers: what ONNX Runtime calls when somebody registers this
// library with its environment. There is one factory for each copy of ONNX Runtime that does.
#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

#include "operator_domains.h"
#include "provider.h"
#include "residue/residue.h"

#define RESIDUE_ORT_EXPORT extern "C" __attribute__((visibility("default")))

namespace residue::ort {
namespace {

class Factory : public EpFactory {
 public:
  Factory(uint32_t supported, const Api& api, FunctionTable functions, bool claims_in_branches) noexcept
      : EpFactory{}, api_(api), functions_(functions), claims_in_branches_(claims_in_branches) {
    version = supported;
    GetName = [](const EpFactory*) noexcept { return kProviderName; };
    GetVendor = [](const EpFactory*) noexcept { return "Residue"; };
    GetVendorId = [](const EpFactory*) noexcept { return uint32_t{0}; };
    GetVersion = [](const EpFactory*) noexcept { return residue_version(); };
    GetSupportedDevices = [](EpFactory* self, const HardwareDevice* const* devices, size_t count,
                             EpDevice** made, size_t most, size_t* made_count) noexcept {
      return Of(self).FindDevices(devices, count, made, most, made_count);
    };
    CreateEp = [](EpFactory* self, const HardwareDevice* const*, const KeyValuePairs* const*, size_t,
                  const SessionOptions* session, const Logger* logger, Ep** made) noexcept {
      return Guarded(Of(self).api_, [&] { return Of(self).Create(session, logger, made); });
    };
    ReleaseEp = [](EpFactory*, Ep* ep) noexcept { delete static_cast<Provider*>(ep); };
    // Tensors lie in main memory, as ONNX Runtime's own do: nothing of ours is needed to allocate or to move
    // them.
    CreateAllocator = [](EpFactory*, const MemoryInfo*, const KeyValuePairs*,
                         Allocator** allocator) noexcept -> Status* {
      *allocator = nullptr;
      return nullptr;
    };
    ReleaseAllocator = [](EpFactory*, Allocator*) noexcept {};
    CreateDataTransfer = [](EpFactory*, DataTransfer** transfer) noexcept -> Status* {
      *transfer = nullptr;
      return nullptr;
    };
    IsStreamAware = [](const EpFactory*) noexcept { return false; };
    // ONNX Runtime computes nodes of constants with its own kernels, before it asks what we claim; its Mod
    // crashes on some. A Mod of ours in its place is not computed before the model runs.
    GetNumCustomOpDomains = [](EpFactory*, size_t* count) noexcept -> Status* {
      *count = 1;
      return nullptr;
    };
    GetCustomOpDomains = [](EpFactory* self, Domain** domains, size_t count) noexcept -> Status* {
      if (count == 0) return nullptr;
      return Guarded(Of(self).api_, [&] { return FindStandardMod(Of(self).api_, domains); });
    };
  }

 private:
  static Factory& Of(EpFactory* factory) noexcept { return *static_cast<Factory*>(factory); }

  // What ONNX Runtime adds to the options of sessions that have us; see kProviderMark.
  KeyValuePairs* MakeOptions() const noexcept {
    KeyValuePairs* options = nullptr;
    if (version < kProviderOperatorsApiVersion) return options;
    api_.Call<void, KeyValuePairs**>(slots::kCreateKeyValuePairs, &options);
    api_.Call<void, KeyValuePairs*, const char*, const char*>(slots::kAddKeyValuePair, options, "brings_mod",
                                                              "1");
    return options;
  }

  Status* FindDevices(const HardwareDevice* const* devices, size_t count, EpDevice** made, size_t most,
                      size_t* made_count) noexcept {
    *made_count = 0;
    for (size_t i = 0; i < count && *made_count < most; ++i) {
      if (api_.Call<int32_t, const HardwareDevice*>(slots::kHardwareDeviceType, devices[i]) !=
          kProcessorDevice)
        continue;
      const auto slot = static_cast<Slot>(EpSlot::kCreateEpDevice);
      KeyValuePairs* options = MakeOptions();
      Status* status = functions_.Call<Status*, EpFactory*, const HardwareDevice*, const KeyValuePairs*,
                                       const KeyValuePairs*, EpDevice**>(slot, this, devices[i], nullptr,
                                                                         options, &made[*made_count]);
      if (options != nullptr) api_.Call<void, KeyValuePairs*>(slots::kReleaseKeyValuePairs, options);
      if (status != nullptr) return status;
      ++*made_count;
    }
    return nullptr;
  }

  Status* Create(const SessionOptions* session, const Logger* logger, Ep** made) {
    ProviderOptions options;
    if (Status* status = ReadProviderOptions(api_, session, &options)) return status;
    *made = new Provider(api_, functions_.table(), logger, options, claims_in_branches_);
    return nullptr;
  }

  const Api api_;
  const Api functions_;
  const bool claims_in_branches_;
};

// 24 for "1.24.3", the number of the interface that came with it; 0 for what is no version. To ask for an
// interface that is too new would print.
uint32_t InterfaceOf(const ApiBase* base) {
  const std::string_view version = base->GetVersionString();
  uint32_t minor = 0;
  if (version.starts_with("1.")) std::from_chars(version.data() + 2, version.data() + version.size(), minor);
  return minor;
}

// May throw std::bad_alloc.
Status* MakeFactory(const Api& old, const ApiBase* base, EpFactory** factories, size_t most, size_t* count) {
  const uint32_t newest = InterfaceOf(base);
  const uint32_t supported = std::min(newest, kProviderOperatorsApiVersion);
  const FunctionTable table = supported < kProviderApiVersion ? nullptr : base->GetApi(supported);
  if (table == nullptr) {
    return old.Fail(ErrorCode::kNotImplemented,
                    std::string("residue's provider needs ONNX Runtime 1.23 or newer, and this is ") +
                        base->GetVersionString());
  }
  if (most == 0) return old.Fail(ErrorCode::kInvalidArgument, "residue: there is no room for a factory");
  const Api api(table);
  const auto functions = api.Call<FunctionTable>(slots::kGetEpApi);
  if (functions == nullptr)
    return old.Fail(ErrorCode::kNotImplemented, "residue: this ONNX Runtime has no interface for providers");
  factories[0] = new Factory(supported, api, functions, newest >= kProviderBranchesApiVersion);
  *count = 1;
  return nullptr;
}

}  // namespace
}  // namespace residue::ort

RESIDUE_ORT_EXPORT residue::ort::Status* CreateEpFactories(const char*, const residue::ort::ApiBase* base,
                                                           const residue::ort::Logger*,
                                                           residue::ort::EpFactory** factories, size_t most,
                                                           size_t* count) noexcept {
  using namespace residue::ort;
  *count = 0;
  const FunctionTable first = base == nullptr ? nullptr : base->GetApi(1);
  if (first == nullptr) return nullptr;
  const Api old(first);
  return Guarded(old, [&] { return MakeFactory(old, base, factories, most, count); });
}

RESIDUE_ORT_EXPORT residue::ort::Status* ReleaseEpFactory(residue::ort::EpFactory* factory) noexcept {
  delete static_cast<residue::ort::Factory*>(factory);
  return nullptr;
}
