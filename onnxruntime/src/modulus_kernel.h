// One node of a session, as a custom operator: computes when ONNX Runtime asks, on its threads.
#pragma once

#include "element_types.h"
#include "plan_cache.h"

namespace residue::ort {

class ModulusKernel {
 public:
  // May throw std::bad_alloc, as the other.
  ModulusKernel(const Api& api, residue_operator op, const TypeRow& type);

  const Api& api() const noexcept { return plans_.api(); }

  Status* Compute(KernelContext* context) const;

 private:
  const TypeRow type_;
  const PlanCache plans_;
};

}  // namespace residue::ort
