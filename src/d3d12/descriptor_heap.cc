#include "d3d12/descriptor_heap.h"

#include "core/enumeration.h"
#include "d3d12/watch.h"

namespace residue {

void DescriptorRegistry::Add(uintptr_t begin, std::vector<BufferView>* views,
                             const D3D12_DESCRIPTOR_HEAP_DESC& desc) {
  const std::scoped_lock lock(mutex_);
  heaps_.emplace(begin, Heap{views, desc});
}

void DescriptorRegistry::Remove(uintptr_t begin) noexcept {
  const std::scoped_lock lock(mutex_);
  heaps_.erase(begin);
}

BufferView* DescriptorRegistry::Find(uintptr_t handle, const Heap** heap) noexcept {
  auto after = heaps_.upper_bound(handle);
  if (after == heaps_.begin()) return nullptr;
  const auto& [begin, found] = *std::prev(after);
  std::vector<BufferView>* views = found.views;
  if (heap != nullptr) *heap = &found;
  const uintptr_t distance = handle - begin;
  if (distance % sizeof(BufferView) != 0 || distance / sizeof(BufferView) >= views->size()) return nullptr;
  return views->data() + distance / sizeof(BufferView);
}

bool DescriptorRegistry::Write(D3D12_CPU_DESCRIPTOR_HANDLE to, const BufferView& view) noexcept {
  const std::scoped_lock lock(mutex_);
  BufferView* place = Find(to.ptr);
  if (place != nullptr) *place = view;
  return place != nullptr;
}

bool DescriptorRegistry::Read(D3D12_CPU_DESCRIPTOR_HANDLE from, BufferView* view) noexcept {
  const std::scoped_lock lock(mutex_);
  const BufferView* place = Find(from.ptr);
  if (place != nullptr) *view = *place;
  return place != nullptr;
}

bool DescriptorRegistry::Copy(D3D12_CPU_DESCRIPTOR_HANDLE to, D3D12_CPU_DESCRIPTOR_HANDLE from) noexcept {
  BufferView view;
  return Read(from, &view) && Write(to, view);
}

const char* DescriptorRegistry::FindMistake(D3D12_CPU_DESCRIPTOR_HANDLE cpu, D3D12_GPU_DESCRIPTOR_HANDLE gpu,
                                            uint32_t count) noexcept {
  const std::scoped_lock lock(mutex_);
  const Heap* heap = nullptr;
  const BufferView* first = Find(cpu.ptr, &heap);
  if (first == nullptr) return "the CPUDescriptorHandle of a binding table is not a descriptor of any heap";
  if (heap->desc.Type != D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV) {
    return "the descriptors of a binding table are in a heap of another type, but must be in one of "
           "D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV";
  }
  if ((heap->desc.Flags & D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE) == 0) {
    return "the descriptors of a binding table are in a heap without "
           "D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE, which is required";
  }
  if (count > heap->views->size() - static_cast<size_t>(first - heap->views->data())) {
    return "the descriptors of a binding table reach beyond the end of their heap";
  }
  if (gpu.ptr != cpu.ptr) {
    return "the GPUDescriptorHandle of a binding table is not that of the same descriptor as its "
           "CPUDescriptorHandle";
  }
  return nullptr;
}

HRESULT DescriptorHeap::Create(ID3D12Device* device, const std::shared_ptr<DescriptorRegistry>& registry,
                               const D3D12_DESCRIPTOR_HEAP_DESC* given, REFIID iid, void** heap) noexcept {
  if (heap != nullptr) *heap = nullptr;
  const auto refuse = [&](const char* text) {
    return Refused(device, E_INVALIDARG, D3D12_MESSAGE_ID_CREATE_DESCRIPTOR_HEAP_INVALID_DESC, text);
  };
  if (given == nullptr) return refuse("the description of a descriptor heap is null");
  const D3D12_DESCRIPTOR_HEAP_DESC desc = *given;
  // The largest heap that any hardware tier allows.
  constexpr UINT kMostDescriptors = D3D12_MAX_SHADER_VISIBLE_DESCRIPTOR_HEAP_SIZE_TIER_2;
  if (desc.NumDescriptors == 0 || desc.NumDescriptors > kMostDescriptors) {
    return refuse("NumDescriptors of a descriptor heap is 0 or above 1000000");
  }
  if (desc.NodeMask > 1) return refuse("the NodeMask of a descriptor heap is above 1, but there is one node");
  const int32_t type = NumberOf(desc.Type);
  if (type < 0 || type >= D3D12_DESCRIPTOR_HEAP_TYPE_NUM_TYPES) {
    return refuse("the Type of a descriptor heap does not exist");
  }
  const bool visible = (NumberOf(desc.Flags) & D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE) != 0;
  const bool may_be_visible =
      type == D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV || type == D3D12_DESCRIPTOR_HEAP_TYPE_SAMPLER;
  if (visible && !may_be_visible) return refuse("a descriptor heap of this Type cannot be shader visible");
  return FinishCreate(TryMake<DescriptorHeap>(device, registry, desc), iid, heap);
}

DescriptorHeap::DescriptorHeap(ID3D12Device* device, std::shared_ptr<DescriptorRegistry> registry,
                               const D3D12_DESCRIPTOR_HEAP_DESC& desc)
    : DeviceChild(device), desc_(desc), registry_(std::move(registry)), views_(desc.NumDescriptors) {
  registry_->Add(reinterpret_cast<uintptr_t>(views_.data()), &views_, desc);
}

DescriptorHeap::~DescriptorHeap() { registry_->Remove(reinterpret_cast<uintptr_t>(views_.data())); }

D3D12_CPU_DESCRIPTOR_HANDLE DescriptorHeap::GetCPUDescriptorHandleForHeapStart() noexcept {
  return {reinterpret_cast<SIZE_T>(views_.data())};
}

D3D12_GPU_DESCRIPTOR_HANDLE DescriptorHeap::GetGPUDescriptorHandleForHeapStart() noexcept {
  const bool visible = (desc_.Flags & D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE) != 0;
  return {visible ? reinterpret_cast<UINT64>(views_.data()) : 0};
}

}  // namespace residue
