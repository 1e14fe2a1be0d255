// A stream that is never behind: each call has done its work when it returns.
#pragma once

#include "backend/backend.h"
#include "com/com_object.h"

namespace residue {

class CpuStream final : public ComObject<IDeviceStream> {
 public:
  void Copy(DevicePlace to, DevicePlace from, uint64_t bytes) noexcept override;
  void Fill(DevicePlace to, uint64_t bytes, const void* pattern, uint32_t pattern_bytes) noexcept override;
  residue_status Run(IDeviceProgram* program, const DevicePlace* inputs, const DevicePlace* outputs,
                     DevicePlace temporary) noexcept override;
  void Finish() noexcept override {}

 private:
  void* FindInterface(REFIID iid) noexcept override { return MatchInterface<IUnknown>(iid, this); }
};

}  // namespace residue
