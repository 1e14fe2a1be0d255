// The debug layer, as seen from the objects of a device.
#pragma once

#include "d3d12/host_interfaces.h"
#include "d3d12/usage_record.h"

namespace residue {

// The device if it has the debug layer, otherwise empty.
inline Ref<IHostDevice> FindWatcher(ID3D12Device* device) noexcept {
  Ref<IHostDevice> host = QueryFor<IHostDevice>(device, kIidHostDevice);
  if (host && !host->IsWatched()) host = {};
  return host;
}

// Empty without the debug layer. May throw bad_alloc.
Ref<UsageRecord> MakeRecord(ID3D12Device* device, const char* kind, D3D12_HEAP_TYPE heap_type);

// To the info queue, as an error; nothing without the debug layer.
void TellMistake(ID3D12Device* device, D3D12_MESSAGE_CATEGORY category, D3D12_MESSAGE_ID id,
                 const char* text) noexcept;

// Says in the info queue why a call is refused, and is the result that it returns.
HRESULT Refused(ID3D12Device* device, HRESULT result, D3D12_MESSAGE_ID id, const char* text) noexcept;

void TellStillInUse(ID3D12Device* device, const UsageRecord& record) noexcept;

}  // namespace residue
