// What Direct3D 12 has added to its device since the first version, up to ID3D12Device9: made of what the
// first has where that is possible, refused with a reason elsewhere.
#pragma once

#include <residue_d3d12.h>
#include "com/com_object.h"
#include "d3d12/host_interfaces.h"

namespace residue {

class NewerDevice : public ComObject<ID3D12Device9, IHostDevice> {
 public:
  // ID3D12Device1
  HRESULT STDMETHODCALLTYPE SetEventOnMultipleFenceCompletion(ID3D12Fence* const* fences,
                                                              const UINT64* values, UINT count,
                                                              D3D12_MULTIPLE_FENCE_WAIT_FLAGS flags,
                                                              HANDLE event) noexcept override;
  HRESULT STDMETHODCALLTYPE
  SetResidencyPriority(UINT count, ID3D12Pageable* const* objects,
                       const D3D12_RESIDENCY_PRIORITY* priorities) noexcept override;
  HRESULT STDMETHODCALLTYPE CreatePipelineLibrary(const void*, SIZE_T, REFIID,
                                                  void** library) noexcept override {
    return Refuse(library, "CreatePipelineLibrary", kNoShaders);
  }

  // ID3D12Device2
  HRESULT STDMETHODCALLTYPE CreatePipelineState(const D3D12_PIPELINE_STATE_STREAM_DESC*, REFIID,
                                                void** state) noexcept override {
    return Refuse(state, "CreatePipelineState", kNoShaders);
  }

  // ID3D12Device3
  HRESULT STDMETHODCALLTYPE EnqueueMakeResident(D3D12_RESIDENCY_FLAGS flags, UINT count,
                                                ID3D12Pageable* const* objects, ID3D12Fence* fence,
                                                UINT64 value) noexcept override;
  HRESULT STDMETHODCALLTYPE OpenExistingHeapFromAddress(const void*, REFIID, void** heap) noexcept override {
    return Refuse(heap, "OpenExistingHeapFromAddress", kNoSharing);
  }
  HRESULT STDMETHODCALLTYPE OpenExistingHeapFromFileMapping(HANDLE, REFIID, void** heap) noexcept override {
    return Refuse(heap, "OpenExistingHeapFromFileMapping", kNoSharing);
  }

  // ID3D12Device4
  HRESULT STDMETHODCALLTYPE CreateCommittedResource1(const D3D12_HEAP_PROPERTIES* properties,
                                                     D3D12_HEAP_FLAGS flags, const D3D12_RESOURCE_DESC* desc,
                                                     D3D12_RESOURCE_STATES state,
                                                     const D3D12_CLEAR_VALUE* clear,
                                                     ID3D12ProtectedResourceSession* session, REFIID iid,
                                                     void** resource) noexcept override;
  HRESULT STDMETHODCALLTYPE CreateHeap1(const D3D12_HEAP_DESC* desc, ID3D12ProtectedResourceSession* session,
                                        REFIID iid, void** heap) noexcept override;
  D3D12_RESOURCE_ALLOCATION_INFO STDMETHODCALLTYPE
  GetResourceAllocationInfo1(UINT mask, UINT count, const D3D12_RESOURCE_DESC* descs,
                             D3D12_RESOURCE_ALLOCATION_INFO1* parts) noexcept override;
  HRESULT STDMETHODCALLTYPE CreateReservedResource1(const D3D12_RESOURCE_DESC*, D3D12_RESOURCE_STATES,
                                                    const D3D12_CLEAR_VALUE*, ID3D12ProtectedResourceSession*,
                                                    REFIID, void** resource) noexcept override {
    return Refuse(resource, "CreateReservedResource1", kNoTiles);
  }
  HRESULT STDMETHODCALLTYPE CreateProtectedResourceSession(const D3D12_PROTECTED_RESOURCE_SESSION_DESC*,
                                                           REFIID, void** session) noexcept override {
    return Refuse(session, "CreateProtectedResourceSession", kNoProtection);
  }

  // ID3D12Device5
  void STDMETHODCALLTYPE RemoveDevice() noexcept override { Remove(DXGI_ERROR_DEVICE_REMOVED); }
  HRESULT STDMETHODCALLTYPE EnumerateMetaCommands(UINT* count, D3D12_META_COMMAND_DESC*) noexcept override {
    if (count == nullptr) return E_INVALIDARG;
    *count = 0;
    return S_OK;
  }
  HRESULT STDMETHODCALLTYPE
  EnumerateMetaCommandParameters(REFGUID, D3D12_META_COMMAND_PARAMETER_STAGE, UINT*, UINT* count,
                                 D3D12_META_COMMAND_PARAMETER_DESC*) noexcept override {
    if (count != nullptr) *count = 0;
    return E_INVALIDARG;  // there is no meta command
  }
  HRESULT STDMETHODCALLTYPE CreateMetaCommand(REFGUID, UINT, const void*, SIZE_T, REFIID,
                                              void** command) noexcept override {
    return Refuse(command, "CreateMetaCommand", "there are no meta commands");
  }
  HRESULT STDMETHODCALLTYPE CreateLifetimeTracker(ID3D12LifetimeOwner*, REFIID,
                                                  void** tracker) noexcept override {
    return Refuse(tracker, "CreateLifetimeTracker", "lifetimes are not tracked");
  }
  HRESULT STDMETHODCALLTYPE CreateStateObject(const D3D12_STATE_OBJECT_DESC*, REFIID,
                                              void** object) noexcept override {
    return Refuse(object, "CreateStateObject", kNoShaders);
  }
  void STDMETHODCALLTYPE GetRaytracingAccelerationStructurePrebuildInfo(
      const D3D12_BUILD_RAYTRACING_ACCELERATION_STRUCTURE_INPUTS*,
      D3D12_RAYTRACING_ACCELERATION_STRUCTURE_PREBUILD_INFO* info) noexcept override {
    if (info != nullptr) *info = {};
  }
  D3D12_DRIVER_MATCHING_IDENTIFIER_STATUS STDMETHODCALLTYPE CheckDriverMatchingIdentifier(
      D3D12_SERIALIZED_DATA_TYPE, const D3D12_SERIALIZED_DATA_DRIVER_MATCHING_IDENTIFIER*) noexcept override {
    return D3D12_DRIVER_MATCHING_IDENTIFIER_UNSUPPORTED_TYPE;
  }

  // ID3D12Device6: no driver works in the background.
  HRESULT STDMETHODCALLTYPE SetBackgroundProcessingMode(D3D12_BACKGROUND_PROCESSING_MODE,
                                                        D3D12_MEASUREMENTS_ACTION, HANDLE event,
                                                        BOOL* further) noexcept override {
    if (further != nullptr) *further = FALSE;
    return event == nullptr ? S_OK : E_NOTIMPL;
  }

  // ID3D12Device7
  HRESULT STDMETHODCALLTYPE AddToStateObject(const D3D12_STATE_OBJECT_DESC*, ID3D12StateObject*, REFIID,
                                             void** object) noexcept override {
    return Refuse(object, "AddToStateObject", kNoShaders);
  }
  HRESULT STDMETHODCALLTYPE CreateProtectedResourceSession1(const D3D12_PROTECTED_RESOURCE_SESSION_DESC1*,
                                                            REFIID, void** session) noexcept override {
    return Refuse(session, "CreateProtectedResourceSession1", kNoProtection);
  }

  // ID3D12Device8
  HRESULT STDMETHODCALLTYPE CreateCommittedResource2(const D3D12_HEAP_PROPERTIES* properties,
                                                     D3D12_HEAP_FLAGS flags, const D3D12_RESOURCE_DESC1* desc,
                                                     D3D12_RESOURCE_STATES state,
                                                     const D3D12_CLEAR_VALUE* clear,
                                                     ID3D12ProtectedResourceSession* session, REFIID iid,
                                                     void** resource) noexcept override;
  HRESULT STDMETHODCALLTYPE CreatePlacedResource1(ID3D12Heap* heap, UINT64 offset,
                                                  const D3D12_RESOURCE_DESC1* desc,
                                                  D3D12_RESOURCE_STATES state, const D3D12_CLEAR_VALUE* clear,
                                                  REFIID iid, void** resource) noexcept override;
  D3D12_RESOURCE_ALLOCATION_INFO STDMETHODCALLTYPE
  GetResourceAllocationInfo2(UINT mask, UINT count, const D3D12_RESOURCE_DESC1* descs,
                             D3D12_RESOURCE_ALLOCATION_INFO1* parts) noexcept override;
  void STDMETHODCALLTYPE GetCopyableFootprints1(const D3D12_RESOURCE_DESC1* desc, UINT first, UINT count,
                                                UINT64 base_offset,
                                                D3D12_PLACED_SUBRESOURCE_FOOTPRINT* layouts, UINT* row_counts,
                                                UINT64* row_sizes, UINT64* total) noexcept override;
  void STDMETHODCALLTYPE CreateSamplerFeedbackUnorderedAccessView(
      ID3D12Resource*, ID3D12Resource*, D3D12_CPU_DESCRIPTOR_HANDLE) noexcept override {}

  // ID3D12Device9
  HRESULT STDMETHODCALLTYPE CreateCommandQueue1(const D3D12_COMMAND_QUEUE_DESC* desc, REFIID, REFIID iid,
                                                void** queue) noexcept override {
    return CreateCommandQueue(desc, iid, queue);
  }
  HRESULT STDMETHODCALLTYPE CreateShaderCacheSession(const D3D12_SHADER_CACHE_SESSION_DESC*, REFIID,
                                                     void** session) noexcept override {
    return Refuse(session, "CreateShaderCacheSession", kNoShaders);
  }
  HRESULT STDMETHODCALLTYPE ShaderCacheControl(D3D12_SHADER_CACHE_KIND_FLAGS,
                                               D3D12_SHADER_CACHE_CONTROL_FLAGS) noexcept override {
    return Refuse(nullptr, "ShaderCacheControl", kNoShaders);
  }

 protected:
  static constexpr const char* kNoShaders = "there are no shaders and no pipelines here";
  static constexpr const char* kNoSharing = "memory and fences are not shared with other processes";
  static constexpr const char* kNoTiles = "there are no tiled resources";
  static constexpr const char* kNoProtection = "there are no protected resources";

  // Clears a result, says in the info queue why there is none, and is E_NOTIMPL.
  HRESULT Refuse(void** result, const char* call, const char* reason) noexcept;
};

}  // namespace residue
