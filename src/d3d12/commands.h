// The commands of our own that a list can hold; DirectML adds its dispatches to these.
#pragma once

#include "com/com_object.h"
#include "d3d12/descriptor_heap.h"
#include "d3d12/host_interfaces.h"
#include "d3d12/usage_record.h"

namespace residue {

// A command that is its own work: nothing about it changes between recording and execution.
class ImmutableCommand : public ComObject<IHostCommand, IHostWork> {
 public:
  IHostWork* Submit() noexcept final {
    AddRef();
    return this;
  }

 private:
  void* FindInterface(REFIID iid) noexcept final {
    return MatchInterface<IUnknown>(iid, static_cast<IHostCommand*>(this));
  }
};

class CopyCommand final : public ImmutableCommand {
 public:
  struct Side {
    Ref<IDeviceMemory> memory;
    uint64_t offset;
    DevicePlace place() const noexcept { return {memory.get(), offset}; }
  };
  CopyCommand(Side to, Side from, uint64_t size) noexcept
      : to_(std::move(to)), from_(std::move(from)), size_(size) {}
  void Encode(IDeviceStream& stream) noexcept override;
  uint64_t Bytes() const noexcept override { return 2 * size_; }

 private:
  const Side to_;
  const Side from_;
  const uint64_t size_;
};

// Fills a view with the first of four values, as wide as the view's elements.
class ClearCommand final : public ImmutableCommand {
 public:
  ClearCommand(CopyCommand::Side to, const BufferView& view, const UINT values[4]) noexcept;
  void Encode(IDeviceStream& stream) noexcept override;
  uint64_t Bytes() const noexcept override { return size_; }

 private:
  const CopyCommand::Side to_;
  const uint64_t size_;
  const uint32_t element_size_;
  std::byte pattern_[16];
};

// The buffer behind a resource, or an empty memory if it is not one of this device.
struct BufferOf {
  Ref<IDeviceMemory> memory;
  Ref<UsageRecord> record;
  HostBuffer buffer;
};
BufferOf DescribeBuffer(ID3D12Resource* resource, const ID3D12Device* device) noexcept;

}  // namespace residue
