// IDMLCommandRecorder: puts a dispatch into a command list. Has no state of its own.
#pragma once

#include "directml/dml_object.h"
#include "directml/refusal.h"

namespace residue {

class CommandRecorder final : public DmlChild<IDMLCommandRecorder> {
 public:
  CommandRecorder(IDMLDevice* device, std::shared_ptr<DeviceState> state) noexcept
      : DmlChild(device, std::move(state)) {}

  void STDMETHODCALLTYPE RecordDispatch(ID3D12CommandList* list, IDMLDispatchable* dispatchable,
                                        IDMLBindingTable* table) noexcept override;

 private:
  void* FindInterface(REFIID iid) noexcept override {
    return MatchInterface<IDMLCommandRecorder, IDMLDeviceChild, IDMLObject, IUnknown>(iid, this);
  }
  // May throw bad_alloc.
  Refusal Record(ID3D12CommandList* list, IDMLDispatchable* dispatchable, IDMLBindingTable* table);
};

}  // namespace residue
