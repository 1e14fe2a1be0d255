#include "cpu/backend/cpu_backend.h"

#include "cpu/backend/cpu_memory.h"
#include "cpu/backend/cpu_program.h"
#include "cpu/backend/cpu_stream.h"

namespace residue {

// The host sees all of it: there is only one kind.
IDeviceMemory* CpuBackend::Allocate(uint64_t bytes, bool) noexcept {
  return CpuMemory::Allocate(bytes).Detach();
}

IDeviceStream* CpuBackend::CreateStream() noexcept { return CpuStream::Get(); }

residue_status CpuBackend::Compile(const GraphDescription& graph, IDeviceProgram** program, char* text,
                                   size_t size) noexcept {
  Ref<CpuProgram> made;
  const residue_status status = CpuProgram::Compile(graph, &made, text, size);
  if (status == RESIDUE_OK) *program = made.Detach();
  return status;
}

}  // namespace residue
