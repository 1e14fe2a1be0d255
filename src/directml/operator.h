// IDMLOperator: a checked description, nothing else.
#pragma once

#include "directml/dml_object.h"
#include "directml/operator_desc.h"

namespace residue {

inline constexpr GUID kIidOperatorObject = {
    0x9d1f60c4, 0x3a0e, 0x4c86, {0xb5, 0x17, 0x60, 0x0d, 0x93, 0x7a, 0x2c, 0x01}};

class Operator final : public DmlChild<IDMLOperator> {
 public:
  Operator(IDMLDevice* device, std::shared_ptr<DeviceState> state, const OperatorRequest& request) noexcept
      : DmlChild(device, std::move(state)), request_(request) {}

  const OperatorRequest& request() const noexcept { return request_; }

 private:
  void* FindInterface(REFIID iid) noexcept override {
    if (iid == kIidOperatorObject) return this;
    return MatchInterface<IDMLOperator, IDMLDeviceChild, IDMLObject, IUnknown>(iid, this);
  }

  const OperatorRequest request_;
};

}  // namespace residue
