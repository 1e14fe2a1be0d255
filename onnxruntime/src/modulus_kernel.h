// One node of a session: computes when ONNX Runtime asks, on its threads.
#pragma once

#include "api.h"
#include "element_types.h"
#include "kernel_tensors.h"

namespace residue::ort {

class ModulusKernel {
 public:
  ModulusKernel(const Api& api, residue_operator op, const TypeRow& type) noexcept
      : api_(api), op_(op), type_(type) {}

  const Api& api() const noexcept { return api_; }

  // May throw std::bad_alloc.
  Status* Compute(KernelContext* context) const;

 private:
  Status* RunBfloat16(const InputTensor& a, const InputTensor& b, void* out, size_t count,
                      KernelContext* context) const;
  Status* Run(const InputTensor& a, const InputTensor& b, void* out, KernelContext* context) const;

  Api api_;
  residue_operator op_;
  TypeRow type_;
};

}  // namespace residue::ort
