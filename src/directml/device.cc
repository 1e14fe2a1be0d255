#include "directml/device.h"

#include "directml/binding_table.h"
#include "directml/command_recorder.h"
#include "directml/compiled_operator.h"
#include "directml/graph.h"
#include "directml/graph_nodes.h"
#include "directml/operator.h"
#include "directml/operator_desc.h"
#include "directml/operator_initializer.h"

namespace residue {
namespace {

constexpr auto kInvalid = RefusalCode::kInvalidArgument;

Refusal CheckExecutionFlags(uint32_t given) noexcept {
  constexpr auto kKnown =
      uint32_t{DML_EXECUTION_FLAG_ALLOW_HALF_PRECISION_COMPUTATION |
               DML_EXECUTION_FLAG_DISABLE_META_COMMANDS | DML_EXECUTION_FLAG_DESCRIPTORS_VOLATILE};
  if ((given & ~kKnown) == 0) return {};
  return Refuse(kInvalid, "the execution flags are 0x%x, but only 0x%x exist", given, kKnown);
}

}  // namespace

DmlDevice::DmlDevice(std::shared_ptr<DeviceState> state, ID3D12Device* parent) noexcept
    : DmlObject(std::move(state)), parent_(Ref<ID3D12Device>::Share(parent)) {
  this->state()->SetParent(parent);
}

DmlDevice::~DmlDevice() { state()->SetParent(nullptr); }

template <class Make>
HRESULT DmlDevice::Guarded(const Make& make) noexcept {
  if (state()->IsRemoved()) return DXGI_ERROR_DEVICE_REMOVED;
  try {
    return make();
  } catch (const std::bad_alloc&) {
    return state()->Report(Refuse(RefusalCode::kOutOfMemory, "more memory was needed than there is"));
  }
}

HRESULT DmlDevice::CreateOperator(const DML_OPERATOR_DESC* desc, REFIID iid, void** result) noexcept {
  if (result != nullptr) *result = nullptr;
  return Guarded([&]() -> HRESULT {
    OperatorRequest request;
    const Refusal refusal = ReadOperatorDesc(desc, state()->level(), &request);
    if (!refusal.ok()) return state()->Report(refusal);
    return MoveToOptional(Make<Operator>(this, state(), request), iid, result);
  });
}

HRESULT DmlDevice::CompileOperator(IDMLOperator* op, DML_EXECUTION_FLAGS flags, REFIID iid,
                                   void** result) noexcept {
  if (result != nullptr) *result = nullptr;
  const auto given_flags = static_cast<uint32_t>(NumberOf(flags));
  return Guarded([&]() -> HRESULT {
    auto ours = QueryFor<Operator>(op, kIidOperatorObject);
    if (!ours || ours->state() != state()) {
      return state()->Report(Refuse(kInvalid, "the operator is %s, but must be one of this device",
                                    op == nullptr ? "null" : "another object"));
    }
    if (const Refusal refusal = CheckExecutionFlags(given_flags); !refusal.ok())
      return state()->Report(refusal);
    Compiled compiled;
    if (const Refusal refusal = CompileSingle(ours->request(), state()->backend(), &compiled); !refusal.ok())
      return state()->Report(refusal);
    return MoveToOptional(
        Make<CompiledOperator>(this, state(), std::move(compiled), given_flags, std::move(ours)), iid,
        result);
  });
}

HRESULT DmlDevice::CompileGraph(const DML_GRAPH_DESC* desc, DML_EXECUTION_FLAGS flags, REFIID iid,
                                void** result) noexcept {
  if (result != nullptr) *result = nullptr;
  const auto given_flags = static_cast<uint32_t>(NumberOf(flags));
  return Guarded([&]() -> HRESULT {
    if (desc == nullptr)
      return state()->Report(Refuse(kInvalid, "the DML_GRAPH_DESC is null, but must be set"));
    if (const Refusal refusal = CheckExecutionFlags(given_flags); !refusal.ok())
      return state()->Report(refusal);
    const DML_GRAPH_DESC graph = *desc;  // what is checked must be what is used
    GraphNodes nodes;
    if (const Refusal refusal = nodes.Read(graph, *state()); !refusal.ok()) return state()->Report(refusal);
    Compiled compiled;
    const Refusal refusal = residue::CompileGraph(graph, nodes.get(), state()->backend(), &compiled);
    if (!refusal.ok()) return state()->Report(refusal);
    return MoveToOptional(
        Make<CompiledOperator>(this, state(), std::move(compiled), given_flags, Ref<Operator>()), iid,
        result);
  });
}

HRESULT DmlDevice::CreateOperatorInitializer(UINT count, IDMLCompiledOperator* const* operators, REFIID iid,
                                             void** result) noexcept {
  if (const HRESULT hr = ClearResult(result); FAILED(hr)) return hr;
  return Guarded([&]() -> HRESULT {
    InitializerTargets targets;
    const Refusal refusal = ReadTargets(count, operators, state().get(), &targets);
    if (!refusal.ok()) return state()->Report(refusal);
    return MoveToCaller(Make<OperatorInitializer>(this, state(), std::move(targets)), iid, result);
  });
}

HRESULT DmlDevice::CreateCommandRecorder(REFIID iid, void** result) noexcept {
  if (const HRESULT hr = ClearResult(result); FAILED(hr)) return hr;
  return Guarded([&] { return MoveToCaller(Make<CommandRecorder>(this, state()), iid, result); });
}

HRESULT DmlDevice::CreateBindingTable(const DML_BINDING_TABLE_DESC* desc, REFIID iid,
                                      void** result) noexcept {
  if (const HRESULT hr = ClearResult(result); FAILED(hr)) return hr;
  return Guarded([&]() -> HRESULT {
    TableTarget target;
    const Refusal refusal = ReadTableDesc(desc, state().get(), &target);
    if (!refusal.ok()) return state()->Report(refusal);
    return MoveToCaller(Make<BindingTable>(this, state(), std::move(target)), iid, result);
  });
}

// Everything is always resident; the array must still be right.
HRESULT DmlDevice::CheckPageables(UINT count, IDMLPageable* const* objects) noexcept {
  return Guarded([&]() -> HRESULT {
    if (count != 0 && objects == nullptr) {
      return state()->Report(Refuse(kInvalid, "the array of objects is null, but count is %u", count));
    }
    for (UINT i = 0; i < count; ++i) {
      const auto ours = QueryFor<IDispatchableObject>(objects[i], kIidDispatchableObject);
      if (!ours || ours->GetState() != state()) {
        return state()->Report(Refuse(kInvalid,
                                      "object %u is %s, but must be a compiled operator or initializer of "
                                      "this device",
                                      i, objects[i] == nullptr ? "null" : "another object"));
      }
    }
    return S_OK;
  });
}

HRESULT DmlDevice::Evict(UINT count, IDMLPageable* const* objects) noexcept {
  return CheckPageables(count, objects);
}

HRESULT DmlDevice::MakeResident(UINT count, IDMLPageable* const* objects) noexcept {
  return CheckPageables(count, objects);
}

HRESULT DmlDevice::GetParentDevice(REFIID iid, void** result) noexcept {
  if (const HRESULT hr = ClearResult(result); FAILED(hr)) return hr;
  return Guarded([&] { return parent_->QueryInterface(iid, result); });
}

void DmlDevice::SetMuteDebugOutput(BOOL mute) noexcept {
  if (!state()->IsRemoved()) state()->SetMuted(mute != 0);
}

void* DmlDevice::FindInterface(REFIID iid) noexcept {
  if (iid == __uuidof(IDMLDebugDevice))
    return state()->debug() ? static_cast<IDMLDebugDevice*>(this) : nullptr;
  if (iid == __uuidof(IDMLDevice1) && state()->level() < FeatureLevel::k2_1) return nullptr;
  return MatchInterface<IDMLDevice1, IDMLDevice, IDMLObject, IUnknown>(iid, static_cast<IDMLDevice1*>(this));
}

}  // namespace residue
