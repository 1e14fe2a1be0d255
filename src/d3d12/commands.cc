#include "d3d12/commands.h"

#include <cstring>

namespace residue {

void CopyCommand::Encode(IDeviceStream& stream) noexcept { stream.Copy(to_.place(), from_.place(), size_); }

ClearCommand::ClearCommand(CopyCommand::Side to, const BufferView& view, const UINT values[4]) noexcept
    : to_(std::move(to)), size_(view.size), element_size_(static_cast<uint32_t>(view.element_size)) {
  // Little-endian, so the low bytes of a value are the narrow element's.
  std::memcpy(pattern_, values, sizeof(pattern_));
}

void ClearCommand::Encode(IDeviceStream& stream) noexcept {
  stream.Fill(to_.place(), size_, pattern_, element_size_);
}

BufferOf DescribeBuffer(ID3D12Resource* resource, const ID3D12Device* device) noexcept {
  const auto ours = QueryFor<IHostResource>(resource, kIidHostResource);
  if (!ours) return {};
  BufferOf result;
  ours->Describe(&result.buffer);
  result.memory = Ref<IDeviceMemory>::Adopt(result.buffer.memory);
  result.record = Ref<UsageRecord>::Adopt(static_cast<UsageRecord*>(result.buffer.record));
  return result.buffer.device == device ? std::move(result) : BufferOf{};
}

}  // namespace residue
