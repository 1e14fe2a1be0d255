// Most tests are about operators of two inputs: short forms for their operands.
#pragma once

#include "cpu/engine/plan.h"
#include "cpu/engine/tile_walk.h"

namespace residue::testing {

inline constexpr uint32_t kOperandOut = 2;
inline constexpr uint32_t kOperandCount = 3;

// The addresses of an operator's operands; inputs are only read, and b only if there are two.
inline Addresses AddressesOf(OperatorId op, const void* a, const void* b, void* out) {
  Addresses addresses{};
  addresses[kOperandA] = static_cast<std::byte*>(const_cast<void*>(a));
  addresses[kOperandB] = static_cast<std::byte*>(const_cast<void*>(b));
  addresses[InputCount(op)] = static_cast<std::byte*>(out);
  return addresses;
}
inline Addresses AddressesOf(const void* a, const void* b, void* out) {
  return AddressesOf(OperatorId::kModulusFloor, a, b, out);
}

// The layout of a request, or why it has none.
inline Status MakeLayout(const OpRequest& request, Layout* layout) {
  Plan plan;
  const Status status = MakePlan(request, BestTarget(), &plan);
  if (status.ok()) *layout = plan.layout;
  return status;
}

}  // namespace residue::testing
