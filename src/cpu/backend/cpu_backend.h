// The backend of the processor itself: memory is pages, a program is a residue_graph, and a stream does at
// once what it is asked.
#pragma once

#include "backend/backend.h"
#include "com/com_object.h"

namespace residue {

class CpuBackend final : public ComObject<IBackend> {
 public:
  IDeviceMemory* Allocate(uint64_t bytes, bool host_visible) noexcept override;
  IDeviceStream* CreateStream() noexcept override;
  residue_status Compile(const GraphDescription& graph, IDeviceProgram** program, char* text,
                         size_t size) noexcept override;

 private:
  void* FindInterface(REFIID iid) noexcept override { return MatchInterface<IUnknown>(iid, this); }
};

}  // namespace residue
