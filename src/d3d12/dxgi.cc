#include "d3d12/dxgi.h"

#include <unistd.h>

#include <cwchar>

#include "d3d12/device.h"

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
  if (luid.LowPart != kHostAdapterLuid.LowPart || luid.HighPart != kHostAdapterLuid.HighPart) {
    return DXGI_ERROR_NOT_FOUND;
  }
  return MoveToCaller(TryMake<Adapter>(this, DXGI_ADAPTER_FLAG_NONE), iid, adapter);
}

// Who asks for a software adapter gets the same one, and may call it so. Others skip adapters that do.
HRESULT Factory::EnumWarpAdapter(REFIID iid, void** adapter) noexcept {
  if (adapter == nullptr) return DXGI_ERROR_INVALID_CALL;
  *adapter = nullptr;
  return MoveToCaller(TryMake<Adapter>(this, DXGI_ADAPTER_FLAG_SOFTWARE), iid, adapter);
}

HRESULT Adapter::GetDesc(DXGI_ADAPTER_DESC* desc) noexcept {
  if (desc == nullptr) return E_INVALIDARG;
  *desc = {};
  std::wcscpy(desc->Description, L"Residue CPU");
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_size = sysconf(_SC_PAGESIZE);
  if (pages > 0 && page_size > 0) {
    desc->SharedSystemMemory = static_cast<SIZE_T>(pages) * static_cast<SIZE_T>(page_size);
  }
  desc->AdapterLuid = kHostAdapterLuid;
  return S_OK;
}

HRESULT Adapter::GetDesc1(DXGI_ADAPTER_DESC1* desc) noexcept {
  if (desc == nullptr) return E_INVALIDARG;
  desc->Flags = flags_;
  return GetDesc(desc);
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
