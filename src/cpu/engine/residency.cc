#include "cpu/engine/residency.h"

#include <unistd.h>

#ifdef __linux__
#include <sys/mman.h>

#include <cerrno>
#include <initializer_list>
#endif

namespace residue {

#ifdef __linux__

namespace {

bool IsPageResident(uintptr_t address, uintptr_t page_bytes) noexcept {
  const int kept = errno;
  unsigned char answer = 1;
  const bool told = mincore(reinterpret_cast<void*>(address / page_bytes * page_bytes), 1, &answer) == 0;
  errno = kept;
  return !told || (answer & 1) != 0;
}

}  // namespace

bool IsResident(const void* from, uint64_t bytes) noexcept {
  static const auto page_bytes = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto first = reinterpret_cast<uintptr_t>(from);
  for (const uint64_t offset : {uint64_t{0}, bytes / 2, bytes - 1}) {
    if (!IsPageResident(first + static_cast<uintptr_t>(offset), page_bytes)) return false;
  }
  return true;
}

#else

bool IsResident(const void*, uint64_t) noexcept { return true; }

#endif

}  // namespace residue
