// ID3D12CommandQueue: a thread that runs what is submitted, in order.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "host_d3d12/device_child.h"
#include "host_d3d12/fence.h"
#include "host_d3d12/host_interfaces.h"

namespace residue {

class CommandQueue final : public DeviceChild<ID3D12CommandQueue> {
 public:
  static HRESULT Create(ID3D12Device* device, const D3D12_COMMAND_QUEUE_DESC* desc, REFIID iid,
                        void** queue) noexcept;
  CommandQueue(ID3D12Device* device, const D3D12_COMMAND_QUEUE_DESC& desc);
  // Finishes what was submitted, except behind a wait that nobody has satisfied.
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
  // Work if there is any, else a fence to signal or to wait for.
  struct Item {
    std::vector<Ref<IHostWork>> work;
    std::shared_ptr<FenceState> fence;
    uint64_t value = 0;
    bool is_wait = false;
  };
  HRESULT Push(Item item) noexcept;
  void RemoveDevice(HRESULT reason) noexcept;
  void RunItems() noexcept;
  // False if the queue was destroyed first.
  bool WaitFor(const Item& item) noexcept;

  const D3D12_COMMAND_QUEUE_DESC desc_;
  std::mutex mutex_;
  std::condition_variable available_;
  std::deque<Item> items_;
  std::shared_ptr<FenceState> waiting_for_;
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

}  // namespace residue
