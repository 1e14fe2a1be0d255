// The calls that would be over before a plan is made: a few packed elements, or one against a few.
#pragma once

#include <cstdint>

#include "exec/float_environment.h"
#include "exec/tile_walk.h"
#include "kernels/kernel.h"

namespace residue {

// Longer rows are better off with a kernel that prepares, unrolls and streams, whatever a plan costs.
inline constexpr uint64_t kMostShortRowBytes = 1024;

// The input is the output, element for element, or lies apart from it; and it ends where memory may end.
inline bool IsSameOrApart(const std::byte* input, bool packed, const std::byte* out,
                          uint64_t bytes) noexcept {
  const auto from = reinterpret_cast<uintptr_t>(input);
  const auto to = reinterpret_cast<uintptr_t>(out);
  if (from > UINTPTR_MAX - bytes) return false;
  return from == to ? packed : (from > to ? from - to : to - from) >= bytes;
}

// Computes `count` elements if everything about them is plain to see: they are few, packed or one, not null,
// and the output is an input or apart from it. Otherwise does nothing and returns false: a plan has the
// answer. Strides are in bytes. Unless it is nullptr, `exceptions` gets those of the elements added.
inline bool RunShortRow(OperatorId op, DataType type, Addresses at, OperandStrides stride, uint64_t count,
                        Exceptions* exceptions) noexcept {
  const uint64_t size = SizeOf(type);
  const auto packed = static_cast<ptrdiff_t>(size);
  if (size == 0 || count == 0 || count > kMostShortRowBytes || count * size > kMostShortRowBytes)
    return false;
  if (ExceptionRuleOf(op) == ExceptionRule::kNone || at.a == nullptr || at.b == nullptr ||
      at.out == nullptr) {
    return false;
  }
  const bool one_a = stride.a == 0;
  const bool one_b = stride.b == 0;
  if (stride.out != packed || (stride.a != packed && !one_a) || (stride.b != packed && !one_b)) return false;
  const uint64_t bytes = count * size;
  if (!IsSameOrApart(at.a, !one_a, at.out, bytes) || !IsSameOrApart(at.b, !one_b, at.out, bytes))
    return false;
  if (!IsSameOrApart(at.out, true, at.out, bytes)) return false;

  const Kernel& kernel = FindBestKernel(op, type, Form::kVectorVector);
  const ShortRow row = {at.a, at.b, at.out, static_cast<size_t>(count), one_a, one_b};
  const ScopedFloatEnvironment environment;
  const Exceptions found = kernel.run_short(row);
  if (exceptions != nullptr) *exceptions |= found;
  return true;
}

}  // namespace residue
