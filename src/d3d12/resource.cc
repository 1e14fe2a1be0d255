#include "d3d12/resource.h"

#include "core/enumeration.h"
#include "d3d12/heap.h"
#include "d3d12/watch.h"

namespace residue {
namespace {

// Direct3D 12 fixes the state of CPU heaps and keeps shaders from writing them.
HRESULT CheckHeapUse(D3D12_HEAP_TYPE type, D3D12_HEAP_FLAGS flags, const D3D12_RESOURCE_DESC& desc,
                     int32_t state, const D3D12_CLEAR_VALUE* clear) noexcept {
  if (clear != nullptr || (NumberOf(flags) & D3D12_HEAP_FLAG_DENY_BUFFERS) != 0) return E_INVALIDARG;
  const bool unordered = (NumberOf(desc.Flags) & D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS) != 0;
  if (type == D3D12_HEAP_TYPE_UPLOAD && (state != D3D12_RESOURCE_STATE_GENERIC_READ || unordered)) {
    return E_INVALIDARG;
  }
  if (type == D3D12_HEAP_TYPE_READBACK && (state != D3D12_RESOURCE_STATE_COPY_DEST || unordered)) {
    return E_INVALIDARG;
  }
  return S_OK;
}

}  // namespace

HRESULT CheckBufferDesc(const D3D12_RESOURCE_DESC& desc) noexcept {
  switch (NumberOf(desc.Dimension)) {
    case D3D12_RESOURCE_DIMENSION_BUFFER:
      break;
    case D3D12_RESOURCE_DIMENSION_TEXTURE1D:
    case D3D12_RESOURCE_DIMENSION_TEXTURE2D:
    case D3D12_RESOURCE_DIMENSION_TEXTURE3D:
      return E_NOTIMPL;
    default:
      return E_INVALIDARG;
  }
  const bool aligned = desc.Alignment == 0 || desc.Alignment == D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT;
  const bool plain = desc.Width != 0 && desc.Width <= kMostBufferBytes && desc.Height == 1 &&
                     desc.DepthOrArraySize == 1 && desc.MipLevels == 1 &&
                     NumberOf(desc.Format) == DXGI_FORMAT_UNKNOWN && desc.SampleDesc.Count == 1 &&
                     desc.SampleDesc.Quality == 0 && NumberOf(desc.Layout) == D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
  constexpr auto kTextureFlags = D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET |
                                 D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL |
                                 D3D12_RESOURCE_FLAG_ALLOW_SIMULTANEOUS_ACCESS;
  return aligned && plain && (NumberOf(desc.Flags) & kTextureFlags) == 0 ? S_OK : E_INVALIDARG;
}

HRESULT Resource::CreateCommitted(ID3D12Device* device, IBackend* backend,
                                  const D3D12_HEAP_PROPERTIES* given_properties, D3D12_HEAP_FLAGS flags,
                                  const D3D12_RESOURCE_DESC* given_desc, D3D12_RESOURCE_STATES state,
                                  const D3D12_CLEAR_VALUE* clear, REFIID iid, void** resource) noexcept {
  if (resource != nullptr) *resource = nullptr;
  if (given_properties == nullptr || given_desc == nullptr) return E_INVALIDARG;
  // Another thread may change the caller's structs while we look: only the copies count.
  const D3D12_HEAP_PROPERTIES properties = *given_properties;
  const D3D12_RESOURCE_DESC desc = *given_desc;
  if (!IsValidHeap(properties)) return E_INVALIDARG;
  if (const HRESULT hr = CheckBufferDesc(desc); FAILED(hr)) return hr;
  if (const HRESULT hr = CheckHeapUse(properties.Type, flags, desc, NumberOf(state), clear); FAILED(hr))
    return hr;
  Ref<IDeviceMemory> memory = AllocateMemory(backend, desc.Width, properties);
  if (!memory) return E_OUTOFMEMORY;
  Place place{std::move(memory), 0, properties, flags};
  return FinishCreate(TryMake<Resource>(device, desc, std::move(place)), iid, resource);
}

HRESULT Resource::CreatePlaced(ID3D12Device* device, ID3D12Heap* heap, uint64_t offset,
                               const D3D12_RESOURCE_DESC* given_desc, D3D12_RESOURCE_STATES state,
                               const D3D12_CLEAR_VALUE* clear, REFIID iid, void** resource) noexcept {
  if (resource != nullptr) *resource = nullptr;
  const Ref<Heap> ours = QueryFor<Heap>(heap, kIidHeap);
  if (!ours || !ours->IsOf(device) || given_desc == nullptr) return E_INVALIDARG;
  const D3D12_RESOURCE_DESC desc = *given_desc;
  if (const HRESULT hr = CheckBufferDesc(desc); FAILED(hr)) return hr;
  const D3D12_HEAP_DESC& room = ours->desc();
  if (const HRESULT hr = CheckHeapUse(room.Properties.Type, room.Flags, desc, NumberOf(state), clear);
      FAILED(hr))
    return hr;
  if (offset % D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT != 0 || offset > room.SizeInBytes ||
      desc.Width > room.SizeInBytes - offset) {
    return E_INVALIDARG;
  }
  Place place{ours->memory(), offset, room.Properties, room.Flags};
  return FinishCreate(TryMake<Resource>(device, desc, std::move(place)), iid, resource);
}

Resource::Resource(ID3D12Device* device, const D3D12_RESOURCE_DESC& desc, Place place)
    : DeviceChild(device),
      desc_(desc),
      place_(std::move(place)),
      record_(MakeRecord(device, "buffer", place_.properties.Type)) {}

Resource::~Resource() {
  if (record_ && record_->IsInFlight()) TellStillInUse(device(), *record_);
}

HRESULT Resource::SetName(LPCWSTR name) noexcept {
  if (record_) record_->SetName(name);
  return DeviceChild::SetName(name);
}

HRESULT Resource::Map(UINT subresource, const D3D12_RANGE* read, void** data) noexcept {
  if (data != nullptr) *data = nullptr;
  if (subresource != 0 || !IsHostVisible(place_.properties)) return E_INVALIDARG;
  if (read != nullptr && read->Begin < read->End && read->End > desc_.Width) return E_INVALIDARG;
  if (data != nullptr) *data = static_cast<std::byte*>(place_.memory->HostAddress()) + place_.offset;
  return S_OK;
}

D3D12_GPU_VIRTUAL_ADDRESS Resource::GetGPUVirtualAddress() noexcept {
  return place_.memory->DeviceAddress() + place_.offset;
}

HRESULT Resource::GetHeapProperties(D3D12_HEAP_PROPERTIES* properties, D3D12_HEAP_FLAGS* flags) noexcept {
  if (properties != nullptr) *properties = place_.properties;
  if (flags != nullptr) *flags = place_.flags;
  return S_OK;
}

void Resource::Describe(HostBuffer* buffer) noexcept {
  buffer->memory = Ref<IDeviceMemory>(place_.memory).Detach();
  buffer->offset = place_.offset;
  buffer->width = desc_.Width;
  buffer->heap_type = place_.properties.Type;
  buffer->flags = desc_.Flags;
  buffer->device = device();
  buffer->record = Ref<UsageRecord>(record_).Detach();
}

void* Resource::FindInterface(REFIID iid) noexcept {
  return iid == kIidHostResource ? static_cast<IHostResource*>(this) : DeviceChild::FindInterface(iid);
}

}  // namespace residue
