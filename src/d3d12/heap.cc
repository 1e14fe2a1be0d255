#include "d3d12/heap.h"

#include "core/enumeration.h"
#include "d3d12/watch.h"

namespace residue {

bool IsValidHeap(const D3D12_HEAP_PROPERTIES& properties) noexcept {
  if (properties.CreationNodeMask > 1 || properties.VisibleNodeMask > 1) return false;
  const int32_t page = NumberOf(properties.CPUPageProperty);
  const int32_t pool = NumberOf(properties.MemoryPoolPreference);
  switch (NumberOf(properties.Type)) {
    case D3D12_HEAP_TYPE_DEFAULT:
    case D3D12_HEAP_TYPE_UPLOAD:
    case D3D12_HEAP_TYPE_READBACK:
      return page == D3D12_CPU_PAGE_PROPERTY_UNKNOWN && pool == D3D12_MEMORY_POOL_UNKNOWN;
    case D3D12_HEAP_TYPE_CUSTOM:
      return page >= D3D12_CPU_PAGE_PROPERTY_NOT_AVAILABLE && page <= D3D12_CPU_PAGE_PROPERTY_WRITE_BACK &&
             pool == D3D12_MEMORY_POOL_L0;  // unified memory has no other
    default:
      return false;
  }
}

bool IsHostVisible(const D3D12_HEAP_PROPERTIES& properties) noexcept {
  return properties.Type == D3D12_HEAP_TYPE_UPLOAD || properties.Type == D3D12_HEAP_TYPE_READBACK ||
         (properties.Type == D3D12_HEAP_TYPE_CUSTOM &&
          properties.CPUPageProperty != D3D12_CPU_PAGE_PROPERTY_NOT_AVAILABLE);
}

Ref<IDeviceMemory> AllocateMemory(IBackend* backend, uint64_t size,
                                  const D3D12_HEAP_PROPERTIES& properties) noexcept {
  if (size > kMostBufferBytes) return {};
  return Ref<IDeviceMemory>::Adopt(backend->Allocate(size, IsHostVisible(properties)));
}

HRESULT Heap::Create(ID3D12Device* device, IBackend* backend, const D3D12_HEAP_DESC* desc, REFIID iid,
                     void** heap) noexcept {
  if (heap != nullptr) *heap = nullptr;
  if (desc == nullptr) {
    return Refused(device, E_INVALIDARG, D3D12_MESSAGE_ID_CREATEHEAP_NULLDESC,
                   "the description of a heap is null");
  }
  D3D12_HEAP_DESC made = *desc;
  if (made.SizeInBytes == 0) {
    return Refused(device, E_INVALIDARG, D3D12_MESSAGE_ID_CREATEHEAP_INVALIDSIZE, "a heap has a size of 0");
  }
  if (!IsValidHeap(made.Properties)) {
    return Refused(device, E_INVALIDARG, D3D12_MESSAGE_ID_CREATEHEAP_INVALIDPROPERTIES, kWrongHeapProperties);
  }
  if (made.Alignment == 0) made.Alignment = D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT;
  // The larger alignment is for textures, which cannot be placed here; buffers do not need it.
  if (made.Alignment != D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT &&
      made.Alignment != D3D12_DEFAULT_MSAA_RESOURCE_PLACEMENT_ALIGNMENT) {
    return Refused(device, E_INVALIDARG, D3D12_MESSAGE_ID_CREATEHEAP_INVALIDALIGNMENT,
                   "the Alignment of a heap is not 0, 64 KiB or 4 MiB");
  }
  Ref<IDeviceMemory> memory = AllocateMemory(backend, made.SizeInBytes, made.Properties);
  if (!memory) return E_OUTOFMEMORY;
  return FinishCreate(TryMake<Heap>(device, made, std::move(memory)), iid, heap);
}

void* Heap::FindInterface(REFIID iid) noexcept {
  return iid == kIidHeap ? this : DeviceChild::FindInterface(iid);
}

}  // namespace residue
