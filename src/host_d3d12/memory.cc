#include "host_d3d12/memory.h"

#include <sys/mman.h>

namespace residue {
namespace {

constexpr uint64_t kAlignment = D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT;

}  // namespace

Ref<HostMemory> HostMemory::Allocate(uint64_t size) noexcept {
  if (size > kMostBufferBytes) return {};
  const size_t page_bytes = size + kAlignment;
  void* pages = mmap(nullptr, page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return {};
  Ref<HostMemory> memory = TryMake<HostMemory>(pages, page_bytes);
  if (!memory) munmap(pages, page_bytes);
  return memory;
}

HostMemory::HostMemory(void* pages, size_t page_bytes) noexcept : pages_(pages), page_bytes_(page_bytes) {
  const auto begin = reinterpret_cast<uintptr_t>(pages);
  data_ = static_cast<std::byte*>(pages) + (kAlignment - begin % kAlignment) % kAlignment;
}

HostMemory::~HostMemory() { munmap(pages_, page_bytes_); }

void* HostMemory::FindInterface(REFIID iid) noexcept { return MatchInterface<IUnknown>(iid, this); }

}  // namespace residue
