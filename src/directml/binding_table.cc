#include "directml/binding_table.h"

#include <cinttypes>

namespace residue {
namespace {

constexpr auto kInvalid = RefusalCode::kInvalidArgument;

// An array of bindings must have exactly so many, or none at all.
Refusal CheckCount(const char* name, UINT count, const DML_BINDING_DESC* bindings, size_t expected) noexcept {
  if (count == 0) return {};
  if (count != expected) {
    return Refuse(kInvalid, "%u %ss were bound, but there are %zu", count, name, expected);
  }
  if (bindings == nullptr) return Refuse(kInvalid, "the array of %u %s bindings is null", count, name);
  return {};
}

// Of an absent tensor a byte is read, to see whether it is bound.
BufferRule RuleOfInput(const BindingRequirement& requirement, uint32_t index) noexcept {
  const uint64_t bytes = requirement.absent ? 1 : requirement.bytes;
  return {"input", index, bytes, requirement.alignment, requirement.owned_by_dml, requirement.element_bytes};
}

size_t CountOfInputs(const DispatchTarget& target) noexcept {
  size_t count = 0;
  for (const auto& state : target.operators) count += state->compiled.inputs.size();
  return count;
}

}  // namespace

Refusal ReadTableDesc(const DML_BINDING_TABLE_DESC* given, DeviceState* state, TableTarget* target) noexcept {
  if (given == nullptr) return {};  // an empty table, to be Reset before use
  const DML_BINDING_TABLE_DESC copy = *given;
  const DML_BINDING_TABLE_DESC* desc = &copy;
  target->dispatchable = QueryFor<IDispatchableObject>(desc->Dispatchable, kIidDispatchableObject);
  if (!target->dispatchable || target->dispatchable->GetState().get() != state) {
    return Refuse(kInvalid,
                  "the Dispatchable is %s, but must be a compiled operator or initializer of this device",
                  desc->Dispatchable == nullptr ? "null" : "another object");
  }
  target->target = target->dispatchable->GetTarget();
  if (desc->CPUDescriptorHandle.ptr == 0 || desc->GPUDescriptorHandle.ptr == 0) {
    return Refuse(kInvalid, "the %s is null, but must be valid",
                  desc->CPUDescriptorHandle.ptr == 0 ? "CPUDescriptorHandle" : "GPUDescriptorHandle");
  }
  const UINT required = BindingPropertiesOf(*target->target).RequiredDescriptorCount;
  if (desc->SizeInDescriptors < required) {
    return Refuse(kInvalid, "SizeInDescriptors is %u, but must be at least %u", desc->SizeInDescriptors,
                  required);
  }
  target->descriptors = desc->GPUDescriptorHandle;
  state->CheckDescriptors(desc->CPUDescriptorHandle, desc->GPUDescriptorHandle, required);
  return {};
}

template <class Bind>
void BindingTable::Guarded(const Bind& bind) noexcept {
  if (state()->IsRemoved()) return;
  if (target_.target == nullptr) {
    state()->RemoveFor(Refuse(kInvalid, "the binding table has no dispatchable: call Reset first"));
    return;
  }
  // A warning may call the application, and that the table's Reset: these are kept until the end.
  const TableTarget kept = target_;
  const std::shared_ptr<Bindings> bindings = bindings_;
  const DispatchTarget& target = *kept.target;
  try {
    const bool was_complete = FindMissing(*bindings, target).what == Missing::kNothing;
    Refusal refusal = bind(target, bindings.get());
    // A call that completes the table shows at once whether its buffers go together. Later calls may pass
    // through states that do not, until the table is recorded.
    if (refusal.ok() && !was_complete && FindMissing(*bindings, target).what == Missing::kNothing) {
      refusal = CheckHazards(*bindings, target);
    }
    if (!refusal.ok()) state()->RemoveFor(refusal);
  } catch (const std::bad_alloc&) {
    state()->RemoveFor(Refuse(RefusalCode::kOutOfMemory, "a binding table needed more memory than there is"));
  }
}

void BindingTable::BindInputs(UINT count, const DML_BINDING_DESC* bindings) noexcept {
  Guarded([&](const DispatchTarget& target, Bindings* table) {
    std::vector<BoundBuffer> inputs(CountOfInputs(target));
    const Refusal refusal = target.is_initializer ? ReadInitializerInputs(target, count, bindings, &inputs)
                                                  : ReadInputs(target, count, bindings, &inputs);
    if (refusal.ok()) table->inputs = std::move(inputs);
    return refusal;
  });
}

void BindingTable::BindOutputs(UINT count, const DML_BINDING_DESC* bindings) noexcept {
  Guarded([&](const DispatchTarget& target, Bindings* table) {
    std::vector<BoundBuffer> outputs;
    const Refusal refusal = ReadOutputs(target, count, bindings, &outputs);
    if (refusal.ok()) table->outputs = std::move(outputs);
    return refusal;
  });
}

void BindingTable::BindTemporaryResource(const DML_BINDING_DESC* binding) noexcept {
  Guarded([&](const DispatchTarget& target, Bindings* table) {
    const uint64_t bytes = target.is_initializer ? 0 : target.operators.front()->compiled.temporary_bytes;
    return BindArea(target, binding, "temporary resource", bytes, &table->temporary);
  });
}

void BindingTable::BindPersistentResource(const DML_BINDING_DESC* binding) noexcept {
  Guarded([&](const DispatchTarget& target, Bindings* table) {
    const uint64_t bytes = target.is_initializer ? 0 : target.operators.front()->compiled.persistent_bytes;
    return BindArea(target, binding, "persistent resource", bytes, &table->persistent);
  });
}

// A resource that is not needed must not be bound for an initializer; for an operator it is ignored.
Refusal BindingTable::BindArea(const DispatchTarget& target, const DML_BINDING_DESC* given, const char* name,
                               uint64_t bytes, BoundBuffer* area) noexcept {
  if (bytes == 0) {
    GivenBinding binding;
    if (Refusal refusal = ReadBinding(given, name, 0, &binding); !refusal.ok()) return refusal;
    *area = {};
    if (binding.type == BindingType::kNone) return {};
    const auto* buffer = static_cast<const DML_BUFFER_BINDING*>(binding.desc);
    if (binding.type == BindingType::kBuffer && buffer->Buffer == nullptr) return {};
    if (target.is_initializer) {
      return Refuse(kInvalid, "a %s was bound to an operator initializer, which takes none", name);
    }
    state()->Warn("a %s was bound, but the operator needs none", name);
    return {};
  }
  BoundBuffer bound;
  const BufferRule rule = {name, 0, bytes, DML_TEMPORARY_BUFFER_ALIGNMENT, false};
  if (Refusal refusal = ReadOne(given, rule, &bound); !refusal.ok()) return refusal;
  if (!bound.bound())
    return Refuse(kInvalid, "no %s was bound, but %" PRIu64 " bytes are required", name, bytes);
  *area = std::move(bound);
  return {};
}

Refusal BindingTable::ReadInputs(const DispatchTarget& target, UINT count, const DML_BINDING_DESC* bindings,
                                 std::vector<BoundBuffer>* inputs) {
  const Compiled& compiled = target.operators.front()->compiled;
  if (Refusal refusal = CheckCount("input", count, bindings, inputs->size()); !refusal.ok()) return refusal;
  for (uint32_t i = 0; i < count; ++i) {
    BoundBuffer& input = (*inputs)[i];
    if (Refusal refusal = ReadOne(&bindings[i], RuleOfInput(compiled.inputs[i], i), &input); !refusal.ok()) {
      return refusal;
    }
    if (compiled.inputs[i].absent && input.bound()) {
      return Refuse(
          kInvalid,
          "input %u is bound, but the operator was made without it: it must be DML_BINDING_TYPE_NONE", i);
    }
    if (compiled.inputs[i].owned_by_dml && input.bound()) {
      return Refuse(kInvalid,
                    "input %u has DML_TENSOR_FLAG_OWNED_BY_DML and is bound at execution, but must be bound "
                    "to the initializer only",
                    i);
    }
  }
  return {};
}

// One array of buffers per target, of which the owned inputs' are set and no others.
Refusal BindingTable::ReadInitializerInputs(const DispatchTarget& target, UINT count,
                                            const DML_BINDING_DESC* bindings,
                                            std::vector<BoundBuffer>* inputs) {
  const auto& targets = target.operators;
  if (Refusal refusal = CheckCount("initializer input", count, bindings, targets.size()); !refusal.ok())
    return refusal;
  size_t first = 0;
  for (uint32_t t = 0; t < count; ++t) {
    const Compiled& compiled = targets[t]->compiled;
    GivenBinding binding;
    if (Refusal refusal = ReadBinding(&bindings[t], "initializer input", t, &binding); !refusal.ok())
      return refusal;
    if (binding.type == BindingType::kBuffer) {
      return Refuse(kInvalid,
                    "initializer input %u is DML_BINDING_TYPE_BUFFER, but must be "
                    "DML_BINDING_TYPE_BUFFER_ARRAY or DML_BINDING_TYPE_NONE",
                    t);
    }
    if (binding.type == BindingType::kBufferArray) {
      const auto array = *static_cast<const DML_BUFFER_ARRAY_BINDING*>(binding.desc);
      if (array.BindingCount != compiled.inputs.size()) {
        return Refuse(kInvalid, "initializer input %u has %u buffers, but its operator has %zu inputs", t,
                      array.BindingCount, compiled.inputs.size());
      }
      if (array.BindingCount != 0 && array.Bindings == nullptr) {
        return Refuse(kInvalid, "the Bindings of initializer input %u are null, but BindingCount is %u", t,
                      array.BindingCount);
      }
      for (uint32_t i = 0; i < array.BindingCount; ++i) {
        const DML_BUFFER_BINDING buffer = array.Bindings[i];
        if (buffer.Buffer != nullptr && !compiled.inputs[i].owned_by_dml) {
          return Refuse(kInvalid,
                        "buffer %u of initializer input %u is bound, but that tensor has no "
                        "DML_TENSOR_FLAG_OWNED_BY_DML",
                        i, t);
        }
        if (Refusal refusal = ReadAndWarn(buffer, RuleOfInput(compiled.inputs[i], i), &(*inputs)[first + i]);
            !refusal.ok()) {
          return refusal;
        }
      }
    }
    first += compiled.inputs.size();
  }
  return {};
}

Refusal BindingTable::ReadOutputs(const DispatchTarget& target, UINT count, const DML_BINDING_DESC* bindings,
                                  std::vector<BoundBuffer>* outputs) {
  const size_t expected =
      target.is_initializer ? target.operators.size() : target.operators.front()->compiled.outputs.size();
  if (Refusal refusal = CheckCount("output", count, bindings, expected); !refusal.ok()) return refusal;
  outputs->resize(expected);
  for (uint32_t i = 0; i < count; ++i) {
    BufferRule rule = {"output", i, 0, DML_PERSISTENT_BUFFER_ALIGNMENT, false};
    if (target.is_initializer) {
      rule.bytes = target.operators[i]->compiled.persistent_bytes;
    } else {
      const BindingRequirement& requirement = target.operators.front()->compiled.outputs[i];
      rule.bytes = requirement.bytes;
      rule.alignment = requirement.alignment;
      rule.element_bytes = requirement.element_bytes;
    }
    if (Refusal refusal = ReadOne(&bindings[i], rule, &(*outputs)[i]); !refusal.ok()) return refusal;
  }
  return {};
}

Refusal BindingTable::ReadOne(const DML_BINDING_DESC* given, const BufferRule& rule,
                              BoundBuffer* buffer) noexcept {
  GivenBinding binding;
  if (Refusal refusal = ReadBinding(given, rule.name, rule.index, &binding); !refusal.ok()) return refusal;
  if (binding.type == BindingType::kNone) return {};
  if (binding.type == BindingType::kBufferArray) {
    return Refuse(kInvalid, "%s %u is DML_BINDING_TYPE_BUFFER_ARRAY, but must be DML_BINDING_TYPE_BUFFER",
                  rule.name, rule.index);
  }
  return ReadAndWarn(*static_cast<const DML_BUFFER_BINDING*>(binding.desc), rule, buffer);
}

Refusal BindingTable::ReadAndWarn(DML_BUFFER_BINDING binding, const BufferRule& rule,
                                  BoundBuffer* buffer) noexcept {
  Refusal refusal = ReadBuffer(binding, rule, state().get(), buffer);
  if (refusal.ok() && buffer->bound() && binding.SizeInBytes % 4 != 0) {
    state()->Warn("the SizeInBytes of %s %u is %" PRIu64 ", which is not a multiple of 4", rule.name,
                  rule.index, binding.SizeInBytes);
  }
  // What takes no bytes is not there, and overlaps nothing.
  if (rule.bytes == 0) *buffer = {};
  return refusal;
}

HRESULT BindingTable::Reset(const DML_BINDING_TABLE_DESC* desc) noexcept {
  if (state()->IsRemoved()) return DXGI_ERROR_DEVICE_REMOVED;
  TableTarget target;
  if (const Refusal refusal = ReadTableDesc(desc, state().get(), &target); !refusal.ok()) {
    return state()->Report(refusal);
  }
  try {
    bindings_ = std::make_shared<Bindings>();
  } catch (const std::bad_alloc&) {
    return state()->Report(
        Refuse(RefusalCode::kOutOfMemory, "a binding table needed more memory than there is"));
  }
  target_ = std::move(target);
  return S_OK;
}

void* BindingTable::FindInterface(REFIID iid) noexcept {
  if (iid == kIidBindingTableObject) return this;
  return MatchInterface<IDMLBindingTable, IDMLDeviceChild, IDMLObject, IUnknown>(iid, this);
}

}  // namespace residue
