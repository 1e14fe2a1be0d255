// IDMLOperatorInitializer: copies owned inputs into persistent memory and marks its targets initialized.
#pragma once

#include <vector>

#include "directml/compiled_operator.h"
#include "directml/dispatchable.h"
#include "directml/dml_object.h"

namespace residue {

// Targets, held for as long as the initializer refers to them.
struct InitializerTargets {
  std::vector<Ref<CompiledOperator>> operators;
  std::shared_ptr<const DispatchTarget> target;
};

// Checks the array and collects what it names. May throw bad_alloc.
Refusal ReadTargets(UINT count, IDMLCompiledOperator* const* operators, const DeviceState* state,
                    InitializerTargets* targets);

class OperatorInitializer final : public DmlChild<IDMLOperatorInitializer, IDispatchableObject> {
 public:
  OperatorInitializer(IDMLDevice* device, std::shared_ptr<DeviceState> state,
                      InitializerTargets targets) noexcept
      : DmlChild(device, std::move(state)), targets_(std::move(targets)) {}

  DML_BINDING_PROPERTIES STDMETHODCALLTYPE GetBindingProperties() noexcept override;
  HRESULT STDMETHODCALLTYPE Reset(UINT count, IDMLCompiledOperator* const* operators) noexcept override;

  const std::shared_ptr<DeviceState>& GetState() noexcept override { return state(); }
  std::shared_ptr<const DispatchTarget> GetTarget() noexcept override { return targets_.target; }

 private:
  void* FindInterface(REFIID iid) noexcept override;

  InitializerTargets targets_;
};

}  // namespace residue
