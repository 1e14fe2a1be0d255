// A program as a node of a session runs it: bound to the shapes that come, of which the last are kept.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "api.h"
#include "bound_program.h"

namespace residue::ort {

class PlanCache {
 public:
  // A node uses at most so many threads of ONNX Runtime's pool; 0 for all.
  PlanCache(const Api& api, Program program, uint32_t threads)
      : api_(api), program_(std::move(program)), threads_(threads) {}

  const Api& api() const noexcept { return api_; }
  const Program& program() const noexcept { return program_; }

  // From any thread. All of these may throw std::bad_alloc.
  Status* Find(std::span<const InputTensor> inputs, std::shared_ptr<const BoundProgram>* bound) const;
  Status* Run(const BoundProgram& bound, std::span<const InputTensor> inputs, std::span<void* const> outputs,
              KernelContext* context) const;

 private:
  struct Plan {
    std::vector<Shape> shapes;  // of the inputs
    std::shared_ptr<const BoundProgram> bound;
  };

  const Api api_;
  const Program program_;
  const uint32_t threads_;
  mutable std::mutex mutex_;
  mutable std::vector<Plan> plans_;  // the latest first
};

}  // namespace residue::ort
