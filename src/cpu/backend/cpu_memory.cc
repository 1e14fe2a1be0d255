#include "d3d12/memory.h"

#include <sys/mman.h>

#if defined(__SANITIZE_ADDRESS__)
#define RESIDUE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define RESIDUE_ASAN 1
#endif
#endif
#ifdef RESIDUE_ASAN
#include <sanitizer/asan_interface.h>
#endif

namespace residue {
namespace {

constexpr uint64_t kAlignment = D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT;

// AddressSanitizer knows nothing of pages that come from mmap.
void Forbid([[maybe_unused]] void* begin, [[maybe_unused]] size_t bytes) noexcept {
#ifdef RESIDUE_ASAN
  __asan_poison_memory_region(begin, bytes);
#endif
}
void Allow([[maybe_unused]] void* begin, [[maybe_unused]] size_t bytes) noexcept {
#ifdef RESIDUE_ASAN
  __asan_unpoison_memory_region(begin, bytes);
#endif
}

}  // namespace

Ref<HostMemory> HostMemory::Allocate(uint64_t size) noexcept {
  if (size > kMostBufferBytes) return {};
  const size_t page_bytes = size + kAlignment;
  void* pages = mmap(nullptr, page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return {};
  Ref<HostMemory> memory = TryMake<HostMemory>(pages, size);
  if (!memory) munmap(pages, page_bytes);
  return memory;
}

HostMemory::HostMemory(void* pages, size_t size) noexcept : pages_(pages), size_(size) {
  const auto begin = reinterpret_cast<uintptr_t>(pages);
  before_ = (kAlignment - begin % kAlignment) % kAlignment;
  Forbid(pages, before_);
  Forbid(Data() + size_, kAlignment - before_);
}

HostMemory::~HostMemory() {
  Allow(pages_, before_);
  Allow(Data() + size_, kAlignment - before_);
  munmap(pages_, size_ + kAlignment);
}

std::byte* HostMemory::Data() noexcept { return static_cast<std::byte*>(pages_) + before_; }

void* HostMemory::FindInterface(REFIID iid) noexcept { return MatchInterface<IUnknown>(iid, this); }

}  // namespace residue
