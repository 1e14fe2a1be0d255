#include "d3d12/query_heap.h"

#include <chrono>

#include "core/enumeration.h"
#include "d3d12/watch.h"

namespace residue {

uint64_t TimestampNow() noexcept {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

HRESULT QueryHeap::Create(ID3D12Device* device, const D3D12_QUERY_HEAP_DESC* given, REFIID iid,
                          void** heap) noexcept {
  if (heap != nullptr) *heap = nullptr;
  constexpr auto kInvalid = D3D12_MESSAGE_ID_CREATEQUERY_HEAP_INVALID_PARAMETERS;
  if (given == nullptr)
    return Refused(device, E_INVALIDARG, kInvalid, "the description of a query heap is null");
  const D3D12_QUERY_HEAP_DESC desc = *given;
  const int32_t type = NumberOf(desc.Type);
  // Nobody asks for so many times, and their memory is filled with zeros.
  constexpr UINT kMostQueries = 1u << 20;
  if (type < D3D12_QUERY_HEAP_TYPE_OCCLUSION || type > 6 || desc.Count == 0 || desc.Count > kMostQueries ||
      desc.NodeMask > 1) {
    return Refused(device, E_INVALIDARG, kInvalid,
                   "a query heap has a Type that exists, a Count from 1 to 1048576 and one node");
  }
  if (type != D3D12_QUERY_HEAP_TYPE_TIMESTAMP && type != D3D12_QUERY_HEAP_TYPE_COPY_QUEUE_TIMESTAMP) {
    return E_NOTIMPL;
  }
  try {
    return FinishCreate(Make<QueryHeap>(device, std::make_shared<Timestamps>(desc.Count)), iid, heap);
  } catch (const std::bad_alloc&) {
    return E_OUTOFMEMORY;
  }
}

void TimestampCommand::Encode(IDeviceStream& stream) noexcept {
  stream.Finish();
  (*timestamps_)[index_] = TimestampNow();
}

void ResolveCommand::Encode(IDeviceStream& stream) noexcept {
  for (uint32_t i = 0; i < count_; ++i) {
    DevicePlace place = to_.place();
    place.offset += i * sizeof(uint64_t);
    stream.Fill(place, sizeof(uint64_t), &(*timestamps_)[first_ + i], sizeof(uint64_t));
  }
}

}  // namespace residue
