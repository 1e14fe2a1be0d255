// The calls that need no plan: one row of packed elements, or one against a row, too small to be shared.
#pragma once

#include <cstdint>

#include "core/float_environment.h"
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
// answer. Strides are in bytes. Unless it is nullptr, `exceptions` gets those of the elements added.
// Operators of more than kInputs inputs need a plan too: a number that the compiler knows keeps everything in
// registers.
template <uint32_t kInputs = kMostInputs>
[[gnu::always_inline]] inline bool RunPlainRow(const SmallRow& small, const void* params,
                                               const void* const* in, const int64_t* strides, void* out,
                                               int64_t out_stride, uint64_t count,
                                               Exceptions* exceptions) noexcept {
  const uint64_t most = exceptions == nullptr ? kMostPlainRowBytes : kMostDetectedRowBytes;
  if (count == 0 || count > most) return false;
  const auto size = static_cast<int64_t>(small.input_bytes);
  const uint64_t bytes = count * small.widest_bytes;
  if (size == 0 || bytes > most || small.inputs > kInputs) return false;
  if (out == nullptr || out_stride != small.result_bytes || !IsSameOrApart(out, true, out, bytes))
    return false;
  const bool same_size = small.input_bytes == small.result_bytes;
  Row row;
  row.single = 0;
  for (uint32_t i = 0; i < kInputs; ++i) {
    if (i >= small.inputs) break;
    const bool single = strides[i] == 0;
    if (in[i] == nullptr || (strides[i] != size && !single)) return false;
    if (!IsSameOrApart(in[i], !single && same_size, out, bytes)) return false;
    row.in[i] = in[i];
    row.single = static_cast<uint8_t>(row.single | (single ? 1u << i : 0u));
  }
  row.out = out;
  row.count = static_cast<size_t>(count);
  row.params = params;
  row.stream = false;
  row.detect = exceptions != nullptr;
  const ScopedFloatEnvironment environment;
  const Exceptions found = small.run(row);
  if (exceptions != nullptr) *exceptions |= found;
  return true;
}

}  // namespace residue
