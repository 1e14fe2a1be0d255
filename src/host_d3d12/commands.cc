#include "host_d3d12/commands.h"

#include <cstring>

namespace residue {

void CopyCommand::Run() noexcept {
  std::memmove(to_.memory->Data() + to_.offset, from_.memory->Data() + from_.offset, size_);
}

ClearCommand::ClearCommand(View view, const UINT values[4]) noexcept : view_(std::move(view)) {
  // Little-endian, so the low bytes of a value are the narrow element's.
  std::memcpy(pattern_, values, sizeof(pattern_));
}

void ClearCommand::Run() noexcept {
  std::byte* to = view_.memory->Data() + view_.offset;
  for (uint64_t i = 0; i + view_.element_size <= view_.size; i += view_.element_size) {
    std::memcpy(to + i, pattern_, view_.element_size);
  }
}

BufferOf DescribeBuffer(ID3D12Resource* resource) noexcept {
  BufferOf result;
  if (const auto ours = QueryFor<IHostResource>(resource, kIidHostResource); ours) {
    ours->Describe(&result.buffer);
    result.memory = Ref<IHostMemory>::Adopt(result.buffer.memory);
  }
  return result;
}

}  // namespace residue
