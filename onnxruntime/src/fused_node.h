// A claimed part of a model as ONNX Runtime runs it: one node whose inputs and outputs are tensors.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "api.h"
#include "program.h"
#include "provider_abi.h"

namespace residue::ort {

class FusedNode : public NodeComputeInfo {
 public:
  FusedNode(const Api& api, Program program, uint32_t threads);

  Status* Run(KernelContext* context) const;

 private:
  struct Plan {
    std::vector<Shape> shapes;  // of the inputs
    std::shared_ptr<const BoundProgram> bound;
  };

  Status* FindPlan(const std::vector<Shape>& shapes, std::shared_ptr<const BoundProgram>* bound) const;

  const Api api_;
  const Program program_;
  const uint32_t threads_;
  // For the shapes that were seen last, the latest first. Sessions run on several threads.
  mutable std::mutex mutex_;
  mutable std::vector<Plan> plans_;
};

}  // namespace residue::ort
