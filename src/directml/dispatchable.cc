#include "directml/dispatchable.h"

namespace residue {

// One descriptor per buffer, and the persistent resource's; the CPU needs none, but clients size heaps by it.
DML_BINDING_PROPERTIES BindingPropertiesOf(const DispatchTarget& target) noexcept {
  DML_BINDING_PROPERTIES properties{};
  size_t descriptors = 0;
  for (const auto& state : target.operators) {
    const Compiled& compiled = state->compiled;
    if (target.is_initializer) {
      if (compiled.persistent_bytes != 0) descriptors += compiled.inputs.size() + 1;
      continue;
    }
    descriptors += compiled.inputs.size() + compiled.outputs.size();
    if (compiled.temporary_bytes != 0) ++descriptors;
    if (compiled.persistent_bytes != 0) ++descriptors;
    properties.TemporaryResourceSize = compiled.temporary_bytes;
    properties.PersistentResourceSize = compiled.persistent_bytes;
  }
  properties.RequiredDescriptorCount = static_cast<UINT>(descriptors);
  return properties;
}

}  // namespace residue
