#include "d3d12/commands.h"

#include <algorithm>
#include <cstring>

namespace residue {

void CopyCommand::Run() noexcept {
  std::memmove(to_.memory->Data() + to_.offset, from_.memory->Data() + from_.offset, size_);
}

ClearCommand::ClearCommand(CopyCommand::Side to, const BufferView& view, const UINT values[4]) noexcept
    : to_(std::move(to)), size_(view.size), element_size_(view.element_size) {
  // Little-endian, so the low bytes of a value are the narrow element's.
  std::memcpy(pattern_, values, sizeof(pattern_));
}

// One element, then what is filled already copied behind itself, twice as long each time.
void ClearCommand::Run() noexcept {
  std::byte* to = to_.memory->Data() + to_.offset;
  if (size_ < element_size_) return;
  std::memcpy(to, pattern_, element_size_);
  constexpr uint64_t kMostAtOnce = 65536;  // stays in the cache
  for (uint64_t filled = element_size_; filled < size_;) {
    const uint64_t piece = std::min({filled, size_ - filled, kMostAtOnce});
    std::memcpy(to + filled, to, piece);
    filled += piece;
  }
}

BufferOf DescribeBuffer(ID3D12Resource* resource, const ID3D12Device* device) noexcept {
  const auto ours = QueryFor<IHostResource>(resource, kIidHostResource);
  if (!ours) return {};
  BufferOf result;
  ours->Describe(&result.buffer);
  result.memory = Ref<IHostMemory>::Adopt(result.buffer.memory);
  return result.buffer.device == device ? std::move(result) : BufferOf{};
}

}  // namespace residue
