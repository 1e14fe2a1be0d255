#include "d3d12/resource.h"

#include "core/enumeration.h"
#include "d3d12/heap.h"
#include "d3d12/watch.h"

namespace residue {
namespace {

// Direct3D 12 fixes the state of CPU heaps and keeps shaders from writing them. Null if the use is right.
const char* FindMisuse(D3D12_HEAP_TYPE type, D3D12_HEAP_FLAGS flags, const D3D12_RESOURCE_DESC& desc,
                       int32_t state, const D3D12_CLEAR_VALUE* clear) noexcept {
  if (clear != nullptr) return "a buffer has a clear value, which is for textures";
  if ((NumberOf(flags) & D3D12_HEAP_FLAG_DENY_BUFFERS) != 0) return "the heap's flags deny buffers";
  const bool is_upload = type == D3D12_HEAP_TYPE_UPLOAD;
  const bool is_readback = type == D3D12_HEAP_TYPE_READBACK;
  const bool unordered = (NumberOf(desc.Flags) & D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS) != 0;
  if ((is_upload || is_readback) && unordered) {
    return "a buffer in an upload or readback heap must not have D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS";
  }
  if (is_upload && state != D3D12_RESOURCE_STATE_GENERIC_READ) {
    return "a buffer in an upload heap must begin in D3D12_RESOURCE_STATE_GENERIC_READ";
  }
  if (is_readback && state != D3D12_RESOURCE_STATE_COPY_DEST) {
    return "a buffer in a readback heap must begin in D3D12_RESOURCE_STATE_COPY_DEST";
  }
  return nullptr;
}

}  // namespace

DescMistake FindMistake(const D3D12_RESOURCE_DESC& desc) noexcept {
  switch (NumberOf(desc.Dimension)) {
    case D3D12_RESOURCE_DIMENSION_BUFFER:
      break;
    case D3D12_RESOURCE_DIMENSION_TEXTURE1D:
    case D3D12_RESOURCE_DIMENSION_TEXTURE2D:
    case D3D12_RESOURCE_DIMENSION_TEXTURE3D:
      return {E_NOTIMPL, "textures are not supported: there are buffers only"};
    default:
      return {E_INVALIDARG, "the Dimension of a resource does not exist"};
  }
  if (desc.Alignment != 0 && desc.Alignment != D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT) {
    return {E_INVALIDARG, "the Alignment of a buffer is neither 0 nor 64 KiB"};
  }
  if (desc.Width == 0 || desc.Width > kMostBufferBytes) {
    return {E_INVALIDARG, "the Width of a buffer is 0, or more than any memory has"};
  }
  const bool plain = desc.Height == 1 && desc.DepthOrArraySize == 1 && desc.MipLevels == 1 &&
                     NumberOf(desc.Format) == DXGI_FORMAT_UNKNOWN && desc.SampleDesc.Count == 1 &&
                     desc.SampleDesc.Quality == 0 && NumberOf(desc.Layout) == D3D12_TEXTURE_LAYOUT_ROW_MAJOR;
  if (!plain) {
    return {
        E_INVALIDARG,
        "a buffer has Height, DepthOrArraySize, MipLevels and SampleDesc.Count of 1, DXGI_FORMAT_UNKNOWN and "
        "D3D12_TEXTURE_LAYOUT_ROW_MAJOR"};
  }
  constexpr auto kTextureFlags = D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET |
                                 D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL |
                                 D3D12_RESOURCE_FLAG_ALLOW_SIMULTANEOUS_ACCESS;
  if ((NumberOf(desc.Flags) & kTextureFlags) != 0) return {E_INVALIDARG, "a buffer has flags of textures"};
  return {};
}

HRESULT Resource::CreateCommitted(ID3D12Device* device, IBackend* backend,
                                  const D3D12_HEAP_PROPERTIES* given_properties, D3D12_HEAP_FLAGS flags,
                                  const D3D12_RESOURCE_DESC* given_desc, D3D12_RESOURCE_STATES state,
                                  const D3D12_CLEAR_VALUE* clear, REFIID iid, void** resource) noexcept {
  if (resource != nullptr) *resource = nullptr;
  constexpr auto kInvalid = D3D12_MESSAGE_ID_CREATERESOURCEANDHEAP_INVALIDARG_RETURN;
  if (given_properties == nullptr || given_desc == nullptr) {
    return Refused(device, E_INVALIDARG, kInvalid,
                   "the heap properties or the description of a resource are null");
  }
  // Another thread may change the caller's structs while we look: only the copies count.
  const D3D12_HEAP_PROPERTIES properties = *given_properties;
  const D3D12_RESOURCE_DESC desc = *given_desc;
  if (!IsValidHeap(properties)) return Refused(device, E_INVALIDARG, kInvalid, kWrongHeapProperties);
  if (const DescMistake mistake = FindMistake(desc); FAILED(mistake.result)) {
    return Refused(device, mistake.result, D3D12_MESSAGE_ID_CREATERESOURCE_INVALIDDESC, mistake.text);
  }
  if (const char* misuse = FindMisuse(properties.Type, flags, desc, NumberOf(state), clear);
      misuse != nullptr) {
    return Refused(device, E_INVALIDARG, kInvalid, misuse);
  }
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
  constexpr auto kInvalid = D3D12_MESSAGE_ID_CREATERESOURCE_INVALIDARG_RETURN;
  if (!ours || !ours->IsOf(device) || given_desc == nullptr) {
    return Refused(device, E_INVALIDARG, kInvalid,
                   "a placed resource needs a heap of this device and a description");
  }
  const D3D12_RESOURCE_DESC desc = *given_desc;
  if (const DescMistake mistake = FindMistake(desc); FAILED(mistake.result)) {
    return Refused(device, mistake.result, D3D12_MESSAGE_ID_CREATERESOURCE_INVALIDDESC, mistake.text);
  }
  const D3D12_HEAP_DESC& room = ours->desc();
  if (const char* misuse = FindMisuse(room.Properties.Type, room.Flags, desc, NumberOf(state), clear);
      misuse != nullptr) {
    return Refused(device, E_INVALIDARG, kInvalid, misuse);
  }
  if (offset % D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT != 0) {
    return Refused(device, E_INVALIDARG, kInvalid,
                   "a resource is placed at an offset that is no multiple of 64 KiB");
  }
  if (offset > room.SizeInBytes || desc.Width > room.SizeInBytes - offset) {
    return Refused(device, E_INVALIDARG, kInvalid, "a placed resource reaches beyond the end of its heap");
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
