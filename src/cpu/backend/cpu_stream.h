// A stream that is never behind: each call has done its work when it returns. It keeps nothing, so one serves
// all queues, and nobody counts its references.
#pragma once

#include "backend/backend.h"
#include "com/com_object.h"

namespace residue {

class CpuStream final : public IDeviceStream {
 public:
  static CpuStream* Get() noexcept;

  HRESULT STDMETHODCALLTYPE QueryInterface(REFIID iid, void** object) noexcept override;
  ULONG STDMETHODCALLTYPE AddRef() noexcept override { return 1; }
  ULONG STDMETHODCALLTYPE Release() noexcept override { return 1; }

  void Copy(DevicePlace to, DevicePlace from, uint64_t bytes) noexcept override;
  void Fill(DevicePlace to, uint64_t bytes, const void* pattern, uint32_t pattern_bytes) noexcept override;
  residue_status Run(IDeviceProgram* program, const DevicePlace* inputs, const DevicePlace* outputs,
                     DevicePlace temporary) noexcept override;
  void Finish() noexcept override {}
};

}  // namespace residue
