// IDMLCompiledOperator: a program and what must be bound to run it.
#pragma once

#include "directml/dispatchable.h"
#include "directml/dml_object.h"
#include "directml/operator.h"

namespace residue {

inline constexpr GUID kIidCompiledOperatorObject = {
    0x9d1f60c4, 0x3a0e, 0x4c86, {0xb5, 0x17, 0x60, 0x0d, 0x93, 0x7a, 0x2c, 0x03}};

class CompiledOperator final : public DmlChild<IDMLCompiledOperator, IDispatchableObject> {
 public:
  // `source` is kept alive for operators, and is empty for graphs. May throw bad_alloc.
  CompiledOperator(IDMLDevice* device, std::shared_ptr<DeviceState> state, Compiled compiled, uint32_t flags,
                   Ref<Operator> source);

  DML_BINDING_PROPERTIES STDMETHODCALLTYPE GetBindingProperties() noexcept override;

  const std::shared_ptr<CompiledState>& compiled() const noexcept { return compiled_; }
  const std::shared_ptr<DeviceState>& GetState() noexcept override { return state(); }
  std::shared_ptr<const DispatchTarget> GetTarget() noexcept override { return target_; }

 private:
  void* FindInterface(REFIID iid) noexcept override;

  const Ref<Operator> source_;
  std::shared_ptr<CompiledState> compiled_;
  std::shared_ptr<const DispatchTarget> target_;
};

}  // namespace residue
