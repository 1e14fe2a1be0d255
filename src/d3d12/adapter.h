// What is known of the one adapter, the CPU, whether DXGI or DXCore asks.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstdio>

#include <residue_d3d12.h>

namespace residue {

// Both kinds of adapter object answer to it, and nobody else's do.
inline constexpr GUID kIidAdapter = {
    0x4e8a1c52, 0x77b3, 0x4f0d, {0x9a, 0x61, 0x2d, 0x35, 0xc8, 0x10, 0xe4, 0x15}};

inline constexpr LUID kHostAdapterLuid = {0x52455349, 0x44};  // "RESI", "D"
inline constexpr char kHostAdapterName[] = "Residue CPU";

inline bool IsHostAdapter(const LUID& luid) noexcept {
  return luid.LowPart == kHostAdapterLuid.LowPart && luid.HighPart == kHostAdapterLuid.HighPart;
}

inline uint64_t PhysicalMemoryBytes() noexcept {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_bytes = sysconf(_SC_PAGESIZE);
  return pages > 0 && page_bytes > 0 ? static_cast<uint64_t>(pages) * static_cast<uint64_t>(page_bytes) : 0;
}

// What this process has in memory; 0 if the system does not tell.
inline uint64_t UsedMemoryBytes() noexcept {
  std::FILE* file = std::fopen("/proc/self/statm", "re");
  if (file == nullptr) return 0;
  unsigned long total = 0;
  unsigned long resident = 0;
  const bool read = std::fscanf(file, "%lu %lu", &total, &resident) == 2;
  std::fclose(file);
  return read ? uint64_t{resident} * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
}

}  // namespace residue
