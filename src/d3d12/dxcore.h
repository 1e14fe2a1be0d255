// DXCore's factory, its list and its one adapter, the CPU. It computes, and it does not draw.
#pragma once

#include <residue_d3d12.h>
#include "com/com_object.h"
#include "d3d12/adapter.h"

namespace residue {

class CoreFactory final : public ComObject<IDXCoreAdapterFactory> {
 public:
  HRESULT STDMETHODCALLTYPE CreateAdapterList(uint32_t count, const GUID* attributes, REFIID iid,
                                              void** list) noexcept override;
  HRESULT STDMETHODCALLTYPE GetAdapterByLuid(const LUID& luid, REFIID iid, void** adapter) noexcept override;
  // The adapter neither comes nor goes, and its memory has no budget that changes: nothing is ever notified.
  bool STDMETHODCALLTYPE IsNotificationTypeSupported(DXCoreNotificationType) noexcept override {
    return false;
  }
  HRESULT STDMETHODCALLTYPE RegisterEventNotification(IUnknown*, DXCoreNotificationType,
                                                      PFN_DXCORE_NOTIFICATION_CALLBACK, void*,
                                                      uint32_t* cookie) noexcept override {
    if (cookie != nullptr) *cookie = 0;
    return DXGI_ERROR_INVALID_CALL;
  }
  HRESULT STDMETHODCALLTYPE UnregisterEventNotification(uint32_t) noexcept override { return E_INVALIDARG; }

 private:
  void* FindInterface(REFIID iid) noexcept override {
    return MatchInterface<IDXCoreAdapterFactory, IUnknown>(iid, this);
  }
};

class CoreAdapterList final : public ComObject<IDXCoreAdapterList> {
 public:
  CoreAdapterList(CoreFactory* factory, uint32_t count) noexcept
      : factory_(Ref<CoreFactory>::Share(factory)), count_(count) {}
  HRESULT STDMETHODCALLTYPE GetAdapter(uint32_t index, REFIID iid, void** adapter) noexcept override;
  uint32_t STDMETHODCALLTYPE GetAdapterCount() noexcept override { return count_; }
  bool STDMETHODCALLTYPE IsStale() noexcept override { return false; }
  HRESULT STDMETHODCALLTYPE GetFactory(REFIID iid, void** factory) noexcept override {
    return factory_->QueryInterface(iid, factory);
  }
  // One adapter is in every order.
  HRESULT STDMETHODCALLTYPE Sort(uint32_t count,
                                 const DXCoreAdapterPreference* preferences) noexcept override {
    return count == 0 || preferences == nullptr ? E_INVALIDARG : S_OK;
  }
  bool STDMETHODCALLTYPE IsAdapterPreferenceSupported(DXCoreAdapterPreference preference) noexcept override {
    return preference <= DXCoreAdapterPreference::HighPerformance;
  }

 private:
  void* FindInterface(REFIID iid) noexcept override {
    return MatchInterface<IDXCoreAdapterList, IUnknown>(iid, this);
  }
  const Ref<CoreFactory> factory_;
  const uint32_t count_;
};

class CoreAdapter final : public ComObject<IDXCoreAdapter> {
 public:
  explicit CoreAdapter(CoreFactory* factory) noexcept : factory_(Ref<CoreFactory>::Share(factory)) {}
  // Attributes of adapters: what the adapter can do.
  static bool Has(REFGUID attribute) noexcept;

  bool STDMETHODCALLTYPE IsValid() noexcept override { return true; }
  bool STDMETHODCALLTYPE IsAttributeSupported(REFGUID attribute) noexcept override { return Has(attribute); }
  bool STDMETHODCALLTYPE IsPropertySupported(DXCoreAdapterProperty property) noexcept override;
  HRESULT STDMETHODCALLTYPE GetProperty(DXCoreAdapterProperty property, size_t size,
                                        void* data) noexcept override;
  HRESULT STDMETHODCALLTYPE GetPropertySize(DXCoreAdapterProperty property, size_t* size) noexcept override;
  bool STDMETHODCALLTYPE IsQueryStateSupported(DXCoreAdapterState state) noexcept override {
    return state <= DXCoreAdapterState::AdapterMemoryBudget;
  }
  HRESULT STDMETHODCALLTYPE QueryState(DXCoreAdapterState state, size_t input_size, const void* input,
                                       size_t size, void* data) noexcept override;
  bool STDMETHODCALLTYPE IsSetStateSupported(DXCoreAdapterState) noexcept override { return false; }
  HRESULT STDMETHODCALLTYPE SetState(DXCoreAdapterState, size_t, const void*, size_t,
                                     const void*) noexcept override {
    return DXGI_ERROR_INVALID_CALL;
  }
  HRESULT STDMETHODCALLTYPE GetFactory(REFIID iid, void** factory) noexcept override {
    return factory_->QueryInterface(iid, factory);
  }

 private:
  void* FindInterface(REFIID iid) noexcept override {
    if (iid == kIidAdapter) return static_cast<IUnknown*>(this);
    return MatchInterface<IDXCoreAdapter, IUnknown>(iid, this);
  }
  const Ref<CoreFactory> factory_;
};

}  // namespace residue
