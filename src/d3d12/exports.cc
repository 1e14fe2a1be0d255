// The two functions by which a Direct3D 12 program finds everything else.
#include "core/enumeration.h"
#include "d3d12/adapter.h"
#include "d3d12/debug.h"
#include "d3d12/device.h"
#include "d3d12/device_child.h"

#define RESIDUE_EXPORT extern "C" __attribute__((visibility("default")))

RESIDUE_EXPORT HRESULT D3D12CreateDevice(IUnknown* adapter, D3D_FEATURE_LEVEL level, REFIID iid,
                                         void** device) {
  using namespace residue;
  if (device != nullptr) *device = nullptr;
  if (adapter != nullptr && !QueryFor<IUnknown>(adapter, kIidAdapter)) return E_INVALIDARG;
  const int32_t number = NumberOf(level);
  if (number > kHostFeatureLevel) return DXGI_ERROR_UNSUPPORTED;
  if (!IsSupportedLevel(number)) return E_INVALIDARG;
  return FinishCreate(Device::GetOrMake(IsDebugLayerEnabled()), iid, device);
}

RESIDUE_EXPORT HRESULT D3D12GetDebugInterface(REFIID iid, void** debug) {
  return residue::CreateDebugInterface(iid, debug);
}
