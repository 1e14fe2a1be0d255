#include "directml/compiled_operator.h"

namespace residue {

CompiledOperator::CompiledOperator(IDMLDevice* device, std::shared_ptr<DeviceState> state, Compiled compiled,
                                   uint32_t flags, Ref<Operator> source)
    : DmlChild(device, std::move(state)),
      source_(std::move(source)),
      compiled_(std::make_shared<CompiledState>()) {
  compiled_->compiled = std::move(compiled);
  compiled_->descriptors_volatile = (flags & uint32_t{DML_EXECUTION_FLAG_DESCRIPTORS_VOLATILE}) != 0;
  auto target = std::make_shared<DispatchTarget>();
  target->operators.push_back(compiled_);
  target_ = std::move(target);
}

DML_BINDING_PROPERTIES CompiledOperator::GetBindingProperties() noexcept {
  if (state()->IsRemoved()) return {};
  return BindingPropertiesOf(*target_);
}

void* CompiledOperator::FindInterface(REFIID iid) noexcept {
  if (iid == kIidCompiledOperatorObject) return this;
  if (iid == kIidDispatchableObject) return static_cast<IDispatchableObject*>(this);
  return MatchInterface<IDMLCompiledOperator, IDMLDispatchable, IDMLPageable, IDMLDeviceChild, IDMLObject,
                        IUnknown>(iid, static_cast<IDMLCompiledOperator*>(this));
}

}  // namespace residue
