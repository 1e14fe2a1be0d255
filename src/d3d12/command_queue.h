// ID3D12CommandQueue: runs what is submitted, in order. Short work of a queue that has nothing else to do
// runs on the thread that submits it, because waking another takes longer. The rest is for a thread of the
// queue's own, which is there from the first such work on.
#pragma once

#include <atomic>
#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "d3d12/device_child.h"
#include "d3d12/fence.h"
#include "d3d12/fork.h"
#include "d3d12/host_interfaces.h"
#include "d3d12/usage_record.h"

namespace residue {

// What is submitted and not yet done. Shared by the queue and its thread, because work goes on after the
// application has released the queue.
class WorkLoop {
 public:
  // A fence to wait for, or one to signal, or else work.
  struct Item {
    std::vector<Ref<IHostWork>> work;
    std::shared_ptr<FenceState> awaited;
    FenceSignaller signalled;
    uint64_t value = 0;
    uint64_t bytes = 0;                 // of the work, about
    std::vector<FlightToken> tokens{};  // what is no longer in use once a fence is signalled
  };
  // Work is not encoded any more once there is a reason.
  WorkLoop(Ref<IDeviceStream> stream, std::shared_ptr<const RemovedReason> removed_reason) noexcept
      : stream_(std::move(stream)), removed_reason_(std::move(removed_reason)) {}
  // Runs a short item on this thread if nothing is before it; otherwise false, and nothing happened.
  bool TryHere(Item& item) noexcept;
  HRESULT Push(Item item) noexcept;
  // Where no thread is to be had: runs the item here, or leaves it to the thread that is at work. A wait that
  // somebody else must end is refused.
  HRESULT RunWithoutThread(Item item) noexcept;
  // The thread's function: runs items until there are no more and Stop was called.
  void Run() noexcept;
  // No more items will come. Returns when all have run, or when the thread waits for a fence that only
  // somebody else can signal; true if all have run.
  bool Stop() noexcept;
  void StopWithoutWaiting() noexcept;
  // Around a fork. A child's loop has nothing to do and no thread: the parent does what was submitted.
  void Lock() noexcept { mutex_.lock(); }
  void Unlock(bool in_child) noexcept;

 private:
  // Signals, work of few bytes, and waits that are over.
  static bool IsShort(const Item& item) noexcept;
  // Waits a little while others run short items. True if it is this thread's turn.
  bool Enter(const Item& item) noexcept;
  // Runs what others left behind, and lets go of the loop.
  void Leave() noexcept;
  void RunItem(Item& item) noexcept;
  void RunWork(const Item& item) noexcept;
  // False if nobody is left who could signal the fence.
  bool WaitFor(const Item& item) noexcept;
  // Whether anybody could signal the fence but the items behind the wait. The mutex is held.
  bool DependsOnOthers(const FenceWait& wait) const noexcept;

  const Ref<IDeviceStream> stream_;
  const std::shared_ptr<const RemovedReason> removed_reason_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<Item> items_;
  FenceWait* current_wait_ = nullptr;
  std::atomic<bool> stopping_{false};
  enum class Busy : uint8_t { kNo, kShortly, kLong };
  Busy busy_ = Busy::kNo;  // whether somebody runs an item, and how long that takes
  bool finished_ = false;
  bool has_no_thread_ = false;  // whoever is at work runs all that comes
};

class CommandQueue final : public DeviceChild<ID3D12CommandQueue>, private IForkAware {
 public:
  static HRESULT Create(ID3D12Device* device, IBackend* backend,
                        std::shared_ptr<const RemovedReason> removed_reason,
                        const D3D12_COMMAND_QUEUE_DESC* desc, REFIID iid, void** queue) noexcept;
  CommandQueue(ID3D12Device* device, Ref<IDeviceStream> stream,
               std::shared_ptr<const RemovedReason> removed_reason, const D3D12_COMMAND_QUEUE_DESC& desc);
  ~CommandQueue() override;

  void STDMETHODCALLTYPE ExecuteCommandLists(UINT count, ID3D12CommandList* const* lists) noexcept override;
  HRESULT STDMETHODCALLTYPE Signal(ID3D12Fence* fence, UINT64 value) noexcept override;
  HRESULT STDMETHODCALLTYPE Wait(ID3D12Fence* fence, UINT64 value) noexcept override;
  HRESULT STDMETHODCALLTYPE GetTimestampFrequency(UINT64* frequency) noexcept override;
  HRESULT STDMETHODCALLTYPE GetClockCalibration(UINT64* gpu, UINT64* cpu) noexcept override;
  D3D12_COMMAND_QUEUE_DESC STDMETHODCALLTYPE GetDesc() noexcept override { return desc_; }
  void STDMETHODCALLTYPE SetMarker(UINT, const void*, UINT) noexcept override {}
  void STDMETHODCALLTYPE BeginEvent(UINT, const void*, UINT) noexcept override {}
  void STDMETHODCALLTYPE EndEvent() noexcept override {}
  // Reserved resources cannot be made here, so there are no tiles to map.
  void STDMETHODCALLTYPE UpdateTileMappings(ID3D12Resource*, UINT, const D3D12_TILED_RESOURCE_COORDINATE*,
                                            const D3D12_TILE_REGION_SIZE*, ID3D12Heap*, UINT,
                                            const D3D12_TILE_RANGE_FLAGS*, const UINT*, const UINT*,
                                            D3D12_TILE_MAPPING_FLAGS) noexcept override {}
  void STDMETHODCALLTYPE CopyTileMappings(ID3D12Resource*, const D3D12_TILED_RESOURCE_COORDINATE*,
                                          ID3D12Resource*, const D3D12_TILED_RESOURCE_COORDINATE*,
                                          const D3D12_TILE_REGION_SIZE*,
                                          D3D12_TILE_MAPPING_FLAGS) noexcept override {}

 private:
  void RemoveDevice(HRESULT reason) noexcept;
  // The fence as one of ours and of this device, or why not.
  HRESULT FindFence(ID3D12Fence* fence, Ref<Fence>* found) noexcept;
  HRESULT Submit(WorkLoop::Item item) noexcept;
  // For the debug layer: tells mistakes, and what must stay as it is until the work is done. May throw
  // bad_alloc.
  std::vector<FlightToken> CheckUsage(UINT count, ID3D12CommandList* const* lists);
  // With the debug layer, one submission at a time.
  std::unique_lock<std::recursive_mutex> KeepOrder() noexcept;
  bool StartThread() noexcept;  // false if there is none to be had
  void BeforeFork() noexcept override;
  void AfterFork(bool in_child) noexcept override;

  const D3D12_COMMAND_QUEUE_DESC desc_;
  const std::shared_ptr<WorkLoop> loop_;
  const bool watched_;                // by the debug layer
  std::recursive_mutex order_mutex_;  // where there are no threads, work runs under it, and may submit more
  std::vector<FlightToken> tokens_;   // of work since the last signal
  std::mutex thread_mutex_;
  std::thread thread_;
  const ForkRegistration fork_registration_{this, ForkOrder::kQueue};
};

}  // namespace residue
