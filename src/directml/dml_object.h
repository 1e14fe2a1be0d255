// What all DirectML objects share: IDMLObject's private data and name, and (DmlChild) the device they belong
// to. On a removed device every method but the reference counting is a no-op.
#pragma once

#include <DirectML.h>

#include <memory>

#include "com/com_object.h"
#include "com/private_data.h"
#include "directml/device_state.h"

namespace residue {

template <class Interface, class... Others>
class DmlObject : public ComObject<Interface, Others...> {
 public:
  HRESULT STDMETHODCALLTYPE GetPrivateData(REFGUID key, UINT* size, void* data) noexcept override {
    return state_->IsRemoved() ? DXGI_ERROR_DEVICE_REMOVED : private_data_.Get(key, size, data);
  }
  HRESULT STDMETHODCALLTYPE SetPrivateData(REFGUID key, UINT size, const void* data) noexcept override {
    return state_->IsRemoved() ? DXGI_ERROR_DEVICE_REMOVED : private_data_.Set(key, size, data);
  }
  HRESULT STDMETHODCALLTYPE SetPrivateDataInterface(REFGUID key, IUnknown* object) noexcept override {
    return state_->IsRemoved() ? DXGI_ERROR_DEVICE_REMOVED : private_data_.SetInterface(key, object);
  }
  HRESULT STDMETHODCALLTYPE SetName(PCWSTR name) noexcept override {
    return state_->IsRemoved() ? DXGI_ERROR_DEVICE_REMOVED : private_data_.SetName(name);
  }

  const std::shared_ptr<DeviceState>& state() const noexcept { return state_; }

 protected:
  explicit DmlObject(std::shared_ptr<DeviceState> state) noexcept : state_(std::move(state)) {}

 private:
  const std::shared_ptr<DeviceState> state_;
  PrivateData private_data_;
};

template <class Interface, class... Others>
class DmlChild : public DmlObject<Interface, Others...> {
 public:
  HRESULT STDMETHODCALLTYPE GetDevice(REFIID iid, void** device) noexcept override {
    if (device == nullptr) return E_POINTER;
    *device = nullptr;
    if (this->state()->IsRemoved()) return DXGI_ERROR_DEVICE_REMOVED;
    return device_->QueryInterface(iid, device);
  }

 protected:
  DmlChild(IDMLDevice* device, std::shared_ptr<DeviceState> state) noexcept
      : DmlObject<Interface, Others...>(std::move(state)), device_(Ref<IDMLDevice>::Share(device)) {}

 private:
  const Ref<IDMLDevice> device_;
};

// Refuses to write the result of a factory into nothing, and clears it.
inline HRESULT ClearResult(void** result) noexcept {
  if (result == nullptr) return E_POINTER;
  *result = nullptr;
  return S_OK;
}

// For operators and compiled operators: a null result pointer asks only whether the call would succeed.
template <class T>
HRESULT MoveToOptional(Ref<T> object, REFIID iid, void** result) noexcept {
  if (result != nullptr) return MoveToCaller(std::move(object), iid, result);
  void* found = nullptr;
  const HRESULT hr = MoveToCaller(std::move(object), iid, &found);
  if (FAILED(hr)) return hr;
  static_cast<IUnknown*>(found)->Release();
  return S_FALSE;
}

}  // namespace residue
