#include "host_d3d12/command_queue.h"

#include <chrono>
#include <system_error>

#include "host_d3d12/command_list.h"

namespace residue {

HRESULT CommandQueue::Create(ID3D12Device* device, const D3D12_COMMAND_QUEUE_DESC* desc, REFIID iid,
                             void** queue) noexcept {
  if (queue != nullptr) *queue = nullptr;
  if (desc == nullptr || desc->NodeMask > 1) return E_INVALIDARG;
  if (desc->Type != D3D12_COMMAND_LIST_TYPE_DIRECT && desc->Type != D3D12_COMMAND_LIST_TYPE_COMPUTE &&
      desc->Type != D3D12_COMMAND_LIST_TYPE_COPY) {
    return E_INVALIDARG;
  }
  try {
    return FinishCreate(Ref<CommandQueue>::Adopt(new CommandQueue(device, *desc)), iid, queue);
  } catch (const std::bad_alloc&) {
    return E_OUTOFMEMORY;
  } catch (const std::system_error&) {  // no thread to be had
    return E_OUTOFMEMORY;
  }
}

CommandQueue::CommandQueue(ID3D12Device* device, const D3D12_COMMAND_QUEUE_DESC& desc)
    : DeviceChild(device), desc_(desc), thread_([this] { RunItems(); }) {}

CommandQueue::~CommandQueue() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_.store(true);
    if (waiting_for_ != nullptr) waiting_for_->WakeWaiters();
  }
  available_.notify_all();
  thread_.join();
}

void CommandQueue::ExecuteCommandLists(UINT count, ID3D12CommandList* const* lists) noexcept {
  if (lists == nullptr) return;
  try {
    Item item;
    for (UINT i = 0; i < count; ++i) {
      const auto list = QueryFor<CommandList>(lists[i], kIidCommandListObject);
      if (!list || !list->CollectWork(desc_.Type, &item.work)) {
        RemoveDevice(
            DXGI_ERROR_INVALID_CALL);  // not ours, still open, failed, or of a type not for this queue
        return;
      }
    }
    if (FAILED(Push(std::move(item)))) RemoveDevice(E_OUTOFMEMORY);
  } catch (const std::bad_alloc&) {
    RemoveDevice(E_OUTOFMEMORY);
  }
}

void CommandQueue::RemoveDevice(HRESULT reason) noexcept {
  if (const auto host = QueryFor<IHostDevice>(device(), kIidHostDevice); host) host->Remove(reason);
}

HRESULT CommandQueue::Signal(ID3D12Fence* fence, UINT64 value) noexcept {
  const auto ours = QueryFor<Fence>(fence, kIidFence);
  return ours ? Push({{}, ours->state(), value, false}) : E_INVALIDARG;
}

HRESULT CommandQueue::Wait(ID3D12Fence* fence, UINT64 value) noexcept {
  const auto ours = QueryFor<Fence>(fence, kIidFence);
  return ours ? Push({{}, ours->state(), value, true}) : E_INVALIDARG;
}

HRESULT CommandQueue::GetTimestampFrequency(UINT64* frequency) noexcept {
  if (frequency == nullptr) return E_INVALIDARG;
  *frequency = 1'000'000'000;
  return S_OK;
}

HRESULT CommandQueue::GetClockCalibration(UINT64* gpu, UINT64* cpu) noexcept {
  if (gpu == nullptr || cpu == nullptr) return E_INVALIDARG;
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  *gpu = *cpu = static_cast<UINT64>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
  return S_OK;
}

HRESULT CommandQueue::Push(Item item) noexcept {
  try {
    const std::scoped_lock lock(mutex_);
    items_.push_back(std::move(item));
  } catch (const std::bad_alloc&) {
    return E_OUTOFMEMORY;
  }
  available_.notify_one();
  return S_OK;
}

void CommandQueue::RunItems() noexcept {
  for (;;) {
    Item item;
    {
      std::unique_lock lock(mutex_);
      available_.wait(lock, [&] { return !items_.empty() || stopping_.load(); });
      if (items_.empty()) return;
      item = std::move(items_.front());
      items_.pop_front();
    }
    if (item.is_wait) {
      if (!WaitFor(item)) return;
    } else if (item.fence != nullptr) {
      item.fence->Signal(item.value);
    } else {
      for (const Ref<IHostWork>& work : item.work) work->Run();
    }
  }
}

bool CommandQueue::WaitFor(const Item& item) noexcept {
  {
    const std::scoped_lock lock(mutex_);
    waiting_for_ = item.fence;
  }
  const bool reached = item.fence->Wait(item.value, stopping_);
  const std::scoped_lock lock(mutex_);
  waiting_for_ = nullptr;
  return reached;
}

}  // namespace residue
