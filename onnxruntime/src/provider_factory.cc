// The entry points for plug-in execution providers: what ONNX Runtime calls when somebody registers this
// library with its environment. There is one factory for each copy of ONNX Runtime that does.
#include <string>

#include "provider.h"
#include "residue/residue.h"

#define RESIDUE_ORT_EXPORT extern "C" __attribute__((visibility("default")))

namespace residue::ort {
namespace {

class Factory : public EpFactory {
 public:
  Factory(const Api& api, FunctionTable functions) noexcept : EpFactory{}, api_(api), functions_(functions) {
    version = kProviderApiVersion;
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
  }

 private:
  static Factory& Of(EpFactory* factory) noexcept { return *static_cast<Factory*>(factory); }

  Status* FindDevices(const HardwareDevice* const* devices, size_t count, EpDevice** made, size_t most,
                      size_t* made_count) noexcept {
    *made_count = 0;
    for (size_t i = 0; i < count && *made_count < most; ++i) {
      if (api_.Call<int32_t, const HardwareDevice*>(slots::kHardwareDeviceType, devices[i]) !=
          kProcessorDevice)
        continue;
      const auto slot = static_cast<Slot>(EpSlot::kCreateEpDevice);
      if (Status* status = functions_.Call<Status*, EpFactory*, const HardwareDevice*, const KeyValuePairs*,
                                           const KeyValuePairs*, EpDevice**>(slot, this, devices[i], nullptr,
                                                                             nullptr, &made[*made_count])) {
        return status;
      }
      ++*made_count;
    }
    return nullptr;
  }

  Status* Create(const SessionOptions* session, const Logger* logger, Ep** made) {
    ProviderOptions options;
    if (Status* status = ReadProviderOptions(api_, session, &options)) return status;
    *made = new Provider(api_, functions_.table(), logger, options);
    return nullptr;
  }

  const Api api_;
  const Api functions_;
};

// May throw std::bad_alloc.
Status* MakeFactory(const Api& old, const ApiBase* base, EpFactory** factories, size_t most, size_t* count) {
  const FunctionTable table = base->GetApi(kProviderApiVersion);
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
  factories[0] = new Factory(api, functions);
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
