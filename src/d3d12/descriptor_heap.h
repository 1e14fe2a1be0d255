// ID3D12DescriptorHeap, and the views written into it. A handle is the address of a descriptor; handles from
// outside are looked up among the heaps that exist before anything is touched.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "d3d12/device_child.h"
#include "d3d12/host_interfaces.h"

namespace residue {

// What an unordered access view covers, in bytes of its resource; all zero in a descriptor never written. As
// in Direct3D 12, a view keeps nothing alive.
struct BufferView {
  uint64_t offset = 0;
  uint64_t size = 0;
  uint64_t element_size = 0;
};

// All heaps of one device.
class DescriptorRegistry {
 public:
  void Add(uintptr_t begin, std::vector<BufferView>* views, const D3D12_DESCRIPTOR_HEAP_DESC& desc);
  void Remove(uintptr_t begin) noexcept;
  // False if a handle is not a descriptor of a heap.
  bool Write(D3D12_CPU_DESCRIPTOR_HANDLE to, const BufferView& view) noexcept;
  bool Read(D3D12_CPU_DESCRIPTOR_HANDLE from, BufferView* view) noexcept;
  bool Copy(D3D12_CPU_DESCRIPTOR_HANDLE to, D3D12_CPU_DESCRIPTOR_HANDLE from) noexcept;
  // Why a binding table cannot be made of these descriptors; null if it can.
  const char* FindMistake(D3D12_CPU_DESCRIPTOR_HANDLE cpu, D3D12_GPU_DESCRIPTOR_HANDLE gpu,
                          uint32_t count) noexcept;

 private:
  struct Heap {
    std::vector<BufferView>* views;
    D3D12_DESCRIPTOR_HEAP_DESC desc;
  };
  BufferView* Find(uintptr_t handle, const Heap** heap = nullptr) noexcept;

  std::mutex mutex_;
  std::map<uintptr_t, Heap> heaps_;
};

class DescriptorHeap final : public DeviceChild<ID3D12DescriptorHeap> {
 public:
  static HRESULT Create(ID3D12Device* device, const std::shared_ptr<DescriptorRegistry>& registry,
                        const D3D12_DESCRIPTOR_HEAP_DESC* desc, REFIID iid, void** heap) noexcept;
  DescriptorHeap(ID3D12Device* device, std::shared_ptr<DescriptorRegistry> registry,
                 const D3D12_DESCRIPTOR_HEAP_DESC& desc);
  ~DescriptorHeap() override;

  D3D12_DESCRIPTOR_HEAP_DESC STDMETHODCALLTYPE GetDesc() noexcept override { return desc_; }
  D3D12_CPU_DESCRIPTOR_HANDLE STDMETHODCALLTYPE GetCPUDescriptorHandleForHeapStart() noexcept override;
  D3D12_GPU_DESCRIPTOR_HANDLE STDMETHODCALLTYPE GetGPUDescriptorHandleForHeapStart() noexcept override;

 private:
  const D3D12_DESCRIPTOR_HEAP_DESC desc_;
  const std::shared_ptr<DescriptorRegistry> registry_;
  std::vector<BufferView> views_;
};

}  // namespace residue
