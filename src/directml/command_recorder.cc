#include "directml/command_recorder.h"

#include "directml/binding_table.h"
#include "directml/dispatch.h"

namespace residue {
namespace {

constexpr auto kInvalid = RefusalCode::kInvalidArgument;

Refusal FindList(ID3D12CommandList* list, DeviceState* state, Ref<IHostCommandList>* ours) noexcept {
  *ours = QueryFor<IHostCommandList>(list, kIidHostCommandList);
  if (!*ours) {
    return Refuse(kInvalid, "the command list is %s, but must be one of this Direct3D 12",
                  list == nullptr ? "null" : "another object");
  }
  if (!state->IsParent((*ours)->Owner())) {
    return Refuse(kInvalid,
                  "the command list is of another ID3D12Device, but must be of the one that the DirectML "
                  "device was made with");
  }
  const D3D12_COMMAND_LIST_TYPE type = list->GetType();
  if (type != D3D12_COMMAND_LIST_TYPE_DIRECT && type != D3D12_COMMAND_LIST_TYPE_COMPUTE) {
    return Refuse(kInvalid,
                  "the command list's type is %d, but must be D3D12_COMMAND_LIST_TYPE_DIRECT or "
                  "D3D12_COMMAND_LIST_TYPE_COMPUTE",
                  type);
  }
  if (!(*ours)->IsRecording()) return Refuse(kInvalid, "the command list is closed, but must be open");
  return {};
}

// The debug layer is told what the dispatch uses. Descriptors that are volatile are not known yet.
HRESULT AppendTo(IHostCommandList* list, DispatchCommand* command, const TableTarget& table,
                 const Bindings& bindings) {
  if (!list->IsWatched()) return list->Append(command, nullptr);
  std::vector<HostUse> uses;
  const auto add = [&](const BoundBuffer& buffer, bool written) {
    if (buffer.record) uses.push_back({buffer.record.get(), buffer.offset, buffer.size, written});
  };
  const DispatchTarget& target = *table.target;
  if (target.is_initializer || !target.operators.front()->descriptors_volatile) {
    for (const BoundBuffer& input : bindings.inputs) add(input, false);
    for (const BoundBuffer& output : bindings.outputs) add(output, true);
    add(bindings.temporary, true);
    add(bindings.persistent, false);
  }
  const HostDispatch dispatch = {uses.data(), uses.size(), table.descriptors,
                                 BindingPropertiesOf(target).RequiredDescriptorCount, bindings.number};
  return list->Append(command, &dispatch);
}

}  // namespace

void CommandRecorder::RecordDispatch(ID3D12CommandList* list, IDMLDispatchable* dispatchable,
                                     IDMLBindingTable* table) noexcept {
  if (state()->IsRemoved()) return;
  try {
    if (const Refusal refusal = Record(list, dispatchable, table); !refusal.ok()) state()->RemoveFor(refusal);
  } catch (const std::bad_alloc&) {
    state()->RemoveFor(Refuse(RefusalCode::kOutOfMemory, "recording needed more memory than there is"));
  }
}

Refusal CommandRecorder::Record(ID3D12CommandList* list, IDMLDispatchable* dispatchable,
                                IDMLBindingTable* table) {
  Ref<IHostCommandList> host_list;
  if (Refusal refusal = FindList(list, state().get(), &host_list); !refusal.ok()) return refusal;
  const auto to_run = QueryFor<IDispatchableObject>(dispatchable, kIidDispatchableObject);
  if (!to_run || to_run->GetState() != state()) {
    return Refuse(kInvalid, "the dispatchable is %s, but must be of this device",
                  dispatchable == nullptr ? "null" : "another object");
  }
  const auto bound = QueryFor<BindingTable>(table, kIidBindingTableObject);
  if (!bound || bound->state() != state()) {
    return Refuse(kInvalid, "the binding table is %s, but must be of this device",
                  table == nullptr ? "null" : "another object");
  }
  // Copies: a warning may call the application, and that the table's Reset.
  const TableTarget target = bound->target();
  const std::shared_ptr<Bindings> bindings = bound->bindings();
  // Every dispatchable has a target of its own, and an initializer another one after Reset.
  if (target.target != to_run->GetTarget()) {
    return Refuse(kInvalid,
                  "the binding table was made for another dispatchable, or for its targets before Reset");
  }
  Ref<DispatchCommand> command;
  if (!target.target->is_initializer && target.target->operators.front()->descriptors_volatile) {
    command = Make<DispatchCommand>(state(), target.target, bindings);
  } else {
    Ref<DispatchWork> work;
    if (Refusal refusal = MakeWork(state(), target.target, *bindings, &work); !refusal.ok()) return refusal;
    command = Make<DispatchCommand>(std::move(work));
  }
  if (FAILED(AppendTo(host_list.get(), command.get(), target, *bindings))) {
    return Refuse(RefusalCode::kOutOfMemory, "the command list had no memory for the dispatch");
  }
  return {};
}

}  // namespace residue
