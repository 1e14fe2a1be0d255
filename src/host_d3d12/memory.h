// Zeroed pages with the alignment of Direct3D 12 buffers.
#pragma once

#include "com/com_object.h"
#include "host_d3d12/host_interfaces.h"

namespace residue {

inline constexpr uint64_t kMostBufferBytes = uint64_t{1} << 46;

class HostMemory final : public ComObject<IHostMemory> {
 public:
  // Empty when the system has not that much.
  static Ref<HostMemory> Allocate(uint64_t size) noexcept;

  HostMemory(void* pages, size_t page_bytes) noexcept;
  ~HostMemory() override;
  std::byte* Data() noexcept override { return data_; }

 private:
  void* FindInterface(REFIID iid) noexcept override;

  void* pages_;
  size_t page_bytes_;
  std::byte* data_;
};

}  // namespace residue
