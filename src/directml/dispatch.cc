#include "directml/dispatch.h"

namespace residue {

DispatchWork::DispatchWork(std::shared_ptr<DeviceState> state, std::shared_ptr<const DispatchTarget> target,
                           Bindings bindings)
    : state_(std::move(state)), target_(std::move(target)), bindings_(std::move(bindings)) {
  for (const BoundBuffer& input : bindings_.inputs) bytes_ += input.size;
  for (const BoundBuffer& output : bindings_.outputs) bytes_ += output.size;
  if (target_->is_initializer) return;
  const std::vector<BindingRequirement>& inputs = target_->operators.front()->compiled.inputs;
  // Where no input is wanted, nobody need have called BindInputs.
  const auto bound = [&](size_t i) {
    return i < bindings_.inputs.size() ? bindings_.inputs[i].place() : DevicePlace{};
  };
  for (size_t i = 0; i < inputs.size(); ++i) {
    inputs_.push_back(inputs[i].owned_by_dml ? bindings_.persistent.place(inputs[i].persistent_offset)
                                             : bound(i));
  }
  for (const BoundBuffer& output : bindings_.outputs) outputs_.push_back(output.place());
}

void DispatchWork::Encode(IDeviceStream& stream) noexcept {
  if (state_->IsRemoved()) return;
  if (target_->is_initializer) {
    Initialize(stream);
  } else {
    Execute(stream);
  }
}

void DispatchWork::Initialize(IDeviceStream& stream) noexcept {
  size_t input = 0;
  for (size_t t = 0; t < target_->operators.size(); ++t) {
    CompiledState& compiled = *target_->operators[t];
    for (const BindingRequirement& requirement : compiled.compiled.inputs) {
      if (requirement.owned_by_dml) {
        stream.Copy(bindings_.outputs[t].place(requirement.persistent_offset),
                    bindings_.inputs[input].place(), requirement.bytes);
      }
      ++input;
    }
    if (compiled.initialized.exchange(true)) {
      state_->Write(Severity::kWarning,
                    "a compiled operator was initialized again; the last initialization counts");
    }
  }
}

void DispatchWork::Execute(IDeviceStream& stream) noexcept {
  const CompiledState& state = *target_->operators.front();
  const Compiled& compiled = state.compiled;
  const bool must_be_initialized = compiled.persistent_bytes != 0 || state_->requires_initialization();
  if (must_be_initialized && !state.initialized.load()) {
    state_->RemoveFor(Refuse(RefusalCode::kInvalidArgument,
                             "a compiled operator was executed before its IDMLOperatorInitializer was"));
    return;
  }
  const residue_status status =
      stream.Run(compiled.program.get(), inputs_.data(), outputs_.data(), bindings_.temporary.place());
  if (status == RESIDUE_OK) return;
  // Resources placed over each other: what they hold afterwards is not defined, so nothing is computed.
  if (status == RESIDUE_OUTPUTS_OVERLAP) {
    return state_->Write(Severity::kError,
                         "a dispatch has outputs or temporary memory in resources placed over each other");
  }
  state_->RemoveFor(Refuse(RefusalCode::kOutOfMemory, "a dispatch needed more memory than there is"));
}

void* DispatchWork::FindInterface(REFIID iid) noexcept { return MatchInterface<IUnknown>(iid, this); }

Refusal MakeWork(const std::shared_ptr<DeviceState>& state,
                 const std::shared_ptr<const DispatchTarget>& target, const Bindings& bindings,
                 Ref<DispatchWork>* work) {
  if (Refusal refusal = CheckComplete(bindings, *target); !refusal.ok()) return refusal;
  if (Refusal refusal = CheckHazards(bindings, *target); !refusal.ok()) return refusal;
  const int input = FindOtherMapping(bindings, *target);
  *work = Make<DispatchWork>(state, target, bindings);
  // The last thing: who is told may change the bindings.
  if (input >= 0) {
    state->Warn("input %d is bound where the output is, but has other strides: it is copied first", input);
  }
  return {};
}

IHostWork* DispatchCommand::Submit() noexcept {
  if (work_) return Ref<DispatchWork>(work_).Detach();
  if (state_->IsRemoved()) return nullptr;
  try {
    Ref<DispatchWork> work;
    const Refusal refusal = MakeWork(state_, target_, *bindings_, &work);
    if (!refusal.ok()) state_->RemoveFor(refusal);
    return work.Detach();
  } catch (const std::bad_alloc&) {
    state_->RemoveFor(Refuse(RefusalCode::kOutOfMemory, "submitting needed more memory than there is"));
    return nullptr;
  }
}

void* DispatchCommand::FindInterface(REFIID iid) noexcept { return MatchInterface<IUnknown>(iid, this); }

}  // namespace residue
