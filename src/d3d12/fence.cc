#include "d3d12/fence.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "d3d12/event_descriptor.h"

namespace residue {
namespace {

// A full counter is set already; nobody waits for room in it.
void SetEvent(int descriptor) noexcept {
  pollfd room = {descriptor, POLLOUT, 0};
  const uint64_t one = 1;
  if (poll(&room, 1, 0) == 1 && (room.revents & POLLOUT) != 0) {
    [[maybe_unused]] const ssize_t written = write(descriptor, &one, sizeof(one));
  }
}

}  // namespace

HRESULT FenceEvent::Make(int event, int32_t fences, std::shared_ptr<FenceEvent>* made) noexcept {
  if (event < 0) return E_HANDLE;
  const int descriptor = fcntl(event, F_DUPFD_CLOEXEC, 3);
  if (descriptor < 0) return errno == EBADF ? E_HANDLE : E_OUTOFMEMORY;
  const bool is_event = IsEventDescriptor(descriptor);
  try {
    if (is_event) *made = std::make_shared<FenceEvent>(descriptor, fences);
  } catch (const std::bad_alloc&) {
    close(descriptor);
    return E_OUTOFMEMORY;
  }
  if (!is_event) close(descriptor);
  return is_event ? S_OK : E_HANDLE;
}

FenceEvent::~FenceEvent() { close(descriptor_); }

void FenceEvent::FenceCame() noexcept {
  if (--fences_ == 0) SetEvent(descriptor_);
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
  std::for_each(due, events_.end(), [](const Event& event) { event.event->FenceCame(); });
  events_.erase(due, events_.end());
  for (FenceWait* wait = waits_; wait != nullptr; wait = wait->next_) wait->reached_ |= wait->value_ <= value;
  changed_.notify_all();
}

void FenceState::WakeWaiters() noexcept {
  const std::scoped_lock lock(mutex_);  // nobody is between looking and falling asleep
  changed_.notify_all();
}

HRESULT FenceState::AddEvent(uint64_t value, std::shared_ptr<FenceEvent> event) noexcept {
  const std::scoped_lock lock(mutex_);
  if (value_ >= value) {
    event->FenceCame();
    return S_OK;
  }
  try {
    events_.push_back({value, std::move(event)});
    return S_OK;
  } catch (const std::bad_alloc&) {
    return E_OUTOFMEMORY;
  }
}

// Who waited are threads of the parent: their waits lie on stacks that are nobody's here.
void FenceState::AfterFork(bool in_child) noexcept {
  if (!in_child) return mutex_.unlock();
  new (&mutex_) std::mutex;
  new (&changed_) std::condition_variable;
  waits_ = nullptr;
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

HRESULT Fence::Create(ID3D12Device* device, uint64_t value, REFIID iid, void** fence,
                      std::shared_ptr<FenceState>* state) noexcept {
  try {
    *state = std::make_shared<FenceState>(value);
  } catch (const std::bad_alloc&) {
    return E_OUTOFMEMORY;
  }
  return FinishCreate(TryMake<Fence>(device, *state), iid, fence);
}

HRESULT Fence::SetEventOnCompletion(UINT64 value, HANDLE event) noexcept {
  if (event == nullptr) {
    FenceWait(*state(), value).Wait();
    return S_OK;
  }
  std::shared_ptr<FenceEvent> made;
  const HRESULT hr = FenceEvent::Make(ToDescriptor(event), 1, &made);
  return FAILED(hr) ? hr : state()->AddEvent(value, std::move(made));
}

HRESULT SetEventOnFences(const std::vector<AwaitedFence>& awaited, bool any, HANDLE event) noexcept {
  const int own = event == nullptr ? eventfd(0, EFD_CLOEXEC) : -1;
  if (event == nullptr && own < 0) return E_OUTOFMEMORY;
  std::shared_ptr<FenceEvent> made;
  const auto fences = static_cast<int32_t>(any ? 1 : awaited.size());
  HRESULT hr = FenceEvent::Make(event == nullptr ? own : ToDescriptor(event), fences, &made);
  for (const AwaitedFence& one : awaited) {
    if (SUCCEEDED(hr)) hr = one.fence->AddEvent(one.value, made);
  }
  if (own < 0) return hr;
  pollfd set = {own, POLLIN, 0};
  while (SUCCEEDED(hr) && poll(&set, 1, -1) < 0 && errno == EINTR) {
  }
  close(own);
  return hr;
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
