// Zeroed pages with the alignment of Direct3D 12 buffers.
#pragma once

#include "com/com_object.h"
#include "d3d12/host_interfaces.h"

namespace residue {

inline constexpr uint32_t kBufferAddressBits = 46;
inline constexpr uint64_t kMostBufferBytes = uint64_t{1} << kBufferAddressBits;

class HostMemory final : public ComObject<IHostMemory> {
 public:
  // Empty when the system has not that much.
  static Ref<HostMemory> Allocate(uint64_t size) noexcept;

  // Takes pages that reach as far beyond the size as it takes to align it.
  HostMemory(void* pages, size_t size) noexcept;
  ~HostMemory() override;
  std::byte* Data() noexcept override;

 private:
  void* FindInterface(REFIID iid) noexcept override;

  void* pages_;
  size_t size_;
  size_t before_;
};

}  // namespace residue
