// ID3D12CommandAllocator: only the rule that one list at a time records into it; lists own their commands.
#pragma once

#include <atomic>

#include "d3d12/device_child.h"
#include "d3d12/watch.h"

namespace residue {

inline constexpr GUID kIidCommandAllocator = {
    0x4e8a1c52, 0x77b3, 0x4f0d, {0x9a, 0x61, 0x2d, 0x35, 0xc8, 0x10, 0xe4, 0x13}};

class CommandAllocator final : public DeviceChild<ID3D12CommandAllocator> {
 public:
  static HRESULT Create(ID3D12Device* device, int32_t type, REFIID iid, void** allocator) noexcept {
    if (allocator != nullptr) *allocator = nullptr;
    if (type < D3D12_COMMAND_LIST_TYPE_DIRECT || type > D3D12_COMMAND_LIST_TYPE_COPY) {
      return Refused(device, E_INVALIDARG, D3D12_MESSAGE_ID_CREATE_COMMANDALLOCATOR,
                     "the type of a command allocator does not exist");
    }
    return FinishCreate(TryMake<CommandAllocator>(device, static_cast<D3D12_COMMAND_LIST_TYPE>(type)), iid,
                        allocator);
  }
  CommandAllocator(ID3D12Device* device, D3D12_COMMAND_LIST_TYPE type)  // may throw bad_alloc
      : DeviceChild(device),
        type_(type),
        record_(MakeRecord(device, "command allocator", D3D12_HEAP_TYPE_DEFAULT)) {}

  HRESULT STDMETHODCALLTYPE Reset() noexcept override;
  const Ref<UsageRecord>& record() const noexcept { return record_; }

  D3D12_COMMAND_LIST_TYPE type() const noexcept { return type_; }
  // False if another list records into it.
  bool Claim() noexcept { return !in_use_.exchange(true); }
  void Unclaim() noexcept { in_use_.store(false); }

 private:
  void* FindInterface(REFIID iid) noexcept override {
    return iid == kIidCommandAllocator ? this : DeviceChild::FindInterface(iid);
  }

  const D3D12_COMMAND_LIST_TYPE type_;
  const Ref<UsageRecord> record_;  // empty without the debug layer
  std::atomic<bool> in_use_{false};
};

// Lists own their commands, so that nothing is lost; a GPU's commands would be.
inline HRESULT CommandAllocator::Reset() noexcept {
  if (record_ && record_->IsInFlight()) {
    TellMistake(device(), D3D12_MESSAGE_CATEGORY_EXECUTION, D3D12_MESSAGE_ID_COMMAND_ALLOCATOR_SYNC,
                "a command allocator was reset before the lists recorded with it have finished: wait for a "
                "fence that is signalled behind them first");
  }
  return in_use_.load() ? E_FAIL : S_OK;
}

}  // namespace residue
