// ID3D12Heap: memory that buffers are placed in.
#pragma once

#include "d3d12/device_child.h"
#include "d3d12/memory.h"

namespace residue {

inline constexpr GUID kIidHeap = {
    0x4e8a1c52, 0x77b3, 0x4f0d, {0x9a, 0x61, 0x2d, 0x35, 0xc8, 0x10, 0xe4, 0x11}};

// Are these properties of a heap that can exist? CUSTOM heaps must say what they are, the others must not.
bool IsValidHeap(const D3D12_HEAP_PROPERTIES& properties) noexcept;

class Heap final : public DeviceChild<ID3D12Heap> {
 public:
  static HRESULT Create(ID3D12Device* device, const D3D12_HEAP_DESC* desc, REFIID iid, void** heap) noexcept;
  Heap(ID3D12Device* device, const D3D12_HEAP_DESC& desc, Ref<HostMemory> memory) noexcept
      : DeviceChild(device), desc_(desc), memory_(std::move(memory)) {}

  D3D12_HEAP_DESC STDMETHODCALLTYPE GetDesc() noexcept override { return desc_; }
  const D3D12_HEAP_DESC& desc() const noexcept { return desc_; }
  const Ref<HostMemory>& memory() const noexcept { return memory_; }

 private:
  void* FindInterface(REFIID iid) noexcept override;

  const D3D12_HEAP_DESC desc_;
  const Ref<HostMemory> memory_;
};

}  // namespace residue
