#include "directml/operator_initializer.h"

#include <algorithm>

namespace residue {

Refusal ReadTargets(UINT count, IDMLCompiledOperator* const* operators, const DeviceState* state,
                    InitializerTargets* targets) {
  constexpr auto kInvalid = RefusalCode::kInvalidArgument;
  if (count != 0 && operators == nullptr) {
    return Refuse(kInvalid, "the array of operators is null, but operatorCount is %u", count);
  }
  auto target = std::make_shared<DispatchTarget>();
  target->is_initializer = true;
  for (UINT i = 0; i < count; ++i) {
    auto ours = QueryFor<CompiledOperator>(operators[i], kIidCompiledOperatorObject);
    if (!ours || ours->state().get() != state) {
      return Refuse(kInvalid, "operators[%u] is %s, but must be a compiled operator of this device", i,
                    operators[i] == nullptr ? "null" : "another object");
    }
    const auto& known = target->operators;
    if (std::find(known.begin(), known.end(), ours->compiled()) != known.end()) {
      return Refuse(kInvalid, "operators[%u] occurs twice, but must occur once", i);
    }
    target->operators.push_back(ours->compiled());
    targets->operators.push_back(std::move(ours));
  }
  targets->target = std::move(target);
  return {};
}

DML_BINDING_PROPERTIES OperatorInitializer::GetBindingProperties() noexcept {
  if (state()->IsRemoved()) return {};
  return BindingPropertiesOf(*targets_.target);
}

HRESULT OperatorInitializer::Reset(UINT count, IDMLCompiledOperator* const* operators) noexcept {
  if (state()->IsRemoved()) return DXGI_ERROR_DEVICE_REMOVED;
  try {
    InitializerTargets targets;
    if (const Refusal refusal = ReadTargets(count, operators, state().get(), &targets); !refusal.ok()) {
      return state()->Report(refusal);
    }
    targets_ = std::move(targets);
    return S_OK;
  } catch (const std::bad_alloc&) {
    return state()->Report(
        Refuse(RefusalCode::kOutOfMemory, "an initializer needed more memory than there is"));
  }
}

void* OperatorInitializer::FindInterface(REFIID iid) noexcept {
  if (iid == kIidDispatchableObject) return static_cast<IDispatchableObject*>(this);
  return MatchInterface<IDMLOperatorInitializer, IDMLDispatchable, IDMLPageable, IDMLDeviceChild, IDMLObject,
                        IUnknown>(iid, static_cast<IDMLOperatorInitializer*>(this));
}

}  // namespace residue
