// The calls that need no plan: one row of packed elements, or one against a row, too small to be shared.
#pragma once

#include <cstdint>

#include "cpu/engine/float_environment.h"
#include "cpu/engine/partition.h"
#include "cpu/rows/row.h"

namespace residue {

// Longer rows are shared between threads and streamed past the caches. Those whose exceptions are asked for
// should be read while they are in the first cache.
inline constexpr uint64_t kMostPlainRowBytes = kSmallestSharedBytes - 1;
inline constexpr uint64_t kMostDetectedRowBytes = uint64_t{16} * 1024;

// The input is the output, element for element, or lies apart from it; and it ends where memory may end.
inline bool IsSameOrApart(const void* input, bool packed, const void* out, uint64_t bytes) noexcept {
  const auto from = reinterpret_cast<uintptr_t>(input);
  const auto to = reinterpret_cast<uintptr_t>(out);
  if (from > UINTPTR_MAX - bytes) return false;
  return from == to ? packed : (from > to ? from - to : to - from) >= bytes;
}

// Computes `count` elements if everything about them is plain to see: they are packed or one, not null,
// and the output is an input or apart from it. Otherwise does nothing and returns false: a plan has the
// answer. Strides are in bytes, the inputs' and then the output's. Unless it is nullptr, `exceptions` gets
// those of the elements added.
inline bool RunPlainRow(OperatorId op, DataType type, const void* params, const void* const* in,
                        const int64_t* strides, void* out, uint64_t count, Exceptions* exceptions) noexcept {
  const uint64_t most = exceptions == nullptr ? kMostPlainRowBytes : kMostDetectedRowBytes;
  if (count == 0 || count > most) return false;
  const OperatorTraits& traits = TraitsOf(op);
  const uint32_t inputs = traits.inputs;
  if (!Contains(traits.types, type) || traits.output.has_value()) return false;
  const uint64_t size = SizeOf(type);
  const auto packed = static_cast<int64_t>(size);
  if (count * size > most) return false;
  const uint64_t bytes = count * size;
  if (out == nullptr || strides[inputs] != packed || !IsSameOrApart(out, true, out, bytes)) return false;
  Row row;
  row.single = 0;
  for (uint32_t i = 0; i < inputs; ++i) {
    const bool single = strides[i] == 0;
    if (in[i] == nullptr || (strides[i] != packed && !single)) return false;
    if (!IsSameOrApart(in[i], !single, out, bytes)) return false;
    row.in[i] = in[i];
    row.single = static_cast<uint8_t>(row.single | (single ? 1u << i : 0u));
  }
  row.out = out;
  row.count = static_cast<size_t>(count);
  row.params = params;
  row.stream = false;
  row.detect = exceptions != nullptr;
  const ScopedFloatEnvironment environment;
  const Exceptions found = FindBestRow({op, type}).run(row);
  if (exceptions != nullptr) *exceptions |= found;
  return true;
}

}  // namespace residue
