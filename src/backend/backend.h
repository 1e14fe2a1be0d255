// What a Direct3D 12 device computes with. Memory is a handle, a compiled graph is a handle, and work is
// encoded into a stream; only a backend knows where the bytes are. src/cpu/backend is the one in the library.
// The tests bring another (tests/support/reference_backend.cc), by IHostDevice::SetBackend.
//
// Objects have reference counts. What returns one returns it with a reference for the caller, or null if
// there is no memory for it.
#pragma once

#include <wsl/winadapter.h>

#include <cstddef>
#include <cstdint>

#include "residue/residue.h"

namespace residue {

// Zeroed bytes, as long as somebody refers to them.
struct IDeviceMemory : IUnknown {
  // Distinct for all bytes of all memory of a backend, and aligned as Direct3D 12's buffers are. Only a
  // number.
  virtual uint64_t DeviceAddress() noexcept = 0;
  // Where the host sees it; null if it was not asked to be visible.
  virtual void* HostAddress() noexcept = 0;
};

// A place in memory; nothing where the memory is null.
struct DevicePlace {
  IDeviceMemory* memory = nullptr;
  uint64_t offset = 0;
};

// A graph that can run.
struct IDeviceProgram : IUnknown {
  virtual uint64_t TemporaryBytes() noexcept = 0;
};

// Work in order. A call may return before the work is done: the stream keeps what it needs, and does it even
// if the device is removed meanwhile. One thread at a time.
struct IDeviceStream : IUnknown {
  // As if all had been read before anything is written.
  virtual void Copy(DevicePlace to, DevicePlace from, uint64_t bytes) noexcept = 0;
  // Repeats the pattern, of 1 to 16 bytes; the end may be a part of it.
  virtual void Fill(DevicePlace to, uint64_t bytes, const void* pattern, uint32_t pattern_bytes) noexcept = 0;
  // What can fail fails here: RESIDUE_OUTPUTS_OVERLAP, RESIDUE_OUT_OF_MEMORY. Places are by number, as many
  // as the program's inputs and outputs. The result is as if all inputs had been copied first, and as if
  // bytes of temporaries that no node writes were 0.
  virtual residue_status Run(IDeviceProgram* program, const DevicePlace* inputs, const DevicePlace* outputs,
                             DevicePlace temporary) noexcept = 0;
  // Returns when everything before it is done.
  virtual void Finish() noexcept = 0;
};

// A graph as residue_graph_add_tensor and residue_graph_add_node would take it. It lives as long as the call.
struct TensorDescription {
  residue_tensor_kind kind;
  uint64_t bytes;
  const void* data;
};
struct NodeDescription {
  residue_problem problem;
  const uint32_t* tensors;  // one for each operand
};
struct GraphDescription {
  const TensorDescription* tensors;
  size_t tensor_count;
  const NodeDescription* nodes;
  size_t node_count;
};

struct IBackend : IUnknown {
  virtual IDeviceMemory* Allocate(uint64_t bytes, bool host_visible) noexcept = 0;
  virtual IDeviceStream* CreateStream() noexcept = 0;
  // Anything but RESIDUE_OK says why in text, which is cut to size bytes, and leaves the program alone.
  virtual residue_status Compile(const GraphDescription& graph, IDeviceProgram** program, char* text,
                                 size_t size) noexcept = 0;
};

}  // namespace residue
