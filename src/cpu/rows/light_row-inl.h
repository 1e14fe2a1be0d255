// Light rows: operators so cheap that the way to their elements costs more than they do. Each has small loops
// over whole vectors (light_loop-inl.h). What else a row needs (one element for all, a last part, what lies
// before the first line of a streamed output) happens around those loops, once for all of them. Included once
// per target.

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_LIGHT_ROW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_LIGHT_ROW_INL_H_
#undef RESIDUE_CPU_ROWS_LIGHT_ROW_INL_H_
#else
#define RESIDUE_CPU_ROWS_LIGHT_ROW_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/exceptions.h"
#include "core/operator_id.h"
#include "cpu/rows/detect_result-inl.h"
#include "cpu/rows/light_loop-inl.h"
#include "cpu/rows/partial-inl.h"
#include "cpu/rows/row.h"
#include "cpu/rows/row_loop-inl.h"
#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Where vectors have one lane, that of the largest element counts.
inline constexpr size_t kMostVectorBytes = std::max<size_t>(HWY_LANES(uint8_t), sizeof(uint64_t));

template <class U>
HWY_INLINE void RepeatAs(const void* from, std::byte* to) {
  hn::StoreU(hn::Set(hn::ScalableTag<U>(), LoadScalar(static_cast<const U*>(from))), hn::ScalableTag<U>(),
             reinterpret_cast<U*>(to));
}

// A vector of copies of one element.
HWY_INLINE void Repeat(const void* from, size_t element_bytes, std::byte* to) {
  switch (element_bytes) {
    case 1:
      return RepeatAs<uint8_t>(from, to);
    case 2:
      return RepeatAs<uint16_t>(from, to);
    case 4:
      return RepeatAs<uint32_t>(from, to);
    default:
      return RepeatAs<uint64_t>(from, to);
  }
}

// The rest of the vector stays as it is.
HWY_INLINE void CopyPart(const std::byte* from, size_t bytes, std::byte* to) {
#if RESIDUE_AVX3
  const Bytes d;
  const auto mask = hn::FirstN(d, bytes);
  hn::BlendedStore(hn::MaskedLoad(mask, d, reinterpret_cast<const uint8_t*>(from)), mask, d,
                   reinterpret_cast<uint8_t*>(to));
#else
  std::memcpy(to, from, bytes);
#endif
}

using VectorBytes = std::byte[kMostVectorBytes];

// Inputs that are one element for all become vectors of copies, in `vectors`.
HWY_INLINE LightCall PrepareCall(const Row& row, const LightCode& code, VectorBytes* vectors) {
  LightCall call;
  for (size_t k = 0; k < code.inputs; ++k) {
    const bool single = (row.single >> k & 1) != 0;
    if (single) Repeat(row.in[k], code.in_bytes[k], vectors[k]);
    call.in[k] = single ? vectors[k] : static_cast<const std::byte*>(row.in[k]);
    call.step[k] = single ? 0 : code.lanes * code.in_bytes[k];
  }
  call.out = static_cast<std::byte*>(row.out);
  call.params = row.params;
  return call;
}

// Idle lanes of a last part repeat its first element where exceptions are asked for, so that they are
// elements of the row as well; elsewhere they are 0.
HWY_NOINLINE inline Exceptions RunLightRow(const Row& row, const LightCode& code) {
  HWY_ALIGN VectorBytes vectors[kMostInputs + 1];
  const bool detect = row.detect && code.plain.detect != nullptr;
  const auto run = detect ? code.plain.detect : code.plain.run;
  LightCall call = PrepareCall(row, code, vectors);
  const int shift = std::countr_zero(code.lanes);  // a division would take as long as the loop of a short row
  call.vectors = row.count >> shift;
  Exceptions found = kNoException;
  if (call.vectors != 0) found = run(call);
  const size_t rest = row.count - (call.vectors << shift);
  if (rest == 0) return found;
  for (size_t k = 0; k < code.inputs; ++k) {
    if (call.step[k] == 0) continue;
    const std::byte* from = call.in[k] + call.vectors * call.step[k];
    if (detect) {
      Repeat(from, code.in_bytes[k], vectors[k]);
    } else {
      hn::StoreU(hn::Zero(Bytes()), Bytes(), reinterpret_cast<uint8_t*>(vectors[k]));
    }
    CopyPart(from, rest * code.in_bytes[k], vectors[k]);
    call.in[k] = vectors[k];
  }
  std::byte* out = call.out + call.vectors * code.lanes * code.out_bytes;
  call.out = vectors[kMostInputs];
  call.vectors = 1;
  found |= run(call);
  CopyPart(call.out, rest * code.out_bytes, out);
  return found;
}

// The part of a row that begins with element `first`.
HWY_INLINE Row PartOf(const Row& row, const LightCode& code, size_t first, size_t count) {
  Row part = row;
  for (size_t k = 0; k < code.inputs; ++k) {
    const bool single = (row.single >> k & 1) != 0;
    part.in[k] = static_cast<const std::byte*>(row.in[k]) + (single ? 0 : first * code.in_bytes[k]);
  }
  part.out = static_cast<std::byte*>(row.out) + first * code.out_bytes;
  part.count = count;
  return part;
}

// Windows of two pages of the largest operand at most, of two turns at least. Rows shorter than the longest
// window are blocks of a pass: the engine asks for what comes next. The caller must flush in the end.
HWY_NOINLINE inline Exceptions StreamLightRow(const Row& row, const LightCode& code) {
  constexpr size_t kPageBytes = 4096;
  const auto* in_bytes_end = code.in_bytes + code.inputs;
  const size_t smallest = std::min(code.out_bytes, *std::min_element(code.in_bytes, in_bytes_end));
  const size_t largest = std::max(code.out_bytes, *std::max_element(code.in_bytes, in_bytes_end));
  const size_t longest = 2 * kPageBytes / largest;
  const Streamed streamed =
      FindStreamed(row.out, code.out_bytes, row.count, 2 * TurnElements(smallest), longest);
  if (streamed.count == 0) return RunLightRow(row, code);
  const size_t rest = streamed.head + streamed.count;
  HWY_ALIGN VectorBytes vectors[kMostInputs];
  LightCall call = PrepareCall(PartOf(row, code, streamed.head, streamed.count), code, vectors);
  call.vectors = streamed.count / code.lanes;
  call.window = streamed.window / code.lanes;
  call.part = streamed.window == longest ? call.window / 2 : call.window;
  call.ahead = streamed.window == longest ? call.window : 0;
  const bool detect = row.detect && code.stream.detect != nullptr;
  Exceptions found = RunLightRow(PartOf(row, code, 0, streamed.head), code);
  found |= detect ? code.stream.detect(call) : code.stream.run(call);
  return found | RunLightRow(PartOf(row, code, rest, row.count - rest), code);
}

template <class Math, ExceptionRule kRule>
Exceptions RunLight(const Row& row) noexcept {
  constexpr bool kFromResults = IsSeenFromResults(kRule);
  const LightCode code = Math::template Code < Math, kRule != ExceptionRule::kNone && !kFromResults > ();
  if constexpr (kFromResults) {
    if (row.detect) {
      constexpr bool kHasPoles = kRule == ExceptionRule::kPole;
      return RunAndCompare(row, &RunLight<Math, kRule>, code.inputs, code.in_bytes[0], code.out_bytes,
                           kHasPoles);
    }
  }
  if constexpr (kStreams) {
    if (row.stream) return StreamLightRow(row, code);
  }
  return RunLightRow(row, code);
}

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
