// What a DirectML device is apart from its COM object: feature level, removed state and debug messages.
// Recorded work shares it, so that work may outlive the objects it was made from.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include "com/com_object.h"
#include "d3d12/host_interfaces.h"
#include "directml/feature_level.h"
#include "directml/refusal.h"

namespace residue {

enum class Severity : uint8_t { kError, kWarning };

class DeviceState {
 public:
  DeviceState(FeatureLevel level, bool debug, bool requires_initialization, Ref<IBackend> backend) noexcept
      : level_(level),
        debug_(debug),
        requires_initialization_(requires_initialization),
        backend_(std::move(backend)) {}

  FeatureLevel level() const noexcept { return level_; }
  bool debug() const noexcept { return debug_; }
  // Whether an operator without persistent data must be initialized before it runs.
  bool requires_initialization() const noexcept { return requires_initialization_; }

  // The Direct3D 12 device's.
  IBackend& backend() const noexcept { return *backend_; }

  // The Direct3D 12 device gives messages a place to go and its own removal a way in, until it is taken away.
  void SetParent(ID3D12Device* parent) noexcept;
  bool IsParent(const ID3D12Device* device) noexcept;

  // S_OK while healthy, then for good the first reason.
  HRESULT RemovedReason() noexcept;
  bool IsRemoved() noexcept { return RemovedReason() != S_OK; }
  void Remove(HRESULT reason) noexcept;

  // The one place where a refusal becomes an HRESULT and a message.
  HRESULT Report(const Refusal& refusal) noexcept;
  // The same for methods that return nothing: the device is removed.
  void RemoveFor(const Refusal& refusal) noexcept;

  // Lets the Direct3D 12 debug layer look at a binding table's descriptors.
  void CheckDescriptors(D3D12_CPU_DESCRIPTOR_HANDLE cpu, D3D12_GPU_DESCRIPTOR_HANDLE gpu,
                        uint32_t count) noexcept;

  void Write(Severity severity, const char* text) noexcept;
  // Formats as printf does.
  void Warn(const char* format, ...) noexcept __attribute__((format(printf, 2, 3)));
  void SetMuted(bool muted) noexcept { muted_.store(muted); }

 private:
  Ref<ID3D12Device> Parent() noexcept;

  const FeatureLevel level_;
  const bool debug_;
  const bool requires_initialization_;
  const Ref<IBackend> backend_;
  std::atomic<bool> muted_{false};
  std::atomic<HRESULT> reason_{S_OK};
  std::mutex mutex_;
  ID3D12Device* parent_ = nullptr;  // its reference is the DirectML device's
};

}  // namespace residue
