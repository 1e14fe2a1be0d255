// What binding tables and the recorder need to know of the two things that can be dispatched.
#pragma once

#include <DirectML.h>

#include <atomic>
#include <memory>
#include <vector>

#include "com/com_object.h"
#include "directml/device_state.h"
#include "directml/graph.h"

namespace residue {

// A compiled operator apart from its COM object; recorded work shares it.
struct CompiledState {
  Compiled compiled;
  bool descriptors_volatile = false;
  std::atomic<bool> initialized{false};  // set when an initializer's dispatch has executed
};

// What a table is made for: one compiled operator to execute, or several to initialize.
struct DispatchTarget {
  bool is_initializer = false;
  std::vector<std::shared_ptr<CompiledState>> operators;  // exactly one unless it is an initializer
};

struct IDispatchableObject : IUnknown {
  virtual const std::shared_ptr<DeviceState>& GetState() noexcept = 0;
  // Shared and immutable; an initializer's Reset makes a new one.
  virtual std::shared_ptr<const DispatchTarget> GetTarget() noexcept = 0;
};

inline constexpr GUID kIidDispatchableObject = {
    0x9d1f60c4, 0x3a0e, 0x4c86, {0xb5, 0x17, 0x60, 0x0d, 0x93, 0x7a, 0x2c, 0x02}};

DML_BINDING_PROPERTIES BindingPropertiesOf(const DispatchTarget& target) noexcept;

}  // namespace residue
