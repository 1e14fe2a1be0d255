// IDMLDevice, IDMLDevice1 and IDMLDebugDevice. Every method that makes something reads and checks what it was
// given, makes it, and reports in one place.
#pragma once

#include <DirectML.h>

#include "directml/dml_object.h"

namespace residue {

class DmlDevice final : public DmlObject<IDMLDevice1, IDMLDebugDevice> {
 public:
  DmlDevice(std::shared_ptr<DeviceState> state, ID3D12Device* parent) noexcept;
  ~DmlDevice() override;

  HRESULT STDMETHODCALLTYPE CheckFeatureSupport(DML_FEATURE feature, UINT query_size, const void* query,
                                                UINT answer_size, void* answer) noexcept override;
  HRESULT STDMETHODCALLTYPE CreateOperator(const DML_OPERATOR_DESC* desc, REFIID iid,
                                           void** result) noexcept override;
  HRESULT STDMETHODCALLTYPE CompileOperator(IDMLOperator* op, DML_EXECUTION_FLAGS flags, REFIID iid,
                                            void** result) noexcept override;
  HRESULT STDMETHODCALLTYPE CreateOperatorInitializer(UINT count, IDMLCompiledOperator* const* operators,
                                                      REFIID iid, void** result) noexcept override;
  HRESULT STDMETHODCALLTYPE CreateCommandRecorder(REFIID iid, void** result) noexcept override;
  HRESULT STDMETHODCALLTYPE CreateBindingTable(const DML_BINDING_TABLE_DESC* desc, REFIID iid,
                                               void** result) noexcept override;
  HRESULT STDMETHODCALLTYPE Evict(UINT count, IDMLPageable* const* objects) noexcept override;
  HRESULT STDMETHODCALLTYPE MakeResident(UINT count, IDMLPageable* const* objects) noexcept override;
  HRESULT STDMETHODCALLTYPE GetDeviceRemovedReason() noexcept override { return state()->RemovedReason(); }
  HRESULT STDMETHODCALLTYPE GetParentDevice(REFIID iid, void** result) noexcept override;
  HRESULT STDMETHODCALLTYPE CompileGraph(const DML_GRAPH_DESC* desc, DML_EXECUTION_FLAGS flags, REFIID iid,
                                         void** result) noexcept override;
  void STDMETHODCALLTYPE SetMuteDebugOutput(BOOL mute) noexcept override;

 private:
  void* FindInterface(REFIID iid) noexcept override;
  // Runs `make`, which returns an HRESULT and may throw bad_alloc, unless the device is removed.
  template <class Make>
  HRESULT Guarded(const Make& make) noexcept;
  HRESULT CheckPageables(UINT count, IDMLPageable* const* objects) noexcept;

  const Ref<ID3D12Device> parent_;
};

// The checks and the making of DMLCreateDevice1. Enumerations come as numbers, because any number may come.
HRESULT CreateDmlDevice(ID3D12Device* parent, uint32_t flags, uint32_t minimum_level, REFIID iid,
                        void** result) noexcept;

}  // namespace residue
