// ID3D12Fence: a number that queues and threads set and wait for. Events are eventfd descriptors, as in
// Microsoft's own Direct3D 12 for Linux; a null event makes the call wait.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "d3d12/device_child.h"
#include "d3d12/fork.h"

namespace residue {

inline constexpr GUID kIidFence = {
    0x4e8a1c52, 0x77b3, 0x4f0d, {0x9a, 0x61, 0x2d, 0x35, 0xc8, 0x10, 0xe4, 0x12}};

class FenceWait;

// An eventfd that is written once as many fences have come as it waits for.
class FenceEvent {
 public:
  // Keeps a duplicate, so that the caller may close its own. E_HANDLE if the descriptor is no event.
  static HRESULT Make(int event, int32_t fences, std::shared_ptr<FenceEvent>* made) noexcept;
  FenceEvent(int descriptor, int32_t fences) noexcept : descriptor_(descriptor), fences_(fences) {}
  FenceEvent(const FenceEvent&) = delete;
  FenceEvent& operator=(const FenceEvent&) = delete;
  ~FenceEvent();
  void FenceCame() noexcept;

 private:
  const int descriptor_;
  std::atomic<int32_t> fences_;
};

// The number itself, which queued work shares with the object, whoever lives longer.
class FenceState final : private IForkAware {
 public:
  explicit FenceState(uint64_t value) noexcept : value_(value) {}
  uint64_t value() noexcept;
  void Signal(uint64_t value) noexcept;
  // The device is gone: the largest number, for good.
  void SignalRemoval() noexcept;
  void WakeWaiters() noexcept;
  // How many there are who may yet signal: the object, and signals on their way through queues.
  int64_t signallers() const noexcept { return signallers_.load(); }
  // Tells the event once the number is reached.
  HRESULT AddEvent(uint64_t value, std::shared_ptr<FenceEvent> event) noexcept;

 private:
  struct Event {
    uint64_t value;
    std::shared_ptr<FenceEvent> event;
  };
  friend class FenceSignaller;
  friend class FenceWait;
  void Set(uint64_t value, bool removed) noexcept;
  void BeforeFork() noexcept override { mutex_.lock(); }
  void AfterFork(bool in_child) noexcept override;

  std::mutex mutex_;
  std::condition_variable changed_;
  uint64_t value_;
  bool removed_ = false;
  std::vector<Event> events_;
  FenceWait* waits_ = nullptr;
  std::atomic<int64_t> signallers_{0};
  const ForkRegistration fork_registration_{this, ForkOrder::kFence};
};

// A thread's wait for a number of a fence. Once reached is reached, even if a smaller number is signalled
// before the thread wakes up.
class FenceWait {
 public:
  FenceWait(FenceState& fence, uint64_t value) noexcept;
  FenceWait(const FenceWait&) = delete;
  FenceWait& operator=(const FenceWait&) = delete;
  ~FenceWait();

  const FenceState* fence() const noexcept { return &fence_; }
  bool IsReached() noexcept;
  void Wait() noexcept;
  // Gives up when the time is over; true if the number was reached.
  bool WaitFor(std::chrono::milliseconds time) noexcept;
  // Gives up when `given_up` is set and then the fence's WakeWaiters called; true if the number was reached.
  bool WaitUnless(const std::atomic<bool>& given_up) noexcept;
  void Wake() noexcept { fence_.WakeWaiters(); }

 private:
  friend class FenceState;

  FenceState& fence_;
  const uint64_t value_;
  bool reached_;
  FenceWait* next_;
};

// Holds a fence's number, as somebody who may yet signal it. Who only waits holds the number alone, so that a
// wait can tell that nobody is left to end it.
class FenceSignaller {
 public:
  FenceSignaller() noexcept = default;
  explicit FenceSignaller(std::shared_ptr<FenceState> state) noexcept : state_(std::move(state)) {
    ++state_->signallers_;
  }
  FenceSignaller(FenceSignaller&& other) noexcept = default;
  FenceSignaller& operator=(FenceSignaller&& other) noexcept {
    std::swap(state_, other.state_);
    return *this;
  }
  ~FenceSignaller() {
    if (state_ != nullptr) --state_->signallers_;
  }
  const std::shared_ptr<FenceState>& state() const noexcept { return state_; }

 private:
  std::shared_ptr<FenceState> state_;
};

struct AwaitedFence {
  std::shared_ptr<FenceState> fence;
  uint64_t value;
};

// Writes to the event once all of the numbers, or any of them, are reached; waits if it is null.
HRESULT SetEventOnFences(const std::vector<AwaitedFence>& awaited, bool any, HANDLE event) noexcept;

class Fence final : public DeviceChild<ID3D12Fence> {
 public:
  static HRESULT Create(ID3D12Device* device, uint64_t value, REFIID iid, void** fence,
                        std::shared_ptr<FenceState>* state) noexcept;
  Fence(ID3D12Device* device, std::shared_ptr<FenceState> state) noexcept
      : DeviceChild(device), signaller_(std::move(state)) {}

  UINT64 STDMETHODCALLTYPE GetCompletedValue() noexcept override { return state()->value(); }
  HRESULT STDMETHODCALLTYPE SetEventOnCompletion(UINT64 value, HANDLE event) noexcept override;
  HRESULT STDMETHODCALLTYPE Signal(UINT64 value) noexcept override;
  const std::shared_ptr<FenceState>& state() const noexcept { return signaller_.state(); }

 private:
  void* FindInterface(REFIID iid) noexcept override;

  const FenceSignaller signaller_;
};

}  // namespace residue
