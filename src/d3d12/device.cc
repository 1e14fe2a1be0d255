#include "d3d12/device.h"

#include "core/enumeration.h"
#include "cpu/backend/cpu_backend.h"
#include "d3d12/command_allocator.h"
#include "d3d12/command_list.h"
#include "d3d12/command_queue.h"
#include "d3d12/commands.h"
#include "d3d12/debug.h"
#include "d3d12/fence.h"
#include "d3d12/heap.h"
#include "d3d12/pageable.h"
#include "d3d12/query_heap.h"
#include "d3d12/resource.h"
#include "d3d12/watch.h"

namespace residue {
namespace {

// The bytes of one element of the formats that buffers are cleared through; 0 for others.
uint32_t ElementSize(int32_t format) noexcept {
  switch (format) {
    case DXGI_FORMAT_R32G32B32A32_UINT:
      return 16;
    case DXGI_FORMAT_R32G32_UINT:
      return 8;
    case DXGI_FORMAT_R32_TYPELESS:
    case DXGI_FORMAT_R32_UINT:
    case DXGI_FORMAT_R32_SINT:
    case DXGI_FORMAT_R32_FLOAT:
      return 4;
    case DXGI_FORMAT_R16_UINT:
    case DXGI_FORMAT_R16_SINT:
    case DXGI_FORMAT_R16_FLOAT:
      return 2;
    case DXGI_FORMAT_R8_UINT:
    case DXGI_FORMAT_R8_SINT:
      return 1;
    default:
      return 0;
  }
}

constexpr uint64_t RoundUp(uint64_t value, uint64_t to) noexcept { return (value + to - 1) / to * to; }

// As in Direct3D 12, an adapter has one device at a time: what a program hangs on it with
// SetPrivateDataInterface is found again by its other parts. The pointers do not count as references.
struct TheDevices {
  std::mutex mutex;
  Device* devices[2] = {};
};

TheDevices& Devices() noexcept {
  static TheDevices devices;
  return devices;
}

}  // namespace

Ref<Device> Device::GetOrMake(bool with_info_queue) noexcept {
  TheDevices& known = Devices();
  const std::scoped_lock lock(known.mutex);
  Device*& device = known.devices[with_info_queue ? 1 : 0];
  if (device != nullptr && device->GetDeviceRemovedReason() == S_OK && device->TryAddRef()) {
    return Ref<Device>::Adopt(device);
  }
  Ref<Device> made = TryMake<Device>(with_info_queue);
  if (made) device = made.get();
  return made;
}

Device::Device(bool with_info_queue)
    : backend_(Ref<IBackend>::Adopt(Make<CpuBackend>().Detach())),
      registry_(std::make_shared<DescriptorRegistry>()),
      info_queue_(with_info_queue ? std::make_unique<InfoQueue>(this) : nullptr) {}

Device::~Device() {
  TheDevices& known = Devices();
  const std::scoped_lock lock(known.mutex);
  for (Device*& device : known.devices) {
    if (device == this) device = nullptr;
  }
}

void Device::Tell(const HostMessage& message, const char* text) noexcept {
  if (info_queue_ != nullptr) info_queue_->AddMessage(message.category, message.severity, message.id, text);
}

void Device::CheckDescriptors(D3D12_CPU_DESCRIPTOR_HANDLE cpu, D3D12_GPU_DESCRIPTOR_HANDLE gpu,
                              uint32_t count) noexcept {
  if (!IsWatched() || count == 0) return;
  const char* mistake = registry_->FindMistake(cpu, gpu, count);
  if (mistake == nullptr) return;
  Tell({D3D12_MESSAGE_CATEGORY_STATE_SETTING, D3D12_MESSAGE_SEVERITY_ERROR,
        D3D12_MESSAGE_ID_INVALID_DESCRIPTOR_HANDLE},
       mistake);
}

void Device::WriteDebugString(const char* text) noexcept { residue::WriteDebugString(text); }

void Device::Remove(HRESULT reason) noexcept {
  HRESULT healthy = S_OK;
  if (!removed_reason_->compare_exchange_strong(healthy, reason)) return;
  // Nobody may wait for what will not happen any more.
  std::vector<std::weak_ptr<FenceState>> fences;
  {
    const std::scoped_lock lock(fences_mutex_);
    fences.swap(fences_);
  }
  for (const auto& fence : fences) {
    if (const auto state = fence.lock()) state->SignalRemoval();
  }
}

IBackend* Device::GetBackend() noexcept {
  const std::scoped_lock lock(backend_mutex_);
  backend_in_use_ = true;
  return Ref<IBackend>(backend_).Detach();
}

HRESULT Device::SetBackend(IBackend* backend) noexcept {
  if (backend == nullptr) return E_INVALIDARG;
  Ref<IBackend> other = Ref<IBackend>::Share(backend);
  const std::scoped_lock lock(backend_mutex_);
  if (backend_in_use_) return E_FAIL;
  std::swap(backend_, other);
  return S_OK;
}

bool Device::IsRemoved(void** result) noexcept {
  if (result != nullptr) *result = nullptr;
  return removed_reason_->load() != S_OK;
}

HRESULT Device::CreateCommandQueue(const D3D12_COMMAND_QUEUE_DESC* desc, REFIID iid, void** queue) noexcept {
  if (IsRemoved(queue)) return DXGI_ERROR_DEVICE_REMOVED;
  return CommandQueue::Create(this, Backend().get(), removed_reason_, desc, iid, queue);
}

HRESULT Device::CreateCommandAllocator(D3D12_COMMAND_LIST_TYPE type, REFIID iid, void** allocator) noexcept {
  if (IsRemoved(allocator)) return DXGI_ERROR_DEVICE_REMOVED;
  return CommandAllocator::Create(this, NumberOf(type), iid, allocator);
}

HRESULT Device::CreateCommandList(UINT node_mask, D3D12_COMMAND_LIST_TYPE type,
                                  ID3D12CommandAllocator* allocator, ID3D12PipelineState* state, REFIID iid,
                                  void** list) noexcept {
  if (IsRemoved(list)) return DXGI_ERROR_DEVICE_REMOVED;
  return CommandList::Create(this, registry_, node_mask, NumberOf(type), allocator, state, iid, list);
}

HRESULT Device::CreateCommandList1(UINT node_mask, D3D12_COMMAND_LIST_TYPE type,
                                   D3D12_COMMAND_LIST_FLAGS flags, REFIID iid, void** list) noexcept {
  if (IsRemoved(list)) return DXGI_ERROR_DEVICE_REMOVED;
  if (NumberOf(flags) != D3D12_COMMAND_LIST_FLAG_NONE) return E_INVALIDARG;
  return CommandList::CreateClosed(this, registry_, node_mask, NumberOf(type), iid, list);
}

HRESULT Device::CreateQueryHeap(const D3D12_QUERY_HEAP_DESC* desc, REFIID iid, void** heap) noexcept {
  if (IsRemoved(heap)) return DXGI_ERROR_DEVICE_REMOVED;
  const HRESULT hr = QueryHeap::Create(this, desc, iid, heap);
  return hr == E_NOTIMPL ? Refuse(heap, "CreateQueryHeap", "there are timestamps only") : hr;
}

HRESULT Device::CreateDescriptorHeap(const D3D12_DESCRIPTOR_HEAP_DESC* desc, REFIID iid,
                                     void** heap) noexcept {
  if (IsRemoved(heap)) return DXGI_ERROR_DEVICE_REMOVED;
  return DescriptorHeap::Create(this, registry_, desc, iid, heap);
}

HRESULT Device::CreateCommittedResource(const D3D12_HEAP_PROPERTIES* properties, D3D12_HEAP_FLAGS flags,
                                        const D3D12_RESOURCE_DESC* desc, D3D12_RESOURCE_STATES state,
                                        const D3D12_CLEAR_VALUE* clear, REFIID iid,
                                        void** resource) noexcept {
  if (IsRemoved(resource)) return DXGI_ERROR_DEVICE_REMOVED;
  return Resource::CreateCommitted(this, Backend().get(), properties, flags, desc, state, clear, iid,
                                   resource);
}

HRESULT Device::CreateHeap(const D3D12_HEAP_DESC* desc, REFIID iid, void** heap) noexcept {
  if (IsRemoved(heap)) return DXGI_ERROR_DEVICE_REMOVED;
  return Heap::Create(this, Backend().get(), desc, iid, heap);
}

HRESULT Device::CreatePlacedResource(ID3D12Heap* heap, UINT64 offset, const D3D12_RESOURCE_DESC* desc,
                                     D3D12_RESOURCE_STATES state, const D3D12_CLEAR_VALUE* clear, REFIID iid,
                                     void** resource) noexcept {
  if (IsRemoved(resource)) return DXGI_ERROR_DEVICE_REMOVED;
  return Resource::CreatePlaced(this, heap, offset, desc, state, clear, iid, resource);
}

HRESULT Device::CreateFence(UINT64 value, D3D12_FENCE_FLAGS flags, REFIID iid, void** fence) noexcept {
  if (fence != nullptr) *fence = nullptr;
  // Before the lock: who is told may make another.
  if (NumberOf(flags) != D3D12_FENCE_FLAG_NONE && removed_reason_->load() == S_OK) {
    return Refused(this, E_NOTIMPL, D3D12_MESSAGE_ID_CREATE_FENCE_INVALID_FLAGS,
                   "fences are not shared with other processes and adapters: their flags must be NONE");
  }
  try {
    const std::scoped_lock lock(fences_mutex_);
    // Asked with the lock, so that removal finds the fence among those it must signal.
    if (IsRemoved(fence)) return DXGI_ERROR_DEVICE_REMOVED;
    std::erase_if(fences_, [](const std::weak_ptr<FenceState>& known) { return known.expired(); });
    fences_.reserve(fences_.size() + 1);
    std::shared_ptr<FenceState> state;
    const HRESULT hr = Fence::Create(this, value, iid, fence, &state);
    if (SUCCEEDED(hr)) fences_.push_back(state);
    return hr;
  } catch (const std::bad_alloc&) {
    return E_OUTOFMEMORY;
  }
}

void Device::CreateUnorderedAccessView(ID3D12Resource* resource, ID3D12Resource*,
                                       const D3D12_UNORDERED_ACCESS_VIEW_DESC* given,
                                       D3D12_CPU_DESCRIPTOR_HANDLE to) noexcept {
  registry_->Write(to, {});  // a null view, unless the description is right
  const BufferOf buffer = DescribeBuffer(resource, this);
  if (!buffer.memory || !AllowsUnorderedAccess(buffer.buffer) || given == nullptr) return;
  const D3D12_UNORDERED_ACCESS_VIEW_DESC desc = *given;
  // A structured view cannot be cleared, which is all that views are for here.
  const uint64_t element = desc.Buffer.StructureByteStride != 0 ? 0 : ElementSize(NumberOf(desc.Format));
  BufferView view;
  view.element_size = element;
  if (NumberOf(desc.ViewDimension) != D3D12_UAV_DIMENSION_BUFFER || element == 0 ||
      __builtin_mul_overflow(desc.Buffer.FirstElement, element, &view.offset) ||
      __builtin_mul_overflow(uint64_t{desc.Buffer.NumElements}, element, &view.size) ||
      view.offset > buffer.buffer.width || view.size > buffer.buffer.width - view.offset) {
    return;
  }
  registry_->Write(to, view);
}

void Device::CopyDescriptorsSimple(UINT count, D3D12_CPU_DESCRIPTOR_HANDLE to,
                                   D3D12_CPU_DESCRIPTOR_HANDLE from, D3D12_DESCRIPTOR_HEAP_TYPE) noexcept {
  for (UINT i = 0; i < count; ++i) {
    if (!registry_->Copy({to.ptr + i * sizeof(BufferView)}, {from.ptr + i * sizeof(BufferView)})) return;
  }
}

// Both sides are the concatenation of their ranges. A handle that is none ends the call.
void Device::CopyDescriptors(UINT to_count, const D3D12_CPU_DESCRIPTOR_HANDLE* to_starts,
                             const UINT* to_sizes, UINT from_count,
                             const D3D12_CPU_DESCRIPTOR_HANDLE* from_starts, const UINT* from_sizes,
                             D3D12_DESCRIPTOR_HEAP_TYPE) noexcept {
  if (to_starts == nullptr || from_starts == nullptr) return;
  UINT source = 0;
  UINT taken = 0;
  for (UINT range = 0; range < to_count; ++range) {
    const UINT room = to_sizes == nullptr ? 1 : to_sizes[range];
    for (UINT i = 0; i < room; ++i) {
      while (source < from_count && taken == (from_sizes == nullptr ? 1 : from_sizes[source])) {
        ++source;
        taken = 0;
      }
      if (source == from_count) return;
      if (!registry_->Copy({to_starts[range].ptr + i * sizeof(BufferView)},
                           {from_starts[source].ptr + taken * sizeof(BufferView)})) {
        return;
      }
      ++taken;
    }
  }
}

D3D12_RESOURCE_ALLOCATION_INFO Device::GetResourceAllocationInfo(UINT, UINT count,
                                                                 const D3D12_RESOURCE_DESC* descs) noexcept {
  constexpr UINT64 kAlignment = D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT;
  UINT64 size = 0;
  constexpr D3D12_RESOURCE_ALLOCATION_INFO kWrong = {UINT64_MAX, kAlignment};  // Direct3D 12's way to say it
  if (count != 0 && descs == nullptr) return kWrong;
  for (UINT i = 0; i < count; ++i) {
    const D3D12_RESOURCE_DESC desc = descs[i];
    if (!IsBuffer(desc) || __builtin_add_overflow(size, RoundUp(desc.Width, kAlignment), &size)) {
      return kWrong;
    }
  }
  return {size, kAlignment};
}

// One memory for all: what a unified-memory adapter answers.
D3D12_HEAP_PROPERTIES Device::GetCustomHeapProperties(UINT, D3D12_HEAP_TYPE type) noexcept {
  const bool hidden = NumberOf(type) == D3D12_HEAP_TYPE_DEFAULT;
  return {D3D12_HEAP_TYPE_CUSTOM,
          hidden ? D3D12_CPU_PAGE_PROPERTY_NOT_AVAILABLE : D3D12_CPU_PAGE_PROPERTY_WRITE_BACK,
          D3D12_MEMORY_POOL_L0, 1, 1};
}

void Device::GetCopyableFootprints(const D3D12_RESOURCE_DESC* given, UINT first, UINT count,
                                   UINT64 base_offset, D3D12_PLACED_SUBRESOURCE_FOOTPRINT* layouts,
                                   UINT* row_counts, UINT64* row_sizes, UINT64* total) noexcept {
  const D3D12_RESOURCE_DESC desc = given == nullptr ? D3D12_RESOURCE_DESC{} : *given;
  // A footprint has 32 bits for the width, and for the pitch, which is not shorter.
  const bool is_buffer = IsBuffer(desc) && first == 0 && count == 1 &&
                         RoundUp(desc.Width, D3D12_TEXTURE_DATA_PITCH_ALIGNMENT) <= UINT_MAX;
  const UINT64 width = is_buffer ? desc.Width : UINT64_MAX;
  const UINT64 pitch = is_buffer ? RoundUp(width, D3D12_TEXTURE_DATA_PITCH_ALIGNMENT) : UINT64_MAX;
  for (UINT i = 0; i < count; ++i) {
    if (layouts != nullptr) {
      layouts[i] = {is_buffer ? base_offset : UINT64_MAX,
                    {DXGI_FORMAT_UNKNOWN, static_cast<UINT>(width), 1, 1, static_cast<UINT>(pitch)}};
    }
    if (row_counts != nullptr) row_counts[i] = is_buffer ? 1 : UINT_MAX;
    if (row_sizes != nullptr) row_sizes[i] = width;
  }
  if (total != nullptr) *total = width;
}

HRESULT Device::MakeResident(UINT count, ID3D12Pageable* const* objects) noexcept {
  return CheckPageables(count, objects);
}

HRESULT Device::Evict(UINT count, ID3D12Pageable* const* objects) noexcept {
  return CheckPageables(count, objects);
}

void* Device::FindInterface(REFIID iid) noexcept {
  if (iid == kIidHostDevice) return static_cast<IHostDevice*>(this);
  if (iid == __uuidof(ID3D12InfoQueue1) || iid == __uuidof(ID3D12InfoQueue)) {
    return static_cast<ID3D12InfoQueue1*>(info_queue_.get());
  }
  return MatchInterface<ID3D12Device9, ID3D12Device8, ID3D12Device7, ID3D12Device6, ID3D12Device5,
                        ID3D12Device4, ID3D12Device3, ID3D12Device2, ID3D12Device1, ID3D12Device,
                        ID3D12Object, IUnknown>(iid, static_cast<ID3D12Device9*>(this));
}

}  // namespace residue
