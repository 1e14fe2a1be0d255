// ID3D12GraphicsCommandList: copies, clears and DirectML's dispatches. What needs shaders or textures makes
// the recording fail, and Close returns E_NOTIMPL, as Direct3D 12 reports every error of a recording.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "d3d12/command_allocator.h"
#include "d3d12/descriptor_heap.h"
#include "d3d12/device_child.h"
#include "d3d12/host_interfaces.h"
#include "d3d12/list_watch.h"

namespace residue {

inline constexpr GUID kIidCommandListObject = {
    0x4e8a1c52, 0x77b3, 0x4f0d, {0x9a, 0x61, 0x2d, 0x35, 0xc8, 0x10, 0xe4, 0x14}};

class CommandList final : public DeviceChild<ID3D12GraphicsCommandList, IHostCommandList> {
 public:
  static HRESULT Create(ID3D12Device* device, const std::shared_ptr<DescriptorRegistry>& registry,
                        UINT node_mask, int32_t type, ID3D12CommandAllocator* allocator,
                        ID3D12PipelineState* state, REFIID iid, void** list) noexcept;
  // Without an allocator: the first Reset brings one.
  static HRESULT CreateClosed(ID3D12Device* device, const std::shared_ptr<DescriptorRegistry>& registry,
                              UINT node_mask, int32_t type, REFIID iid, void** list) noexcept;
  CommandList(ID3D12Device* device, std::shared_ptr<DescriptorRegistry> registry,
              D3D12_COMMAND_LIST_TYPE type, Ref<CommandAllocator> allocator);  // may throw bad_alloc
  ~CommandList() override;

  // IHostCommandList, and what a queue asks for.
  bool IsRecording() noexcept override { return allocator_.get() != nullptr; }
  const ID3D12Device* Owner() const noexcept override { return device(); }
  bool IsWatched() const noexcept override { return watch_.has_value(); }
  HRESULT Append(IHostCommand* command, const HostDispatch* dispatch) noexcept override;
  // False unless the list is closed, without error and made for such a queue. May throw bad_alloc.
  bool CollectWork(D3D12_COMMAND_LIST_TYPE queue_type, std::vector<Ref<IHostWork>>* work);
  // For the debug layer: what the list uses, and what must stay as it is until the work is done. May throw
  // bad_alloc.
  UsageLog CollectUsage(std::vector<FlightToken>* tokens) const;

  // What works.
  D3D12_COMMAND_LIST_TYPE STDMETHODCALLTYPE GetType() noexcept override { return type_; }
  HRESULT STDMETHODCALLTYPE Close() noexcept override;
  HRESULT STDMETHODCALLTYPE Reset(ID3D12CommandAllocator* allocator,
                                  ID3D12PipelineState* state) noexcept override;
  void STDMETHODCALLTYPE CopyBufferRegion(ID3D12Resource* to, UINT64 to_offset, ID3D12Resource* from,
                                          UINT64 from_offset, UINT64 size) noexcept override;
  void STDMETHODCALLTYPE CopyResource(ID3D12Resource* to, ID3D12Resource* from) noexcept override;
  void STDMETHODCALLTYPE ResourceBarrier(UINT count,
                                         const D3D12_RESOURCE_BARRIER* barriers) noexcept override;
  void STDMETHODCALLTYPE SetDescriptorHeaps(UINT count, ID3D12DescriptorHeap* const* heaps) noexcept override;
  void STDMETHODCALLTYPE ClearUnorderedAccessViewUint(D3D12_GPU_DESCRIPTOR_HANDLE,
                                                      D3D12_CPU_DESCRIPTOR_HANDLE view,
                                                      ID3D12Resource* resource, const UINT values[4],
                                                      UINT rectangle_count,
                                                      const D3D12_RECT*) noexcept override;
  void STDMETHODCALLTYPE EndQuery(ID3D12QueryHeap* heap, D3D12_QUERY_TYPE type, UINT index) noexcept override;
  void STDMETHODCALLTYPE ResolveQueryData(ID3D12QueryHeap* heap, D3D12_QUERY_TYPE type, UINT first,
                                          UINT count, ID3D12Resource* to, UINT64 offset) noexcept override;
  void STDMETHODCALLTYPE DiscardResource(ID3D12Resource*, const D3D12_DISCARD_REGION*) noexcept override {}
  void STDMETHODCALLTYPE SetMarker(UINT, const void*, UINT) noexcept override {}
  void STDMETHODCALLTYPE BeginEvent(UINT, const void*, UINT) noexcept override {}
  void STDMETHODCALLTYPE EndEvent() noexcept override {}
  void STDMETHODCALLTYPE ClearState(ID3D12PipelineState* state) noexcept override {
    if (state != nullptr) Unsupported("ClearState with a pipeline");
  }

  // State for a pipeline that cannot exist: harmless alone, and set by clients that share code with a GPU.
  void STDMETHODCALLTYPE IASetPrimitiveTopology(D3D12_PRIMITIVE_TOPOLOGY) noexcept override {}
  void STDMETHODCALLTYPE RSSetViewports(UINT, const D3D12_VIEWPORT*) noexcept override {}
  void STDMETHODCALLTYPE RSSetScissorRects(UINT, const D3D12_RECT*) noexcept override {}
  void STDMETHODCALLTYPE OMSetBlendFactor(const FLOAT[4]) noexcept override {}
  void STDMETHODCALLTYPE OMSetStencilRef(UINT) noexcept override {}

  // What does not exist here.
#define RESIDUE_UNSUPPORTED(METHOD, ...) \
  void STDMETHODCALLTYPE METHOD(__VA_ARGS__) noexcept override { Unsupported(#METHOD); }
  RESIDUE_UNSUPPORTED(DrawInstanced, UINT, UINT, UINT, UINT)
  RESIDUE_UNSUPPORTED(DrawIndexedInstanced, UINT, UINT, UINT, INT, UINT)
  RESIDUE_UNSUPPORTED(Dispatch, UINT, UINT, UINT)
  RESIDUE_UNSUPPORTED(CopyTextureRegion, const D3D12_TEXTURE_COPY_LOCATION*, UINT, UINT, UINT,
                      const D3D12_TEXTURE_COPY_LOCATION*, const D3D12_BOX*)
  RESIDUE_UNSUPPORTED(CopyTiles, ID3D12Resource*, const D3D12_TILED_RESOURCE_COORDINATE*,
                      const D3D12_TILE_REGION_SIZE*, ID3D12Resource*, UINT64, D3D12_TILE_COPY_FLAGS)
  RESIDUE_UNSUPPORTED(ResolveSubresource, ID3D12Resource*, UINT, ID3D12Resource*, UINT, DXGI_FORMAT)
  RESIDUE_UNSUPPORTED(SetPipelineState, ID3D12PipelineState*)
  RESIDUE_UNSUPPORTED(ExecuteBundle, ID3D12GraphicsCommandList*)
  RESIDUE_UNSUPPORTED(SetComputeRootSignature, ID3D12RootSignature*)
  RESIDUE_UNSUPPORTED(SetGraphicsRootSignature, ID3D12RootSignature*)
  RESIDUE_UNSUPPORTED(SetComputeRootDescriptorTable, UINT, D3D12_GPU_DESCRIPTOR_HANDLE)
  RESIDUE_UNSUPPORTED(SetGraphicsRootDescriptorTable, UINT, D3D12_GPU_DESCRIPTOR_HANDLE)
  RESIDUE_UNSUPPORTED(SetComputeRoot32BitConstant, UINT, UINT, UINT)
  RESIDUE_UNSUPPORTED(SetGraphicsRoot32BitConstant, UINT, UINT, UINT)
  RESIDUE_UNSUPPORTED(SetComputeRoot32BitConstants, UINT, UINT, const void*, UINT)
  RESIDUE_UNSUPPORTED(SetGraphicsRoot32BitConstants, UINT, UINT, const void*, UINT)
  RESIDUE_UNSUPPORTED(SetComputeRootConstantBufferView, UINT, D3D12_GPU_VIRTUAL_ADDRESS)
  RESIDUE_UNSUPPORTED(SetGraphicsRootConstantBufferView, UINT, D3D12_GPU_VIRTUAL_ADDRESS)
  RESIDUE_UNSUPPORTED(SetComputeRootShaderResourceView, UINT, D3D12_GPU_VIRTUAL_ADDRESS)
  RESIDUE_UNSUPPORTED(SetGraphicsRootShaderResourceView, UINT, D3D12_GPU_VIRTUAL_ADDRESS)
  RESIDUE_UNSUPPORTED(SetComputeRootUnorderedAccessView, UINT, D3D12_GPU_VIRTUAL_ADDRESS)
  RESIDUE_UNSUPPORTED(SetGraphicsRootUnorderedAccessView, UINT, D3D12_GPU_VIRTUAL_ADDRESS)
  RESIDUE_UNSUPPORTED(IASetIndexBuffer, const D3D12_INDEX_BUFFER_VIEW*)
  RESIDUE_UNSUPPORTED(IASetVertexBuffers, UINT, UINT, const D3D12_VERTEX_BUFFER_VIEW*)
  RESIDUE_UNSUPPORTED(SOSetTargets, UINT, UINT, const D3D12_STREAM_OUTPUT_BUFFER_VIEW*)
  RESIDUE_UNSUPPORTED(OMSetRenderTargets, UINT, const D3D12_CPU_DESCRIPTOR_HANDLE*, BOOL,
                      const D3D12_CPU_DESCRIPTOR_HANDLE*)
  RESIDUE_UNSUPPORTED(ClearDepthStencilView, D3D12_CPU_DESCRIPTOR_HANDLE, D3D12_CLEAR_FLAGS, FLOAT, UINT8,
                      UINT, const D3D12_RECT*)
  RESIDUE_UNSUPPORTED(ClearRenderTargetView, D3D12_CPU_DESCRIPTOR_HANDLE, const FLOAT[4], UINT,
                      const D3D12_RECT*)
  RESIDUE_UNSUPPORTED(ClearUnorderedAccessViewFloat, D3D12_GPU_DESCRIPTOR_HANDLE, D3D12_CPU_DESCRIPTOR_HANDLE,
                      ID3D12Resource*, const FLOAT[4], UINT, const D3D12_RECT*)
  RESIDUE_UNSUPPORTED(BeginQuery, ID3D12QueryHeap*, D3D12_QUERY_TYPE, UINT)
  RESIDUE_UNSUPPORTED(SetPredication, ID3D12Resource*, UINT64, D3D12_PREDICATION_OP)
  RESIDUE_UNSUPPORTED(ExecuteIndirect, ID3D12CommandSignature*, UINT, ID3D12Resource*, UINT64,
                      ID3D12Resource*, UINT64)
#undef RESIDUE_UNSUPPORTED

 private:
  void* FindInterface(REFIID iid) noexcept override;
  void Unsupported(const char* call) noexcept;
  // Of the recording: Close returns it, and the debug layer tells why.
  void Fail(HRESULT error, D3D12_MESSAGE_ID id, const char* text) noexcept;
  // Lets the debug layer see what was recorded; nothing without it.
  template <class See>
  void Watch(const See& see) noexcept;
  template <class Command, class... Arguments>
  void Record(Arguments&&... arguments) noexcept;
  void Copy(ID3D12Resource* to, uint64_t to_offset, ID3D12Resource* from, uint64_t from_offset, uint64_t size,
            bool whole) noexcept;

  const std::shared_ptr<DescriptorRegistry> registry_;
  const D3D12_COMMAND_LIST_TYPE type_;
  Ref<CommandAllocator> allocator_;  // while recording
  HRESULT error_ = S_OK;             // the first of this recording
  std::vector<Ref<IHostCommand>> commands_;
  std::optional<ListWatch> watch_;     // empty without the debug layer
  Ref<UsageRecord> allocator_record_;  // of this recording
};

}  // namespace residue
