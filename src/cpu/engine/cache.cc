#include "cpu/engine/cache.h"

#include <unistd.h>

namespace residue {
namespace {

constexpr uint64_t kUsualCacheBytes = uint64_t{2} << 20;

// The second cache, which a core has for itself.
uint64_t FindCacheBytes() noexcept {
  long bytes = 0;
#ifdef _SC_LEVEL2_CACHE_SIZE
  bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
#endif
  return bytes > 0 ? static_cast<uint64_t>(bytes) : kUsualCacheBytes;
}

}  // namespace

uint64_t SmallestStreamedBytes() noexcept {
  static const uint64_t bytes = FindCacheBytes();
  return bytes;
}

}  // namespace residue
