#include "cpu/backend/cpu_memory.h"

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

constexpr uint64_t kAlignment = 65536;  // D3D12_DEFAULT_RESOURCE_PLACEMENT_ALIGNMENT

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

Ref<CpuMemory> CpuMemory::Allocate(uint64_t size) noexcept {
  size_t page_bytes = 0;
  if (__builtin_add_overflow(size, kAlignment, &page_bytes)) return {};
  void* pages = mmap(nullptr, page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return {};
  Ref<CpuMemory> memory = TryMake<CpuMemory>(pages, size);
  if (!memory) munmap(pages, page_bytes);
  return memory;
}

CpuMemory::CpuMemory(void* pages, size_t size) noexcept : pages_(pages), size_(size) {
  const auto begin = reinterpret_cast<uintptr_t>(pages);
  before_ = (kAlignment - begin % kAlignment) % kAlignment;
  Forbid(pages, before_);
  Forbid(Data() + size_, kAlignment - before_);
}

CpuMemory::~CpuMemory() {
  Allow(pages_, before_);
  Allow(Data() + size_, kAlignment - before_);
  munmap(pages_, size_ + kAlignment);
}

uint64_t CpuMemory::DeviceAddress() noexcept { return reinterpret_cast<uintptr_t>(Data()); }

std::byte* CpuMemory::Data() noexcept { return static_cast<std::byte*>(pages_) + before_; }

void* CpuMemory::FindInterface(REFIID iid) noexcept { return MatchInterface<IUnknown>(iid, this); }

}  // namespace residue
