#include "d3d12/dxgi.h"

#include <algorithm>
#include <iterator>

#include "core/enumeration.h"

namespace residue {

HRESULT Factory::EnumAdapters1(UINT index, IDXGIAdapter1** adapter) noexcept {
  if (adapter == nullptr) return DXGI_ERROR_INVALID_CALL;
  *adapter = nullptr;
  if (index != 0) return DXGI_ERROR_NOT_FOUND;
  Ref<Adapter> made = TryMake<Adapter>(this, DXGI_ADAPTER_FLAG_NONE);
  if (!made) return E_OUTOFMEMORY;
  *adapter = made.Detach();
  return S_OK;
}

HRESULT Factory::EnumAdapters(UINT index, IDXGIAdapter** adapter) noexcept {
  if (adapter == nullptr) return DXGI_ERROR_INVALID_CALL;
  IDXGIAdapter1* found = nullptr;
  const HRESULT hr = EnumAdapters1(index, &found);
  *adapter = found;
  return hr;
}

HRESULT Factory::EnumAdapterByLuid(LUID luid, REFIID iid, void** adapter) noexcept {
  if (adapter == nullptr) return DXGI_ERROR_INVALID_CALL;
  *adapter = nullptr;
  if (!IsHostAdapter(luid)) return DXGI_ERROR_NOT_FOUND;
  return MoveToCaller(TryMake<Adapter>(this, DXGI_ADAPTER_FLAG_NONE), iid, adapter);
}

// Who asks for a software adapter gets the same one, and may call it so. Others skip adapters that do.
HRESULT Factory::EnumWarpAdapter(REFIID iid, void** adapter) noexcept {
  if (adapter == nullptr) return DXGI_ERROR_INVALID_CALL;
  *adapter = nullptr;
  return MoveToCaller(TryMake<Adapter>(this, DXGI_ADAPTER_FLAG_SOFTWARE), iid, adapter);
}

HRESULT Factory::EnumAdapterByGpuPreference(UINT index, DXGI_GPU_PREFERENCE preference, REFIID iid,
                                            void** adapter) noexcept {
  if (adapter == nullptr) return DXGI_ERROR_INVALID_CALL;
  *adapter = nullptr;
  if (static_cast<UINT>(NumberOf(preference)) > DXGI_GPU_PREFERENCE_HIGH_PERFORMANCE) return E_INVALIDARG;
  if (index != 0) return DXGI_ERROR_NOT_FOUND;
  return MoveToCaller(TryMake<Adapter>(this, DXGI_ADAPTER_FLAG_NONE), iid, adapter);
}

// Nothing is presented, so nothing may tear.
HRESULT Factory::CheckFeatureSupport(DXGI_FEATURE feature, void* data, UINT size) noexcept {
  const bool known = NumberOf(feature) == DXGI_FEATURE_PRESENT_ALLOW_TEARING;
  if (!known || data == nullptr || size != sizeof(BOOL)) return DXGI_ERROR_INVALID_CALL;
  *static_cast<BOOL*>(data) = FALSE;
  return S_OK;
}

HRESULT Adapter::GetDesc(DXGI_ADAPTER_DESC* desc) noexcept {
  if (desc == nullptr) return E_INVALIDARG;
  *desc = {};
  std::copy(std::begin(kHostAdapterName), std::end(kHostAdapterName), desc->Description);
  desc->SharedSystemMemory = PhysicalMemoryBytes();
  desc->AdapterLuid = kHostAdapterLuid;
  return S_OK;
}

HRESULT Adapter::GetDesc1(DXGI_ADAPTER_DESC1* desc) noexcept {
  if (desc == nullptr) return E_INVALIDARG;
  desc->Flags = flags_;
  return GetDesc(desc);
}

HRESULT Adapter::GetDesc2(DXGI_ADAPTER_DESC2* desc) noexcept {
  if (desc == nullptr) return E_INVALIDARG;
  *desc = {};
  return GetDesc1(desc);
}

HRESULT Adapter::GetDesc3(DXGI_ADAPTER_DESC3* desc) noexcept {
  if (desc == nullptr) return E_INVALIDARG;
  *desc = {};
  desc->Flags = static_cast<DXGI_ADAPTER_FLAG3>(flags_);
  return GetDesc(desc);
}

// Unified memory is local, whoever asks.
HRESULT Adapter::QueryVideoMemoryInfo(UINT node, DXGI_MEMORY_SEGMENT_GROUP group,
                                      DXGI_QUERY_VIDEO_MEMORY_INFO* info) noexcept {
  if (info == nullptr || node != 0) return E_INVALIDARG;
  const int32_t number = NumberOf(group);
  if (number != DXGI_MEMORY_SEGMENT_GROUP_LOCAL && number != DXGI_MEMORY_SEGMENT_GROUP_NON_LOCAL) {
    return E_INVALIDARG;
  }
  *info = {};
  if (number == DXGI_MEMORY_SEGMENT_GROUP_LOCAL) *info = {PhysicalMemoryBytes(), UsedMemoryBytes(), 0, 0};
  return S_OK;
}

}  // namespace residue

HRESULT CreateDXGIFactory2(UINT flags, REFIID iid, void** factory) noexcept {
  if (factory == nullptr) return DXGI_ERROR_INVALID_CALL;
  *factory = nullptr;
  return residue::MoveToCaller(residue::TryMake<residue::Factory>(flags), iid, factory);
}

HRESULT CreateDXGIFactory1(REFIID iid, void** factory) noexcept {
  return CreateDXGIFactory2(0, iid, factory);
}
