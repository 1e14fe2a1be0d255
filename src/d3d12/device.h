// ID3D12Device on the CPU: buffers, heaps, queues, fences and descriptors are real; whatever needs shaders,
// textures or a driver answers E_NOTIMPL.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include <residue_d3d12.h>
#include "com/com_object.h"
#include "com/private_data.h"
#include "d3d12/adapter.h"
#include "d3d12/descriptor_heap.h"
#include "d3d12/fence.h"
#include "d3d12/host_interfaces.h"
#include "d3d12/info_queue.h"
#include "d3d12/newer_device.h"

namespace residue {

// The level this device has. It stands for buffers and compute; graphics are not part of it.
inline constexpr D3D_FEATURE_LEVEL kHostFeatureLevel = D3D_FEATURE_LEVEL_12_1;

// The levels that exist for such a device: compute cores, and those of Direct3D 12 that programs ask for.
constexpr bool IsSupportedLevel(int32_t level) noexcept {
  return level == D3D_FEATURE_LEVEL_1_0_GENERIC || level == D3D_FEATURE_LEVEL_1_0_CORE ||
         level == D3D_FEATURE_LEVEL_11_0 || level == D3D_FEATURE_LEVEL_11_1 ||
         level == D3D_FEATURE_LEVEL_12_0 || level == kHostFeatureLevel;
}

class Device final : public NewerDevice {
 public:
  // A new reference to the one device of the process, or to a new one if there is none or it was removed.
  // With and without an info queue are different devices.
  static Ref<Device> GetOrMake(bool with_info_queue) noexcept;

  explicit Device(bool with_info_queue);  // may throw bad_alloc
  ~Device() override;

  bool IsWatched() const noexcept override { return info_queue_ != nullptr; }
  void Tell(const HostMessage& message, const char* text) noexcept override;
  void CheckDescriptors(D3D12_CPU_DESCRIPTOR_HANDLE cpu, D3D12_GPU_DESCRIPTOR_HANDLE gpu,
                        uint32_t count) noexcept override;
  void WriteDebugString(const char* text) noexcept override;
  void Remove(HRESULT reason) noexcept override;
  IBackend* GetBackend() noexcept override;
  HRESULT SetBackend(IBackend* backend) noexcept override;

  // ID3D12Object
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

  // Making things
  HRESULT STDMETHODCALLTYPE CreateCommandQueue(const D3D12_COMMAND_QUEUE_DESC* desc, REFIID iid,
                                               void** queue) noexcept override;
  HRESULT STDMETHODCALLTYPE CreateCommandAllocator(D3D12_COMMAND_LIST_TYPE type, REFIID iid,
                                                   void** allocator) noexcept override;
  HRESULT STDMETHODCALLTYPE CreateCommandList(UINT node_mask, D3D12_COMMAND_LIST_TYPE type,
                                              ID3D12CommandAllocator* allocator, ID3D12PipelineState* state,
                                              REFIID iid, void** list) noexcept override;
  HRESULT STDMETHODCALLTYPE CreateDescriptorHeap(const D3D12_DESCRIPTOR_HEAP_DESC* desc, REFIID iid,
                                                 void** heap) noexcept override;
  HRESULT STDMETHODCALLTYPE CreateCommittedResource(const D3D12_HEAP_PROPERTIES* properties,
                                                    D3D12_HEAP_FLAGS flags, const D3D12_RESOURCE_DESC* desc,
                                                    D3D12_RESOURCE_STATES state,
                                                    const D3D12_CLEAR_VALUE* clear, REFIID iid,
                                                    void** resource) noexcept override;
  HRESULT STDMETHODCALLTYPE CreateHeap(const D3D12_HEAP_DESC* desc, REFIID iid,
                                       void** heap) noexcept override;
  HRESULT STDMETHODCALLTYPE CreatePlacedResource(ID3D12Heap* heap, UINT64 offset,
                                                 const D3D12_RESOURCE_DESC* desc, D3D12_RESOURCE_STATES state,
                                                 const D3D12_CLEAR_VALUE* clear, REFIID iid,
                                                 void** resource) noexcept override;
  HRESULT STDMETHODCALLTYPE CreateFence(UINT64 value, D3D12_FENCE_FLAGS flags, REFIID iid,
                                        void** fence) noexcept override;
  HRESULT STDMETHODCALLTYPE CreateQueryHeap(const D3D12_QUERY_HEAP_DESC* desc, REFIID iid,
                                            void** heap) noexcept override;
  HRESULT STDMETHODCALLTYPE CreateCommandList1(UINT node_mask, D3D12_COMMAND_LIST_TYPE type,
                                               D3D12_COMMAND_LIST_FLAGS flags, REFIID iid,
                                               void** list) noexcept override;

  // Views
  void STDMETHODCALLTYPE CreateUnorderedAccessView(ID3D12Resource* resource, ID3D12Resource* counter,
                                                   const D3D12_UNORDERED_ACCESS_VIEW_DESC* desc,
                                                   D3D12_CPU_DESCRIPTOR_HANDLE to) noexcept override;
  // Nothing here reads these views; writing them is harmless.
  void STDMETHODCALLTYPE CreateConstantBufferView(const D3D12_CONSTANT_BUFFER_VIEW_DESC*,
                                                  D3D12_CPU_DESCRIPTOR_HANDLE) noexcept override {}
  void STDMETHODCALLTYPE CreateShaderResourceView(ID3D12Resource*, const D3D12_SHADER_RESOURCE_VIEW_DESC*,
                                                  D3D12_CPU_DESCRIPTOR_HANDLE) noexcept override {}
  void STDMETHODCALLTYPE CreateRenderTargetView(ID3D12Resource*, const D3D12_RENDER_TARGET_VIEW_DESC*,
                                                D3D12_CPU_DESCRIPTOR_HANDLE) noexcept override {}
  void STDMETHODCALLTYPE CreateDepthStencilView(ID3D12Resource*, const D3D12_DEPTH_STENCIL_VIEW_DESC*,
                                                D3D12_CPU_DESCRIPTOR_HANDLE) noexcept override {}
  void STDMETHODCALLTYPE CreateSampler(const D3D12_SAMPLER_DESC*,
                                       D3D12_CPU_DESCRIPTOR_HANDLE) noexcept override {}
  void STDMETHODCALLTYPE CopyDescriptors(UINT to_count, const D3D12_CPU_DESCRIPTOR_HANDLE* to_starts,
                                         const UINT* to_sizes, UINT from_count,
                                         const D3D12_CPU_DESCRIPTOR_HANDLE* from_starts,
                                         const UINT* from_sizes,
                                         D3D12_DESCRIPTOR_HEAP_TYPE type) noexcept override;
  void STDMETHODCALLTYPE CopyDescriptorsSimple(UINT count, D3D12_CPU_DESCRIPTOR_HANDLE to,
                                               D3D12_CPU_DESCRIPTOR_HANDLE from,
                                               D3D12_DESCRIPTOR_HEAP_TYPE type) noexcept override;

  // Questions
  UINT STDMETHODCALLTYPE GetNodeCount() noexcept override { return 1; }
  HRESULT STDMETHODCALLTYPE CheckFeatureSupport(D3D12_FEATURE feature, void* data,
                                                UINT size) noexcept override;
  UINT STDMETHODCALLTYPE GetDescriptorHandleIncrementSize(D3D12_DESCRIPTOR_HEAP_TYPE) noexcept override {
    return sizeof(BufferView);
  }
  D3D12_RESOURCE_ALLOCATION_INFO STDMETHODCALLTYPE
  GetResourceAllocationInfo(UINT mask, UINT count, const D3D12_RESOURCE_DESC* descs) noexcept override;
  D3D12_HEAP_PROPERTIES STDMETHODCALLTYPE GetCustomHeapProperties(UINT mask,
                                                                  D3D12_HEAP_TYPE type) noexcept override;
  void STDMETHODCALLTYPE GetCopyableFootprints(const D3D12_RESOURCE_DESC* desc, UINT first, UINT count,
                                               UINT64 base_offset,
                                               D3D12_PLACED_SUBRESOURCE_FOOTPRINT* layouts, UINT* row_counts,
                                               UINT64* row_sizes, UINT64* total) noexcept override;
  HRESULT STDMETHODCALLTYPE GetDeviceRemovedReason() noexcept override { return removed_reason_->load(); }
  LUID STDMETHODCALLTYPE GetAdapterLuid() noexcept override { return kHostAdapterLuid; }

  // Memory is always resident; what is asked for is only checked.
  HRESULT STDMETHODCALLTYPE MakeResident(UINT count, ID3D12Pageable* const* objects) noexcept override;
  HRESULT STDMETHODCALLTYPE Evict(UINT count, ID3D12Pageable* const* objects) noexcept override;
  HRESULT STDMETHODCALLTYPE SetStablePowerState(BOOL) noexcept override { return S_OK; }

  // What does not exist here.
  HRESULT STDMETHODCALLTYPE CreateGraphicsPipelineState(const D3D12_GRAPHICS_PIPELINE_STATE_DESC*, REFIID,
                                                        void** state) noexcept override {
    return Refuse(state, "CreateGraphicsPipelineState", kNoShaders);
  }
  HRESULT STDMETHODCALLTYPE CreateComputePipelineState(const D3D12_COMPUTE_PIPELINE_STATE_DESC*, REFIID,
                                                       void** state) noexcept override {
    return Refuse(state, "CreateComputePipelineState", kNoShaders);
  }
  HRESULT STDMETHODCALLTYPE CreateRootSignature(UINT, const void*, SIZE_T, REFIID,
                                                void** signature) noexcept override {
    return Refuse(signature, "CreateRootSignature", kNoShaders);
  }
  HRESULT STDMETHODCALLTYPE CreateReservedResource(const D3D12_RESOURCE_DESC*, D3D12_RESOURCE_STATES,
                                                   const D3D12_CLEAR_VALUE*, REFIID,
                                                   void** resource) noexcept override {
    return Refuse(resource, "CreateReservedResource", kNoTiles);
  }
  HRESULT STDMETHODCALLTYPE CreateSharedHandle(ID3D12DeviceChild*, const SECURITY_ATTRIBUTES*, DWORD, LPCWSTR,
                                               HANDLE* handle) noexcept override {
    return Refuse(handle, "CreateSharedHandle", kNoSharing);
  }
  HRESULT STDMETHODCALLTYPE OpenSharedHandle(HANDLE, REFIID, void** object) noexcept override {
    return Refuse(object, "OpenSharedHandle", kNoSharing);
  }
  HRESULT STDMETHODCALLTYPE OpenSharedHandleByName(LPCWSTR, DWORD, HANDLE* handle) noexcept override {
    return Refuse(handle, "OpenSharedHandleByName", kNoSharing);
  }
  HRESULT STDMETHODCALLTYPE CreateCommandSignature(const D3D12_COMMAND_SIGNATURE_DESC*, ID3D12RootSignature*,
                                                   REFIID, void** signature) noexcept override {
    return Refuse(signature, "CreateCommandSignature", kNoShaders);
  }
  void STDMETHODCALLTYPE GetResourceTiling(ID3D12Resource*, UINT* tiles, D3D12_PACKED_MIP_INFO*,
                                           D3D12_TILE_SHAPE*, UINT* tilings, UINT,
                                           D3D12_SUBRESOURCE_TILING*) noexcept override {
    if (tiles != nullptr) *tiles = 0;
    if (tilings != nullptr) *tilings = 0;
  }

 private:
  void* FindInterface(REFIID iid) noexcept override;

  // Clears a factory's result; true if the device was removed.
  bool IsRemoved(void** result) noexcept;

  Ref<IBackend> Backend() noexcept { return Ref<IBackend>::Adopt(GetBackend()); }

  std::mutex backend_mutex_;
  Ref<IBackend> backend_;
  bool backend_in_use_ = false;
  PrivateData private_data_;
  const std::shared_ptr<DescriptorRegistry> registry_;
  const std::unique_ptr<InfoQueue> info_queue_;
  const std::shared_ptr<RemovedReason> removed_reason_ = std::make_shared<RemovedReason>(S_OK);
  std::mutex fences_mutex_;
  std::vector<std::weak_ptr<FenceState>> fences_;
};

}  // namespace residue
