#include "directml/device_state.h"

#include <cstdarg>
#include <cstdio>

namespace residue {
namespace {

HRESULT ToHresult(RefusalCode code) noexcept {
  switch (code) {
    case RefusalCode::kNone:
      return S_OK;
    case RefusalCode::kInvalidArgument:
      return E_INVALIDARG;
    case RefusalCode::kUnsupported:
      return DXGI_ERROR_UNSUPPORTED;
    case RefusalCode::kOutOfMemory:
      return E_OUTOFMEMORY;
  }
  return E_FAIL;
}

}  // namespace

void DeviceState::SetParent(ID3D12Device* parent) noexcept {
  const std::scoped_lock lock(mutex_);
  parent_ = parent;
}

bool DeviceState::IsParent(const ID3D12Device* device) noexcept {
  const std::scoped_lock lock(mutex_);
  return device == parent_;
}

// A callback may call us again, so nothing is called under the lock.
Ref<ID3D12Device> DeviceState::Parent() noexcept {
  const std::scoped_lock lock(mutex_);
  return Ref<ID3D12Device>::Share(parent_);
}

HRESULT DeviceState::RemovedReason() noexcept {
  if (const HRESULT reason = reason_.load(std::memory_order_acquire); reason != S_OK) return reason;
  if (const auto parent = Parent(); parent) {
    if (const HRESULT of_parent = parent->GetDeviceRemovedReason(); of_parent != S_OK) Remove(of_parent);
  }
  return reason_.load(std::memory_order_acquire);
}

void DeviceState::Remove(HRESULT reason) noexcept {
  HRESULT healthy = S_OK;
  reason_.compare_exchange_strong(healthy, reason);
}

// Removed first: whoever hears the message and asks finds the device removed.
void DeviceState::RemoveFor(const Refusal& refusal) noexcept {
  Remove(ToHresult(refusal.code));
  Report(refusal);
}

HRESULT DeviceState::Report(const Refusal& refusal) noexcept {
  if (!refusal.ok()) Write(Severity::kError, refusal.text);
  return ToHresult(refusal.code);
}

void DeviceState::CheckDescriptors(D3D12_CPU_DESCRIPTOR_HANDLE cpu, D3D12_GPU_DESCRIPTOR_HANDLE gpu,
                                   uint32_t count) noexcept {
  const auto host = QueryFor<IHostDevice>(Parent().get(), kIidHostDevice);
  if (host) host->CheckDescriptors(cpu, gpu, count);
}

void DeviceState::Warn(const char* format, ...) noexcept {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): va_start is just above
  std::vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  Write(Severity::kWarning, text);
}

void DeviceState::Write(Severity severity, const char* text) noexcept {
  if (!debug_ || muted_.load()) return;
  const bool is_error = severity == Severity::kError;
  const auto parent = Parent();
  if (const auto queue = QueryFor<ID3D12InfoQueue>(parent.get(), __uuidof(ID3D12InfoQueue)); queue) {
    queue->AddApplicationMessage(is_error ? D3D12_MESSAGE_SEVERITY_ERROR : D3D12_MESSAGE_SEVERITY_WARNING,
                                 text);
  } else if (const auto host = QueryFor<IHostDevice>(parent.get(), kIidHostDevice); host) {
    char line[512];
    std::snprintf(line, sizeof(line), "[DIRECTML %s]: %s\n", is_error ? "ERROR" : "WARNING", text);
    host->WriteDebugString(line);
  }
}

}  // namespace residue
