// ID3D12Resource for buffers: a piece of memory with a width, a heap type and flags.
#pragma once

#include "d3d12/device_child.h"
#include "d3d12/host_interfaces.h"
#include "d3d12/usage_record.h"

namespace residue {

class Resource final : public DeviceChild<ID3D12Resource, IHostResource> {
 public:
  static HRESULT CreateCommitted(ID3D12Device* device, IBackend* backend,
                                 const D3D12_HEAP_PROPERTIES* properties, D3D12_HEAP_FLAGS flags,
                                 const D3D12_RESOURCE_DESC* desc, D3D12_RESOURCE_STATES state,
                                 const D3D12_CLEAR_VALUE* clear, REFIID iid, void** resource) noexcept;
  static HRESULT CreatePlaced(ID3D12Device* device, ID3D12Heap* heap, uint64_t offset,
                              const D3D12_RESOURCE_DESC* desc, D3D12_RESOURCE_STATES state,
                              const D3D12_CLEAR_VALUE* clear, REFIID iid, void** resource) noexcept;

  struct Place {
    Ref<IDeviceMemory> memory;
    uint64_t offset;
    D3D12_HEAP_PROPERTIES properties;
    D3D12_HEAP_FLAGS flags;
  };
  Resource(ID3D12Device* device, const D3D12_RESOURCE_DESC& desc, Place place);  // may throw bad_alloc
  ~Resource() override;

  HRESULT STDMETHODCALLTYPE SetName(LPCWSTR name) noexcept override;

  HRESULT STDMETHODCALLTYPE Map(UINT subresource, const D3D12_RANGE* read, void** data) noexcept override;
  void STDMETHODCALLTYPE Unmap(UINT, const D3D12_RANGE*) noexcept override {}
  D3D12_RESOURCE_DESC STDMETHODCALLTYPE GetDesc() noexcept override { return desc_; }
  D3D12_GPU_VIRTUAL_ADDRESS STDMETHODCALLTYPE GetGPUVirtualAddress() noexcept override;
  HRESULT STDMETHODCALLTYPE WriteToSubresource(UINT, const D3D12_BOX*, const void*, UINT,
                                               UINT) noexcept override {
    return E_NOTIMPL;  // for textures only
  }
  HRESULT STDMETHODCALLTYPE ReadFromSubresource(void*, UINT, UINT, UINT, const D3D12_BOX*) noexcept override {
    return E_NOTIMPL;
  }
  HRESULT STDMETHODCALLTYPE GetHeapProperties(D3D12_HEAP_PROPERTIES* properties,
                                              D3D12_HEAP_FLAGS* flags) noexcept override;

  void Describe(HostBuffer* buffer) noexcept override;

 private:
  void* FindInterface(REFIID iid) noexcept override;

  const D3D12_RESOURCE_DESC desc_;
  const Place place_;
  const Ref<UsageRecord> record_;  // empty without the debug layer
};

// What is wrong with a buffer's description; E_NOTIMPL for textures, S_OK if nothing is.
struct DescMistake {
  HRESULT result = S_OK;
  const char* text = nullptr;
};
DescMistake FindMistake(const D3D12_RESOURCE_DESC& desc) noexcept;
inline bool IsBuffer(const D3D12_RESOURCE_DESC& desc) noexcept { return SUCCEEDED(FindMistake(desc).result); }

}  // namespace residue
