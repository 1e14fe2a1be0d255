// ID3D12Heap: memory that buffers are placed in.
#pragma once

#include "backend/backend.h"
#include "d3d12/device_child.h"

namespace residue {

inline constexpr GUID kIidHeap = {
    0x4e8a1c52, 0x77b3, 0x4f0d, {0x9a, 0x61, 0x2d, 0x35, 0xc8, 0x10, 0xe4, 0x11}};

// Are these properties of a heap that can exist? CUSTOM heaps must say what they are, the others must not.
bool IsValidHeap(const D3D12_HEAP_PROPERTIES& properties) noexcept;
inline constexpr char kWrongHeapProperties[] =
    "the properties are of no heap: CUSTOM heaps say their CPUPageProperty and D3D12_MEMORY_POOL_L0, the "
    "others "
    "neither, and there is one node";
bool IsHostVisible(const D3D12_HEAP_PROPERTIES& properties) noexcept;

inline constexpr uint32_t kBufferAddressBits = 46;
inline constexpr uint64_t kMostBufferBytes = uint64_t{1} << kBufferAddressBits;

// Memory for a heap or a buffer of its own; empty when there is not that much.
Ref<IDeviceMemory> AllocateMemory(IBackend* backend, uint64_t size,
                                  const D3D12_HEAP_PROPERTIES& properties) noexcept;

class Heap final : public DeviceChild<ID3D12Heap> {
 public:
  static HRESULT Create(ID3D12Device* device, IBackend* backend, const D3D12_HEAP_DESC* desc, REFIID iid,
                        void** heap) noexcept;
  Heap(ID3D12Device* device, const D3D12_HEAP_DESC& desc, Ref<IDeviceMemory> memory) noexcept
      : DeviceChild(device), desc_(desc), memory_(std::move(memory)) {}

  D3D12_HEAP_DESC STDMETHODCALLTYPE GetDesc() noexcept override { return desc_; }
  const D3D12_HEAP_DESC& desc() const noexcept { return desc_; }
  const Ref<IDeviceMemory>& memory() const noexcept { return memory_; }

 private:
  void* FindInterface(REFIID iid) noexcept override;

  const D3D12_HEAP_DESC desc_;
  const Ref<IDeviceMemory> memory_;
};

}  // namespace residue
