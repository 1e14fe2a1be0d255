// A request that was checked, reduced to loops and given a kernel. Immutable, a plain value: it may be
// copied, shared between threads, and run any number of times.
#pragma once

#include "kernels/kernel.h"
#include "plan/layout.h"
#include "plan/request.h"

namespace residue {

struct Plan {
  OpRequest request;
  Layout layout;
  KernelKey key;
  Kernel kernel;
};

// Makes a plan with the best kernel no better than `max_target`; plan->request is what is wanted.
Status CompletePlan(Target max_target, Plan* plan) noexcept;

Status MakePlan(const OpRequest& request, Target max_target, Plan* plan) noexcept;

}  // namespace residue
