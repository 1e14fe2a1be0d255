// A recorded dispatch: made from a table's bindings when it is recorded or, with volatile descriptors, each
// time it is submitted; run by the queue.
#pragma once

#include <memory>

#include "d3d12/host_interfaces.h"
#include "directml/bindings.h"
#include "directml/dispatchable.h"

namespace residue {

// What can run: the target with all its memory. Immutable.
class DispatchWork final : public ComObject<IHostWork> {
 public:
  // May throw bad_alloc.
  DispatchWork(std::shared_ptr<DeviceState> state, std::shared_ptr<const DispatchTarget> target,
               Bindings bindings);
  void Encode(IDeviceStream& stream) noexcept override;
  uint64_t Bytes() const noexcept override { return bytes_; }

 private:
  void* FindInterface(REFIID iid) noexcept override;
  void Initialize(IDeviceStream& stream) noexcept;
  void Execute(IDeviceStream& stream) noexcept;

  const std::shared_ptr<DeviceState> state_;
  const std::shared_ptr<const DispatchTarget> target_;
  const Bindings bindings_;
  std::vector<DevicePlace> inputs_;  // of a program; owned ones are in the persistent resource
  std::vector<DevicePlace> outputs_;
  uint64_t bytes_ = 0;
};

// Complete and free of hazards, or a refusal. May throw bad_alloc.
Refusal MakeWork(const std::shared_ptr<DeviceState>& state,
                 const std::shared_ptr<const DispatchTarget>& target, const Bindings& bindings,
                 Ref<DispatchWork>* work);

class DispatchCommand final : public ComObject<IHostCommand> {
 public:
  // Bindings fixed: the same work at every submission.
  explicit DispatchCommand(Ref<DispatchWork> work) noexcept : work_(std::move(work)) {}
  // Bindings read at every submission.
  DispatchCommand(std::shared_ptr<DeviceState> state, std::shared_ptr<const DispatchTarget> target,
                  std::shared_ptr<const Bindings> bindings) noexcept
      : state_(std::move(state)), target_(std::move(target)), bindings_(std::move(bindings)) {}
  IHostWork* Submit() noexcept override;

 private:
  void* FindInterface(REFIID iid) noexcept override;

  const Ref<DispatchWork> work_;
  const std::shared_ptr<DeviceState> state_;
  const std::shared_ptr<const DispatchTarget> target_;
  const std::shared_ptr<const Bindings> bindings_;
};

}  // namespace residue
