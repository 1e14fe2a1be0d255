#include "d3d12/fence.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "d3d12/event_descriptor.h"

namespace residue {
namespace {

// A full counter is set already; nobody waits for room in it.
void SetEventAndClose(int descriptor) noexcept {
  pollfd room = {descriptor, POLLOUT, 0};
  const uint64_t one = 1;
  if (poll(&room, 1, 0) == 1 && (room.revents & POLLOUT) != 0) {
    [[maybe_unused]] const ssize_t written = write(descriptor, &one, sizeof(one));
  }
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

void FenceState::Signal(uint64_t value) noexcept { Set(value, false); }

void FenceState::SignalRemoval() noexcept { Set(UINT64_MAX, true); }

void FenceState::Set(uint64_t value, bool removed) noexcept {
  const std::scoped_lock lock(mutex_);
  if (removed_) return;
  removed_ = removed;
  value_ = value;
  const auto due =
      std::partition(events_.begin(), events_.end(), [&](const Event& event) { return event.value > value; });
  std::for_each(due, events_.end(), [](const Event& event) { SetEventAndClose(event.descriptor); });
  events_.erase(due, events_.end());
  for (FenceWait* wait = waits_; wait != nullptr; wait = wait->next_) wait->reached_ |= wait->value_ <= value;
  changed_.notify_all();
}

void FenceState::WakeWaiters() noexcept {
  const std::scoped_lock lock(mutex_);  // nobody is between looking and falling asleep
  changed_.notify_all();
}

HRESULT FenceState::AddEvent(uint64_t value, HANDLE event) noexcept {
  const int given = ToDescriptor(event);
  if (given < 0) return E_HANDLE;
  const int descriptor = fcntl(given, F_DUPFD_CLOEXEC, 3);
  if (descriptor < 0) return errno == EBADF ? E_HANDLE : E_OUTOFMEMORY;
  if (!IsEventDescriptor(descriptor)) {
    close(descriptor);
    return E_HANDLE;
  }
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

FenceWait::FenceWait(FenceState& fence, uint64_t value) noexcept : fence_(fence), value_(value) {
  const std::scoped_lock lock(fence_.mutex_);
  reached_ = fence_.value_ >= value_;
  next_ = std::exchange(fence_.waits_, this);
}

FenceWait::~FenceWait() {
  const std::scoped_lock lock(fence_.mutex_);
  FenceWait** link = &fence_.waits_;
  while (*link != this) link = &(*link)->next_;
  *link = next_;
}

bool FenceWait::IsReached() noexcept {
  const std::scoped_lock lock(fence_.mutex_);
  return reached_;
}

void FenceWait::Wait() noexcept {
  std::unique_lock lock(fence_.mutex_);
  fence_.changed_.wait(lock, [&] { return reached_; });
}

bool FenceWait::WaitFor(std::chrono::milliseconds time) noexcept {
  std::unique_lock lock(fence_.mutex_);
  return fence_.changed_.wait_for(lock, time, [&] { return reached_; });
}

bool FenceWait::WaitUnless(const std::atomic<bool>& given_up) noexcept {
  std::unique_lock lock(fence_.mutex_);
  fence_.changed_.wait(lock, [&] { return reached_ || given_up.load(); });
  return reached_;
}

HRESULT Fence::Create(ID3D12Device* device, uint64_t value, int32_t flags, REFIID iid, void** fence,
                      std::shared_ptr<FenceState>* state) noexcept {
  // Sharing with other processes and adapters needs a driver.
  if (flags != D3D12_FENCE_FLAG_NONE) return E_NOTIMPL;
  try {
    *state = std::make_shared<FenceState>(value);
  } catch (const std::bad_alloc&) {
    return E_OUTOFMEMORY;
  }
  return FinishCreate(TryMake<Fence>(device, *state), iid, fence);
}

HRESULT Fence::SetEventOnCompletion(UINT64 value, HANDLE event) noexcept {
  if (event != nullptr) return state()->AddEvent(value, event);
  FenceWait(*state(), value).Wait();
  return S_OK;
}

HRESULT Fence::Signal(UINT64 value) noexcept {
  if (device()->GetDeviceRemovedReason() != S_OK) return DXGI_ERROR_DEVICE_REMOVED;
  state()->Signal(value);
  return S_OK;
}

void* Fence::FindInterface(REFIID iid) noexcept {
  return iid == kIidFence ? this : DeviceChild::FindInterface(iid);
}

}  // namespace residue
