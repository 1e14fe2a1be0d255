#include "directml/dispatch.h"

#include <array>
#include <cstring>

namespace residue {
namespace {

// The addresses of bound buffers, without an allocation for the few that operators have. May throw bad_alloc.
class AddressList {
 public:
  explicit AddressList(const std::vector<BoundBuffer>& buffers) {
    if (buffers.size() > few_.size()) many_.resize(buffers.size());
    addresses_ = buffers.size() > few_.size() ? many_.data() : few_.data();
    for (size_t i = 0; i < buffers.size(); ++i)
      addresses_[i] = buffers[i].bound() ? buffers[i].address() : nullptr;
  }
  void Set(size_t index, void* address) noexcept { addresses_[index] = address; }
  void* const* get() const noexcept { return addresses_; }

 private:
  std::array<void*, 8> few_;
  std::vector<void*> many_;
  void** addresses_;
};

std::byte* AddressOf(const BoundBuffer& buffer) noexcept {
  return buffer.bound() ? buffer.address() : nullptr;
}

}  // namespace

void DispatchWork::Run() noexcept {
  if (state_->IsRemoved()) return;
  if (target_->is_initializer) {
    Initialize();
  } else {
    Execute();
  }
}

void DispatchWork::Initialize() noexcept {
  size_t input = 0;
  for (size_t t = 0; t < target_->operators.size(); ++t) {
    CompiledState& compiled = *target_->operators[t];
    for (const BindingRequirement& requirement : compiled.compiled.inputs) {
      if (requirement.owned_by_dml) {
        std::memmove(bindings_.outputs[t].address() + requirement.persistent_offset,
                     bindings_.inputs[input].address(), requirement.bytes);
      }
      ++input;
    }
    if (compiled.initialized.exchange(true)) {
      state_->Write(Severity::kWarning,
                    "a compiled operator was initialized again; the last initialization counts");
    }
  }
}

void DispatchWork::Execute() noexcept {
  const CompiledState& state = *target_->operators.front();
  const Compiled& compiled = state.compiled;
  const bool must_be_initialized = compiled.persistent_bytes != 0 || state_->requires_initialization();
  if (must_be_initialized && !state.initialized.load()) {
    state_->RemoveFor(Refuse(RefusalCode::kInvalidArgument,
                             "a compiled operator was executed before its IDMLOperatorInitializer was"));
    return;
  }
  try {
    AddressList inputs(bindings_.inputs);
    for (size_t i = 0; i < compiled.inputs.size(); ++i) {
      const BindingRequirement& input = compiled.inputs[i];
      if (input.owned_by_dml) inputs.Set(i, AddressOf(bindings_.persistent) + input.persistent_offset);
    }
    const AddressList outputs(bindings_.outputs);
    const residue_status status = residue_graph_run(compiled.graph.get(), inputs.get(), outputs.get(),
                                                    AddressOf(bindings_.temporary), nullptr);
    if (status == RESIDUE_OK) return;
    // Resources placed over each other: what they hold afterwards is not defined, so nothing is computed.
    if (status == RESIDUE_OUTPUTS_OVERLAP) {
      return state_->Write(Severity::kError,
                           "a dispatch has outputs or temporary memory in resources placed over each other");
    }
  } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): told below
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
