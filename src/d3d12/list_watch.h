// What the debug layer looks at while a command list is recorded, and the log that is checked when the list
// is executed (usage_check.h).
#pragma once

#include <variant>
#include <vector>

#include "d3d12/host_interfaces.h"
#include "d3d12/usage_record.h"

namespace residue {

// States are numbers: a program may say any.
using BufferState = int32_t;

// A part of a buffer that a command needs in a state.
struct BufferUse {
  Ref<UsageRecord> record;
  uint64_t offset;
  uint64_t size;
  bool written;
  BufferState state;
  uint32_t command;  // which one of its list: uses of one command do not stand in each other's way
};

// Of one buffer, or of all if the record is empty. An unordered access barrier has no states.
struct BufferBarrier {
  Ref<UsageRecord> record;
  bool is_transition;
  BufferState before;
  BufferState after;
};

using UsageLog = std::vector<std::variant<BufferUse, BufferBarrier>>;

// All functions may throw bad_alloc.
class ListWatch {
 public:
  // The list's device, which outlives this.
  explicit ListWatch(IHostDevice* device) noexcept : device_(device) {}

  void Reset() noexcept;
  void SetHeaps(UINT count, ID3D12DescriptorHeap* const* heaps);
  void Dispatch(const HostDispatch& dispatch);
  void Use(Ref<UsageRecord> record, uint64_t offset, uint64_t size, D3D12_RESOURCE_STATES state);
  void NextCommand() noexcept { ++command_; }
  // The record is that of the barrier's resource; empty if it names none.
  void Barrier(const D3D12_RESOURCE_BARRIER& barrier, Ref<UsageRecord> record);

  const UsageLog& log() const noexcept { return log_; }

 private:
  struct Descriptors {
    uint64_t begin;
    uint64_t end;
    uint64_t table;
  };
  void CheckDescriptors(const Descriptors& used);

  IHostDevice* const device_;
  std::vector<Descriptors> heaps_;   // those that are set
  std::vector<Descriptors> tables_;  // those of dispatches so far
  UsageLog log_;
  uint32_t command_ = 0;
};

}  // namespace residue
