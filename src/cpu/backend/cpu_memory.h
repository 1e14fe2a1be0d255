// Zeroed pages with the alignment of Direct3D 12 buffers.
#pragma once

#include "backend/backend.h"
#include "com/com_object.h"

namespace residue {

class CpuMemory final : public ComObject<IDeviceMemory> {
 public:
  // Empty when the system has not that much.
  static Ref<CpuMemory> Allocate(uint64_t size) noexcept;

  // Takes pages that reach as far beyond the size as it takes to align it.
  CpuMemory(void* pages, size_t size) noexcept;
  ~CpuMemory() override;
  uint64_t DeviceAddress() noexcept override;
  void* HostAddress() noexcept override { return Data(); }

  // The bytes, for this backend alone.
  std::byte* Data() noexcept;

 private:
  void* FindInterface(REFIID iid) noexcept override;

  void* pages_;
  size_t size_;
  size_t before_;
};

}  // namespace residue
