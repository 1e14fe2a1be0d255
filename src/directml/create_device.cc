// DMLCreateDevice1's checks, and the environment variables that stand in for another machine:
//   RESIDUE_DIRECTML_FEATURE_LEVEL=2_1         behave as a runtime of that level
//   RESIDUE_DIRECTML_DEBUG_LAYER=0             behave as if the debug layer were not installed
//   RESIDUE_DIRECTML_REQUIRE_INITIALIZATION=0  run operators without persistent data uninitialized, as GPUs
//   do
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "directml/device.h"

namespace residue {
namespace {

bool IsSwitchedOff(const char* variable) noexcept {
  const char* value = std::getenv(variable);
  return value != nullptr && std::string_view(value) == "0";
}

// A device of another Direct3D 12 has no sink of ours: its info queue is told, else standard error when the
// program asked for debug output.
void ExplainForeignDevice(ID3D12Device* device, bool debug) noexcept {
  constexpr const char* kText =
      "DMLCreateDevice: this Direct3D 12 device was not made by libresidue_d3d12; only its devices are "
      "supported";
  if (const auto queue = QueryFor<ID3D12InfoQueue>(device, __uuidof(ID3D12InfoQueue)); queue) {
    queue->AddApplicationMessage(D3D12_MESSAGE_SEVERITY_ERROR, kText);
  } else if (debug) {
    std::fprintf(stderr, "[DIRECTML ERROR]: %s\n", kText);
  }
}

}  // namespace

HRESULT CreateDmlDevice(ID3D12Device* parent, uint32_t flags, uint32_t minimum_level, REFIID iid,
                        void** result) noexcept {
  if (result != nullptr) *result = nullptr;
  if (parent == nullptr || (flags & ~uint32_t{DML_CREATE_DEVICE_FLAG_DEBUG}) != 0) return E_INVALIDARG;
  const bool debug = flags != 0;
  const auto host = QueryFor<IHostDevice>(parent, kIidHostDevice);
  if (!host) {
    ExplainForeignDevice(parent, debug);
    return DXGI_ERROR_UNSUPPORTED;
  }
  if (debug && IsSwitchedOff("RESIDUE_DIRECTML_DEBUG_LAYER")) return DXGI_ERROR_SDK_COMPONENT_MISSING;
  FeatureLevel level = kHighestFeatureLevel;
  if (const char* emulated = std::getenv("RESIDUE_DIRECTML_FEATURE_LEVEL"); emulated != nullptr) {
    if (!ParseFeatureLevel(emulated, &level)) return E_INVALIDARG;
  }
  // Numbers between levels count as what they are: a plain comparison.
  if (minimum_level > static_cast<uint32_t>(level)) return DXGI_ERROR_UNSUPPORTED;
  if (parent->GetDeviceRemovedReason() != S_OK) return DXGI_ERROR_DEVICE_REMOVED;
  try {
    const bool initialize = !IsSwitchedOff("RESIDUE_DIRECTML_REQUIRE_INITIALIZATION");
    auto state =
        std::make_shared<DeviceState>(level, debug, initialize, Ref<IBackend>::Adopt(host->GetBackend()));
    const auto device = Make<DmlDevice>(state, parent);
    void* found = nullptr;
    const HRESULT hr = device->QueryInterface(iid, result != nullptr ? result : &found);
    if (found != nullptr) device->Release();
    if (SUCCEEDED(hr) && !QueryFor<ID3D12InfoQueue>(parent, __uuidof(ID3D12InfoQueue))) {
      state->Write(
          Severity::kWarning,
          "the Direct3D 12 debug layer is off: call ID3D12Debug::EnableDebugLayer before creating the device "
          "to receive messages through ID3D12InfoQueue");
    }
    return hr;
  } catch (const std::bad_alloc&) {
    return E_OUTOFMEMORY;
  }
}

}  // namespace residue
