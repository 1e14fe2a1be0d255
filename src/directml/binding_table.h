// IDMLBindingTable: the buffers for one dispatchable. Its bindings live on in dispatches recorded with
// volatile descriptors; Reset therefore starts new ones instead of clearing the old.
#pragma once

#include <memory>

#include "directml/bindings.h"
#include "directml/dispatchable.h"
#include "directml/dml_object.h"

namespace residue {

inline constexpr GUID kIidBindingTableObject = {
    0x9d1f60c4, 0x3a0e, 0x4c86, {0xb5, 0x17, 0x60, 0x0d, 0x93, 0x7a, 0x2c, 0x04}};

// What a table is for, after its description was checked; empty for a table made without one.
struct TableTarget {
  Ref<IDispatchableObject> dispatchable;
  std::shared_ptr<const DispatchTarget> target;
  D3D12_GPU_DESCRIPTOR_HANDLE descriptors = {};
};
Refusal ReadTableDesc(const DML_BINDING_TABLE_DESC* desc, DeviceState* state, TableTarget* target) noexcept;

class BindingTable final : public DmlChild<IDMLBindingTable> {
 public:
  // May throw bad_alloc.
  BindingTable(IDMLDevice* device, std::shared_ptr<DeviceState> state, TableTarget target)
      : DmlChild(device, std::move(state)),
        target_(std::move(target)),
        bindings_(std::make_shared<Bindings>()) {}

  void STDMETHODCALLTYPE BindInputs(UINT count, const DML_BINDING_DESC* bindings) noexcept override;
  void STDMETHODCALLTYPE BindOutputs(UINT count, const DML_BINDING_DESC* bindings) noexcept override;
  void STDMETHODCALLTYPE BindTemporaryResource(const DML_BINDING_DESC* binding) noexcept override;
  void STDMETHODCALLTYPE BindPersistentResource(const DML_BINDING_DESC* binding) noexcept override;
  HRESULT STDMETHODCALLTYPE Reset(const DML_BINDING_TABLE_DESC* desc) noexcept override;

  const TableTarget& target() const noexcept { return target_; }
  const std::shared_ptr<Bindings>& bindings() const noexcept { return bindings_; }

 private:
  void* FindInterface(REFIID iid) noexcept override;
  // Runs `bind(target, bindings)`, which returns a Refusal; on trouble the device is removed.
  template <class Bind>
  void Guarded(const Bind& bind) noexcept;
  Refusal BindArea(const DispatchTarget& target, const DML_BINDING_DESC* given, const char* name,
                   uint64_t bytes, BoundBuffer* area) noexcept;
  Refusal ReadInputs(const DispatchTarget& target, UINT count, const DML_BINDING_DESC* bindings,
                     std::vector<BoundBuffer>* inputs);
  Refusal ReadInitializerInputs(const DispatchTarget& target, UINT count, const DML_BINDING_DESC* bindings,
                                std::vector<BoundBuffer>* inputs);
  Refusal ReadOutputs(const DispatchTarget& target, UINT count, const DML_BINDING_DESC* bindings,
                      std::vector<BoundBuffer>* outputs);
  Refusal ReadOne(const DML_BINDING_DESC* given, const BufferRule& rule, BoundBuffer* buffer) noexcept;
  Refusal ReadAndWarn(DML_BUFFER_BINDING binding, const BufferRule& rule, BoundBuffer* buffer) noexcept;

  TableTarget target_;
  std::shared_ptr<Bindings> bindings_;
};

}  // namespace residue
