// ID3D12QueryHeap for timestamps, and the commands that take and resolve them. Other queries need a pipeline.
#pragma once

#include <memory>
#include <vector>

#include "d3d12/commands.h"
#include "d3d12/device_child.h"

namespace residue {

inline constexpr GUID kIidQueryHeap = {
    0x4e8a1c52, 0x77b3, 0x4f0d, {0x9a, 0x61, 0x2d, 0x35, 0xc8, 0x10, 0xe4, 0x16}};

// Nanoseconds, of a clock that never goes back.
inline constexpr uint64_t kTimestampFrequency = 1'000'000'000;
uint64_t TimestampNow() noexcept;

// Shared by the object and recorded commands. Only the thread that runs a queue's work writes or reads an
// entry; who uses one heap on two queues must order them with fences, as for any memory.
using Timestamps = std::vector<uint64_t>;

class QueryHeap final : public DeviceChild<ID3D12QueryHeap> {
 public:
  static HRESULT Create(ID3D12Device* device, const D3D12_QUERY_HEAP_DESC* desc, REFIID iid,
                        void** heap) noexcept;
  QueryHeap(ID3D12Device* device, std::shared_ptr<Timestamps> timestamps) noexcept
      : DeviceChild(device), timestamps_(std::move(timestamps)) {}
  const std::shared_ptr<Timestamps>& timestamps() const noexcept { return timestamps_; }

 private:
  void* FindInterface(REFIID iid) noexcept override {
    return iid == kIidQueryHeap ? this : DeviceChild::FindInterface(iid);
  }
  const std::shared_ptr<Timestamps> timestamps_;
};

// Takes the time when all work before it is done.
class TimestampCommand final : public ImmutableCommand {
 public:
  TimestampCommand(std::shared_ptr<Timestamps> timestamps, uint32_t index) noexcept
      : timestamps_(std::move(timestamps)), index_(index) {}
  void Encode(IDeviceStream& stream) noexcept override;
  uint64_t Bytes() const noexcept override { return sizeof(uint64_t); }

 private:
  const std::shared_ptr<Timestamps> timestamps_;
  const uint32_t index_;
};

// Writes times into a buffer.
class ResolveCommand final : public ImmutableCommand {
 public:
  ResolveCommand(std::shared_ptr<Timestamps> timestamps, uint32_t first, uint32_t count,
                 CopyCommand::Side to) noexcept
      : timestamps_(std::move(timestamps)), first_(first), count_(count), to_(std::move(to)) {}
  void Encode(IDeviceStream& stream) noexcept override;
  uint64_t Bytes() const noexcept override { return count_ * sizeof(uint64_t); }

 private:
  const std::shared_ptr<Timestamps> timestamps_;
  const uint32_t first_;
  const uint32_t count_;
  const CopyCommand::Side to_;
};

}  // namespace residue
