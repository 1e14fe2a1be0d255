#include "host_d3d12/fence.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

namespace residue {
namespace {

void SetEventAndClose(int descriptor) noexcept {
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t written =
      write(descriptor, &one, sizeof(one));  // a full counter is set already
  close(descriptor);
}

}  // namespace

FenceState::~FenceState() {
  for (const Event& event : events_) close(event.descriptor);
}

uint64_t FenceState::value() noexcept {
  const std::scoped_lock lock(mutex_);
  return value_;
}

void FenceState::Signal(uint64_t value) noexcept {
  const std::scoped_lock lock(mutex_);
  value_ = value;
  const auto due =
      std::partition(events_.begin(), events_.end(), [&](const Event& event) { return event.value > value; });
  std::for_each(due, events_.end(), [](const Event& event) { SetEventAndClose(event.descriptor); });
  events_.erase(due, events_.end());
  changed_.notify_all();
}

bool FenceState::Wait(uint64_t value, const std::atomic<bool>& cancelled) noexcept {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return value_ >= value || cancelled.load(); });
  return value_ >= value;
}

void FenceState::WakeWaiters() noexcept {
  const std::scoped_lock lock(mutex_);
  changed_.notify_all();
}

HRESULT FenceState::AddEvent(uint64_t value, int event) noexcept {
  const int descriptor = fcntl(event, F_DUPFD_CLOEXEC, 0);
  if (descriptor < 0) return E_HANDLE;
  const std::scoped_lock lock(mutex_);
  if (value_ >= value) {
    SetEventAndClose(descriptor);
    return S_OK;
  }
  try {
    events_.push_back({value, descriptor});
    return S_OK;
  } catch (const std::bad_alloc&) {
    close(descriptor);
    return E_OUTOFMEMORY;
  }
}

HRESULT Fence::Create(ID3D12Device* device, uint64_t value, D3D12_FENCE_FLAGS flags, REFIID iid,
                      void** fence) noexcept {
  if (fence != nullptr) *fence = nullptr;
  // Sharing with other processes and adapters needs a driver.
  if (flags != D3D12_FENCE_FLAG_NONE) return E_NOTIMPL;
  return FinishCreate(TryMake<Fence>(device, value), iid, fence);
}

HRESULT Fence::SetEventOnCompletion(UINT64 value, HANDLE event) noexcept {
  if (event == nullptr) {
    static const std::atomic<bool> never{false};
    state_->Wait(value, never);
    return S_OK;
  }
  return state_->AddEvent(value, static_cast<int>(reinterpret_cast<intptr_t>(event)));
}

HRESULT Fence::Signal(UINT64 value) noexcept {
  state_->Signal(value);
  return S_OK;
}

void* Fence::FindInterface(REFIID iid) noexcept {
  return iid == kIidFence ? this : DeviceChild::FindInterface(iid);
}

}  // namespace residue
