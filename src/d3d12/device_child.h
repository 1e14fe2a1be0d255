// What all objects made by a device share: private data, a name, and the device itself.
#pragma once

#include <atomic>
#include <type_traits>

#include <residue_d3d12.h>
#include "com/com_object.h"
#include "com/private_data.h"

namespace residue {

// Why a device was removed, S_OK while it is there. Shared with what may outlive the device.
using RemovedReason = std::atomic<HRESULT>;

template <class Interface, class... Others>
class DeviceChild : public ComObject<Interface, Others...> {
 public:
  HRESULT STDMETHODCALLTYPE GetPrivateData(REFGUID key, UINT* size, void* data) noexcept override {
    return private_data_.Get(key, size, data);
  }
  HRESULT STDMETHODCALLTYPE SetPrivateData(REFGUID key, UINT size, const void* data) noexcept override {
    return private_data_.Set(key, size, data);
  }
  HRESULT STDMETHODCALLTYPE SetPrivateDataInterface(REFGUID key, const IUnknown* object) noexcept override {
    return private_data_.SetInterface(key, const_cast<IUnknown*>(object));
  }
  HRESULT STDMETHODCALLTYPE SetName(LPCWSTR name) noexcept override { return private_data_.SetName(name); }
  HRESULT STDMETHODCALLTYPE GetDevice(REFIID iid, void** device) noexcept override {
    return device_->QueryInterface(iid, device);
  }
  bool IsOf(const ID3D12Device* other) const noexcept { return device_.get() == other; }

 protected:
  explicit DeviceChild(ID3D12Device* device) noexcept : device_(Ref<ID3D12Device>::Share(device)) {}

  ID3D12Device* device() const noexcept { return device_.get(); }

  void* FindInterface(REFIID iid) noexcept override {
    auto* self = static_cast<Interface*>(this);
    if constexpr (std::is_base_of_v<ID3D12Pageable, Interface>) {
      if (iid == __uuidof(ID3D12Pageable)) return static_cast<ID3D12Pageable*>(self);
    }
    return MatchInterface<Interface, ID3D12DeviceChild, ID3D12Object, IUnknown>(iid, self);
  }

 private:
  Ref<ID3D12Device> device_;
  PrivateData private_data_;
};

// The end of every Create call of the device. A null result pointer asks only whether the call would succeed.
template <class T>
HRESULT FinishCreate(Ref<T> object, REFIID iid, void** result) noexcept {
  if (!object) return E_OUTOFMEMORY;
  if (result != nullptr) return object->QueryInterface(iid, result);
  void* found = nullptr;
  const HRESULT hr = object->QueryInterface(iid, &found);
  if (FAILED(hr)) return hr;
  object->Release();
  return S_FALSE;
}

}  // namespace residue
