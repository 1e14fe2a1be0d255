// The buffers bound in a table: read from DML_BINDING_DESCs, checked against what they are for and against
// each other.
#pragma once

#include <DirectML.h>

#include <atomic>
#include <cstdint>
#include <vector>

#include "com/com_object.h"
#include "d3d12/host_interfaces.h"
#include "directml/dispatchable.h"
#include "directml/refusal.h"

namespace residue {

// A range of a resource's bytes. Holds the memory, not the resource.
struct BoundBuffer {
  Ref<IDeviceMemory> memory;       // empty: nothing bound
  const void* resource = nullptr;  // only to tell resources apart
  uint64_t resource_offset = 0;    // of the resource in its memory
  uint64_t offset = 0;             // of the range in the resource
  uint64_t size = 0;               // of the part that is used: the tensor's or the area's bytes
  Ref<IUnknown> record;            // of the Direct3D 12 debug layer; empty without it

  bool bound() const noexcept { return static_cast<bool>(memory); }
  // `beyond` bytes from the beginning of the range; nowhere if nothing is bound.
  DevicePlace place(uint64_t beyond = 0) const noexcept {
    return {memory.get(), resource_offset + offset + beyond};
  }
};

// What a buffer must satisfy.
struct BufferRule {
  const char* name;  // in messages: "input", "output", ...
  uint32_t index;
  uint64_t bytes;
  uint64_t alignment;
  bool may_be_upload;
  uint64_t element_bytes = UINT64_MAX;  // of a tensor's elements alone, if that is less
};

enum class BindingType : uint8_t { kNone, kBuffer, kBufferArray };

// What a DML_BINDING_DESC said when it was read; nobody changes it meanwhile.
struct GivenBinding {
  BindingType type = BindingType::kNone;
  const void* desc = nullptr;
};

// Null and DML_BINDING_TYPE_NONE are kNone. Unknown types and missing Descs are refused.
Refusal ReadBinding(const DML_BINDING_DESC* given, const char* name, uint32_t index,
                    GivenBinding* binding) noexcept;

// A null Buffer means nothing bound. The binding is a copy, which nobody changes meanwhile.
Refusal ReadBuffer(DML_BUFFER_BINDING binding, const BufferRule& rule, DeviceState* state,
                   BoundBuffer* buffer) noexcept;

// Everything bound in one table. For an initializer the inputs are those of all targets, one after the other,
// and the outputs are their persistent resources.
struct Bindings {
  const uint64_t number = ++last_number;  // nobody else's
  std::vector<BoundBuffer> inputs;
  std::vector<BoundBuffer> outputs;
  BoundBuffer temporary;
  BoundBuffer persistent;

 private:
  static inline std::atomic<uint64_t> last_number{0};
};

// The first buffer that the target needs and the bindings lack.
struct Missing {
  enum What : uint8_t { kNothing, kInput, kOutput, kTemporary, kPersistent };
  What what = kNothing;
  size_t index = 0;
};
Missing FindMissing(const Bindings& bindings, const DispatchTarget& target) noexcept;
Refusal CheckComplete(const Bindings& bindings, const DispatchTarget& target) noexcept;

// An input that lies exactly where the output does, but whose elements are laid out otherwise: the index, or
// -1. The result is right, at the price of a copy; on a GPU it would not be defined.
int FindOtherMapping(const Bindings& bindings, const DispatchTarget& target) noexcept;

// Do the buffers overlap in a way that has no defined result?
Refusal CheckHazards(const Bindings& bindings, const DispatchTarget& target) noexcept;

}  // namespace residue
