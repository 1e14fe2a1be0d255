// A claimed part of a model as ONNX Runtime runs it: one node whose inputs and outputs are tensors.
#pragma once

#include "plan_cache.h"
#include "provider_abi.h"

namespace residue::ort {

class FusedNode : public NodeComputeInfo {
 public:
  FusedNode(const Api& api, Program program, uint32_t threads);

 private:
  Status* Run(KernelContext* context) const;

  const PlanCache plans_;
};

}  // namespace residue::ort
