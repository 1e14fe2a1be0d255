#include "d3d12/newer_device.h"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "core/enumeration.h"
#include "d3d12/fence.h"
#include "d3d12/pageable.h"

namespace residue {
namespace {

// The older description of the same buffer; false if it is of something that only newer ones have.
bool ReadDesc(const D3D12_RESOURCE_DESC1* given, D3D12_RESOURCE_DESC* desc) noexcept {
  if (given == nullptr) return false;
  const D3D12_RESOURCE_DESC1 newer = *given;
  *desc = {newer.Dimension, newer.Alignment, newer.Width,      newer.Height, newer.DepthOrArraySize,
           newer.MipLevels, newer.Format,    newer.SampleDesc, newer.Layout, newer.Flags};
  const D3D12_MIP_REGION& region = newer.SamplerFeedbackMipRegion;
  return region.Width == 0 && region.Height == 0 && region.Depth == 0;
}

}  // namespace

HRESULT NewerDevice::Refuse(void** result, const char* call, const char* reason) noexcept {
  if (result != nullptr) *result = nullptr;
  char text[160];
  std::snprintf(text, sizeof(text), "%s is not supported: %s.", call, reason);
  Tell({D3D12_MESSAGE_CATEGORY_STATE_CREATION, D3D12_MESSAGE_SEVERITY_ERROR, D3D12_MESSAGE_ID_UNKNOWN}, text);
  return E_NOTIMPL;
}

HRESULT NewerDevice::SetEventOnMultipleFenceCompletion(ID3D12Fence* const* given, const UINT64* values,
                                                       UINT count, D3D12_MULTIPLE_FENCE_WAIT_FLAGS flags,
                                                       HANDLE event) noexcept {
  if (GetDeviceRemovedReason() != S_OK) return DXGI_ERROR_DEVICE_REMOVED;
  const int32_t number = NumberOf(flags);
  const bool any = number == D3D12_MULTIPLE_FENCE_WAIT_FLAG_ANY;
  if (count == 0 || given == nullptr || values == nullptr ||
      (!any && number != D3D12_MULTIPLE_FENCE_WAIT_FLAG_ALL)) {
    return E_INVALIDARG;
  }
  try {
    std::vector<AwaitedFence> awaited;
    for (UINT i = 0; i < count; ++i) {
      const auto fence = QueryFor<Fence>(given[i], kIidFence);
      if (!fence || !fence->IsOf(this)) return E_INVALIDARG;
      awaited.push_back({fence->state(), values[i]});
    }
    return SetEventOnFences(awaited, any, event);
  } catch (const std::bad_alloc&) {
    return E_OUTOFMEMORY;
  }
}

HRESULT NewerDevice::SetResidencyPriority(UINT count, ID3D12Pageable* const* objects,
                                          const D3D12_RESIDENCY_PRIORITY* priorities) noexcept {
  return count != 0 && priorities == nullptr ? E_INVALIDARG : CheckPageables(count, objects);
}

HRESULT NewerDevice::EnqueueMakeResident(D3D12_RESIDENCY_FLAGS, UINT count, ID3D12Pageable* const* objects,
                                         ID3D12Fence* fence, UINT64 value) noexcept {
  const HRESULT hr = CheckPageables(count, objects);
  if (FAILED(hr)) return hr;
  const auto ours = QueryFor<Fence>(fence, kIidFence);
  return ours && ours->IsOf(this) ? ours->Signal(value) : E_INVALIDARG;
}

HRESULT NewerDevice::CreateCommittedResource1(const D3D12_HEAP_PROPERTIES* properties, D3D12_HEAP_FLAGS flags,
                                              const D3D12_RESOURCE_DESC* desc, D3D12_RESOURCE_STATES state,
                                              const D3D12_CLEAR_VALUE* clear,
                                              ID3D12ProtectedResourceSession* session, REFIID iid,
                                              void** resource) noexcept {
  if (session != nullptr) return Refuse(resource, "CreateCommittedResource1 with a session", kNoProtection);
  return CreateCommittedResource(properties, flags, desc, state, clear, iid, resource);
}

HRESULT NewerDevice::CreateHeap1(const D3D12_HEAP_DESC* desc, ID3D12ProtectedResourceSession* session,
                                 REFIID iid, void** heap) noexcept {
  if (session != nullptr) return Refuse(heap, "CreateHeap1 with a session", kNoProtection);
  return CreateHeap(desc, iid, heap);
}

// The parts lie one behind the other; those of a wrong description are the whole answer's.
D3D12_RESOURCE_ALLOCATION_INFO
NewerDevice::GetResourceAllocationInfo1(UINT mask, UINT count, const D3D12_RESOURCE_DESC* descs,
                                        D3D12_RESOURCE_ALLOCATION_INFO1* parts) noexcept {
  const D3D12_RESOURCE_ALLOCATION_INFO all = GetResourceAllocationInfo(mask, count, descs);
  if (parts == nullptr || descs == nullptr) return all;
  UINT64 offset = 0;
  for (UINT i = 0; i < count; ++i) {
    const D3D12_RESOURCE_ALLOCATION_INFO one =
        all.SizeInBytes == UINT64_MAX ? all : GetResourceAllocationInfo(mask, 1, descs + i);
    parts[i] = {offset, one.Alignment, one.SizeInBytes};
    if (all.SizeInBytes != UINT64_MAX) offset += one.SizeInBytes;
  }
  return all;
}

HRESULT NewerDevice::CreateCommittedResource2(const D3D12_HEAP_PROPERTIES* properties, D3D12_HEAP_FLAGS flags,
                                              const D3D12_RESOURCE_DESC1* given, D3D12_RESOURCE_STATES state,
                                              const D3D12_CLEAR_VALUE* clear,
                                              ID3D12ProtectedResourceSession* session, REFIID iid,
                                              void** resource) noexcept {
  if (resource != nullptr) *resource = nullptr;
  D3D12_RESOURCE_DESC desc;
  if (!ReadDesc(given, &desc)) return E_INVALIDARG;
  return CreateCommittedResource1(properties, flags, &desc, state, clear, session, iid, resource);
}

HRESULT NewerDevice::CreatePlacedResource1(ID3D12Heap* heap, UINT64 offset, const D3D12_RESOURCE_DESC1* given,
                                           D3D12_RESOURCE_STATES state, const D3D12_CLEAR_VALUE* clear,
                                           REFIID iid, void** resource) noexcept {
  if (resource != nullptr) *resource = nullptr;
  D3D12_RESOURCE_DESC desc;
  if (!ReadDesc(given, &desc)) return E_INVALIDARG;
  return CreatePlacedResource(heap, offset, &desc, state, clear, iid, resource);
}

D3D12_RESOURCE_ALLOCATION_INFO
NewerDevice::GetResourceAllocationInfo2(UINT mask, UINT count, const D3D12_RESOURCE_DESC1* descs,
                                        D3D12_RESOURCE_ALLOCATION_INFO1* parts) noexcept {
  constexpr D3D12_RESOURCE_ALLOCATION_INFO kWrong = {UINT64_MAX, D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT};
  try {
    std::vector<D3D12_RESOURCE_DESC> older(descs == nullptr ? 0 : count);
    for (size_t i = 0; i < older.size(); ++i) {
      if (!ReadDesc(descs + i, &older[i])) return kWrong;
    }
    return GetResourceAllocationInfo1(mask, count, descs == nullptr ? nullptr : older.data(), parts);
  } catch (const std::bad_alloc&) {
    return kWrong;
  }
}

void NewerDevice::GetCopyableFootprints1(const D3D12_RESOURCE_DESC1* given, UINT first, UINT count,
                                         UINT64 base_offset, D3D12_PLACED_SUBRESOURCE_FOOTPRINT* layouts,
                                         UINT* row_counts, UINT64* row_sizes, UINT64* total) noexcept {
  D3D12_RESOURCE_DESC desc;
  const bool readable = ReadDesc(given, &desc);
  GetCopyableFootprints(readable ? &desc : nullptr, first, count, base_offset, layouts, row_counts, row_sizes,
                        total);
}

}  // namespace residue
