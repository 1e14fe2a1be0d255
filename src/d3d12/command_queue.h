// ID3D12CommandQueue: a thread that runs what is submitted, in order.
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
#include "d3d12/host_interfaces.h"

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
  };
  // Work is not encoded any more once there is a reason.
  WorkLoop(Ref<IDeviceStream> stream, std::shared_ptr<const RemovedReason> removed_reason) noexcept
      : stream_(std::move(stream)), removed_reason_(std::move(removed_reason)) {}
  HRESULT Push(Item item) noexcept;
  // The thread's function: runs items until there are no more and Stop was called.
  void Run() noexcept;
  // No more items will come. Returns when all have run, or when the thread waits for a fence that only
  // somebody else can signal; true if all have run.
  bool Stop() noexcept;
  void StopWithoutWaiting() noexcept;

 private:
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
  bool finished_ = false;
};

class CommandQueue final : public DeviceChild<ID3D12CommandQueue> {
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

  const D3D12_COMMAND_QUEUE_DESC desc_;
  const std::shared_ptr<WorkLoop> loop_;
  std::thread thread_;
};

}  // namespace residue
