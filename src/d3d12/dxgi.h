// DXGI's factory and its one adapter, the CPU.
#pragma once

#include <dxgi1_6.h>
#include "com/com_object.h"
#include "com/private_data.h"
#include "d3d12/adapter.h"

namespace residue {

template <class Interface>
class DxgiObject : public ComObject<Interface> {
 public:
  HRESULT STDMETHODCALLTYPE SetPrivateData(REFGUID key, UINT size, const void* data) noexcept override {
    return private_data_.Set(key, size, data);
  }
  HRESULT STDMETHODCALLTYPE SetPrivateDataInterface(REFGUID key, const IUnknown* object) noexcept override {
    return private_data_.SetInterface(key, const_cast<IUnknown*>(object));
  }
  HRESULT STDMETHODCALLTYPE GetPrivateData(REFGUID key, UINT* size, void* data) noexcept override {
    return private_data_.Get(key, size, data);
  }

 private:
  PrivateData private_data_;
};

class Factory final : public DxgiObject<IDXGIFactory6> {
 public:
  explicit Factory(UINT flags) noexcept : flags_(flags) {}

  HRESULT STDMETHODCALLTYPE GetParent(REFIID, void** parent) noexcept override {
    if (parent != nullptr) *parent = nullptr;
    return E_NOINTERFACE;
  }
  HRESULT STDMETHODCALLTYPE EnumAdapters(UINT index, IDXGIAdapter** adapter) noexcept override;
  HRESULT STDMETHODCALLTYPE EnumAdapters1(UINT index, IDXGIAdapter1** adapter) noexcept override;
  HRESULT STDMETHODCALLTYPE EnumAdapterByLuid(LUID luid, REFIID iid, void** adapter) noexcept override;
  HRESULT STDMETHODCALLTYPE EnumWarpAdapter(REFIID iid, void** adapter) noexcept override;
  HRESULT STDMETHODCALLTYPE EnumAdapterByGpuPreference(UINT index, DXGI_GPU_PREFERENCE preference, REFIID iid,
                                                       void** adapter) noexcept override;
  HRESULT STDMETHODCALLTYPE CheckFeatureSupport(DXGI_FEATURE feature, void* data,
                                                UINT size) noexcept override;
  BOOL STDMETHODCALLTYPE IsCurrent() noexcept override { return TRUE; }
  UINT STDMETHODCALLTYPE GetCreationFlags() noexcept override { return flags_; }
  BOOL STDMETHODCALLTYPE IsWindowedStereoEnabled() noexcept override { return FALSE; }

  // No windows, no swap chains.
  HRESULT STDMETHODCALLTYPE MakeWindowAssociation(HWND, UINT) noexcept override { return kNone; }
  HRESULT STDMETHODCALLTYPE GetWindowAssociation(HWND*) noexcept override { return kNone; }
  HRESULT STDMETHODCALLTYPE CreateSwapChain(IUnknown*, DXGI_SWAP_CHAIN_DESC*,
                                            IDXGISwapChain** chain) noexcept override {
    return RefuseToMake(chain);
  }
  HRESULT STDMETHODCALLTYPE CreateSoftwareAdapter(HMODULE, IDXGIAdapter** adapter) noexcept override {
    return RefuseToMake(adapter);
  }
  HRESULT STDMETHODCALLTYPE CreateSwapChainForHwnd(IUnknown*, HWND, const DXGI_SWAP_CHAIN_DESC1*,
                                                   const DXGI_SWAP_CHAIN_FULLSCREEN_DESC*, IDXGIOutput*,
                                                   IDXGISwapChain1** chain) noexcept override {
    return RefuseToMake(chain);
  }
  HRESULT STDMETHODCALLTYPE CreateSwapChainForCoreWindow(IUnknown*, IUnknown*, const DXGI_SWAP_CHAIN_DESC1*,
                                                         IDXGIOutput*,
                                                         IDXGISwapChain1** chain) noexcept override {
    return RefuseToMake(chain);
  }
  HRESULT STDMETHODCALLTYPE CreateSwapChainForComposition(IUnknown*, const DXGI_SWAP_CHAIN_DESC1*,
                                                          IDXGIOutput*,
                                                          IDXGISwapChain1** chain) noexcept override {
    return RefuseToMake(chain);
  }
  HRESULT STDMETHODCALLTYPE GetSharedResourceAdapterLuid(HANDLE, LUID*) noexcept override { return kNone; }
  HRESULT STDMETHODCALLTYPE RegisterStereoStatusWindow(HWND, UINT, DWORD*) noexcept override { return kNone; }
  HRESULT STDMETHODCALLTYPE RegisterStereoStatusEvent(HANDLE, DWORD*) noexcept override { return kNone; }
  void STDMETHODCALLTYPE UnregisterStereoStatus(DWORD) noexcept override {}
  HRESULT STDMETHODCALLTYPE RegisterOcclusionStatusWindow(HWND, UINT, DWORD*) noexcept override {
    return kNone;
  }
  HRESULT STDMETHODCALLTYPE RegisterOcclusionStatusEvent(HANDLE, DWORD*) noexcept override { return kNone; }
  void STDMETHODCALLTYPE UnregisterOcclusionStatus(DWORD) noexcept override {}

 private:
  template <class Interface>
  static HRESULT RefuseToMake(Interface** result) noexcept {
    if (result != nullptr) *result = nullptr;
    return kNone;
  }
  static constexpr HRESULT kNone = DXGI_ERROR_UNSUPPORTED;
  void* FindInterface(REFIID iid) noexcept override {
    return MatchInterface<IDXGIFactory6, IDXGIFactory5, IDXGIFactory4, IDXGIFactory3, IDXGIFactory2,
                          IDXGIFactory1, IDXGIFactory, IDXGIObject, IUnknown>(iid, this);
  }
  const UINT flags_;
};

class Adapter final : public DxgiObject<IDXGIAdapter4> {
 public:
  Adapter(Factory* factory, UINT flags) noexcept : factory_(Ref<Factory>::Share(factory)), flags_(flags) {}
  HRESULT STDMETHODCALLTYPE GetParent(REFIID iid, void** parent) noexcept override {
    return factory_->QueryInterface(iid, parent);
  }
  HRESULT STDMETHODCALLTYPE EnumOutputs(UINT, IDXGIOutput** output) noexcept override {
    if (output != nullptr) *output = nullptr;
    return DXGI_ERROR_NOT_FOUND;
  }
  HRESULT STDMETHODCALLTYPE GetDesc(DXGI_ADAPTER_DESC* desc) noexcept override;
  HRESULT STDMETHODCALLTYPE GetDesc1(DXGI_ADAPTER_DESC1* desc) noexcept override;
  HRESULT STDMETHODCALLTYPE GetDesc2(DXGI_ADAPTER_DESC2* desc) noexcept override;
  HRESULT STDMETHODCALLTYPE GetDesc3(DXGI_ADAPTER_DESC3* desc) noexcept override;
  HRESULT STDMETHODCALLTYPE CheckInterfaceSupport(REFGUID, LARGE_INTEGER*) noexcept override {
    return DXGI_ERROR_UNSUPPORTED;
  }
  HRESULT STDMETHODCALLTYPE QueryVideoMemoryInfo(UINT node, DXGI_MEMORY_SEGMENT_GROUP group,
                                                 DXGI_QUERY_VIDEO_MEMORY_INFO* info) noexcept override;
  // The system shares its memory out as it likes, and nothing protected is here.
  HRESULT STDMETHODCALLTYPE SetVideoMemoryReservation(UINT, DXGI_MEMORY_SEGMENT_GROUP,
                                                      UINT64) noexcept override {
    return DXGI_ERROR_UNSUPPORTED;
  }
  HRESULT STDMETHODCALLTYPE RegisterVideoMemoryBudgetChangeNotificationEvent(HANDLE,
                                                                             DWORD*) noexcept override {
    return DXGI_ERROR_UNSUPPORTED;
  }
  void STDMETHODCALLTYPE UnregisterVideoMemoryBudgetChangeNotification(DWORD) noexcept override {}
  HRESULT STDMETHODCALLTYPE RegisterHardwareContentProtectionTeardownStatusEvent(HANDLE,
                                                                                 DWORD*) noexcept override {
    return DXGI_ERROR_UNSUPPORTED;
  }
  void STDMETHODCALLTYPE UnregisterHardwareContentProtectionTeardownStatus(DWORD) noexcept override {}

 private:
  void* FindInterface(REFIID iid) noexcept override {
    if (iid == kIidAdapter) return static_cast<IUnknown*>(this);
    return MatchInterface<IDXGIAdapter4, IDXGIAdapter3, IDXGIAdapter2, IDXGIAdapter1, IDXGIAdapter,
                          IDXGIObject, IUnknown>(iid, this);
  }
  const Ref<Factory> factory_;
  const UINT flags_;
};

}  // namespace residue
