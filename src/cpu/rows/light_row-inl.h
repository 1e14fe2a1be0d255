// Light rows: operators so cheap that the way to their elements costs more than they do. Each is one small
// loop over whole vectors. What else a row needs (one element for all, a last part, stores past the caches)
// happens around that loop, once for all of them. Operands may have different element types. Included once
// per target.
//
// The shape of a light functor:
//   Elements<Widest, Result, Inputs...>   its base: the type whose lanes fill a vector, and the element types
//   operator()(inputs...)                 one vector of results from one of each input; nothing that can trap
// One with params has a constructor that takes their address, and no other. One with exceptions also has
//   Seen, Nothing(), Verdict(seen)        what was seen so far; at first; in the end
//   See(seen, inputs...)                  the same with one more vector

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_LIGHT_ROW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_LIGHT_ROW_INL_H_
#undef RESIDUE_CPU_ROWS_LIGHT_ROW_INL_H_
#else
#define RESIDUE_CPU_ROWS_LIGHT_ROW_INL_H_
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "core/exceptions.h"
#include "cpu/rows/partial-inl.h"
#include "cpu/rows/row.h"
#include "cpu/rows/row_loop-inl.h"
#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Whole vectors. Inputs that are one element for all have a step of 0 and lie in a vector of copies.
struct LightCall {
  const std::byte* in[kMostInputs];
  size_t step[kMostInputs];  // from one vector to the next, in bytes
  std::byte* out;
  size_t vectors;
  const void* params;
};

// What a row needs to know of its functor.
struct LightCode {
  Exceptions (*run)(const LightCall& call);
  Exceptions (*detect)(const LightCall& call);  // computes the same; nullptr if there are no exceptions
  size_t lanes;                                 // elements of a vector
  uint8_t inputs;
  uint8_t in_bytes[kMostInputs];  // of an element
  uint8_t out_bytes;
};

template <class Widest, class R, class... I>
struct Elements {
  using Tag = hn::ScalableTag<Widest>;
  template <class T>
  using Vector = hn::Vec<hn::Rebind<T, Tag>>;
  using Result = Vector<R>;

  template <class Math, bool kDetect>
  static Exceptions RunLoop(const LightCall& call) {
    return Loop<Math, kDetect>(call, std::index_sequence_for<I...>());
  }

  template <class Math, bool kHasExceptions>
  static HWY_INLINE LightCode Code() {
    LightCode code = {&RunLoop<Math, false>, nullptr,        hn::Lanes(Tag()),
                      sizeof...(I),          {sizeof(I)...}, sizeof(R)};
    if constexpr (kHasExceptions) code.detect = &RunLoop<Math, true>;
    return code;
  }

 private:
  template <class Math, bool kDetect, size_t... k>
  static HWY_INLINE Exceptions Loop(const LightCall& call, std::index_sequence<k...>) {
    const Math math = MakeMath<Math>(call.params);
    const std::byte* in[] = {call.in[k]...};
    const size_t step[] = {call.step[k]...};
    std::byte* out = call.out;
    const hn::Rebind<R, Tag> results;
    const auto next = [&](const auto& visit) RESIDUE_ALWAYS_INLINE {
      visit(hn::LoadU(hn::Rebind<I, Tag>(), reinterpret_cast<const I*>(in[k]))...);
      ((in[k] += step[k]), ...);
      out += hn::Lanes(results) * sizeof(R);
    };
    if constexpr (kDetect) {
      auto seen = Math::Nothing();
      for (size_t left = call.vectors; left != 0; --left) {
        next([&](auto... v) RESIDUE_ALWAYS_INLINE {
          seen = math.See(seen, v...);
          hn::StoreU(math(v...), results, reinterpret_cast<R*>(out));
        });
      }
      return Math::Verdict(seen);
    } else {
      HWY_UNROLL(2)
      for (size_t left = call.vectors; left != 0; --left) {
        next([&](auto... v)
                 RESIDUE_ALWAYS_INLINE { hn::StoreU(math(v...), results, reinterpret_cast<R*>(out)); });
      }
      return kNoException;
    }
  }
};

using Bytes = hn::ScalableTag<uint8_t>;
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

// Idle lanes of a last part repeat its first element where exceptions are asked for, so that they are
// elements of the row as well; elsewhere they are 0.
HWY_NOINLINE inline Exceptions RunLightRow(const Row& row, const LightCode& code) {
  HWY_ALIGN std::byte vectors[kMostInputs + 1][kMostVectorBytes];
  const bool detect = row.detect && code.detect != nullptr;
  const auto run = detect ? code.detect : code.run;
  LightCall call;
  for (size_t k = 0; k < code.inputs; ++k) {
    const bool single = (row.single >> k & 1) != 0;
    if (single) Repeat(row.in[k], code.in_bytes[k], vectors[k]);
    call.in[k] = single ? vectors[k] : static_cast<const std::byte*>(row.in[k]);
    call.step[k] = single ? 0 : code.lanes * code.in_bytes[k];
  }
  call.out = static_cast<std::byte*>(row.out);
  call.vectors = row.count / code.lanes;
  call.params = row.params;
  Exceptions found = kNoException;
  if (call.vectors != 0) found = run(call);
  const size_t rest = row.count % code.lanes;
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

// Stores past the caches; `to` is aligned to a line, and both are whole lines.
HWY_INLINE void StreamLines(const std::byte* from, std::byte* to, size_t bytes) {
  const Bytes d;
  for (size_t i = 0; i < bytes; i += hn::Lanes(d)) {
    hn::Stream(hn::Load(d, reinterpret_cast<const uint8_t*>(from + i)), d,
               reinterpret_cast<uint8_t*>(to + i));
  }
}

// Piece by piece: computed in the first cache, and from there past the others.
HWY_NOINLINE inline Exceptions StreamLightRow(const Row& row, const LightCode& code) {
  constexpr size_t kPieceBytes = 4096;
  alignas(kLineBytes) std::byte piece[kPieceBytes];
  const size_t past_line = reinterpret_cast<uintptr_t>(row.out) % kLineBytes;
  const size_t head = (kLineBytes - past_line) % kLineBytes / code.out_bytes;
  const bool begins_line = past_line % code.out_bytes == 0;
  Exceptions found = kNoException;
  Row part = row;
  part.stream = false;
  for (size_t done = 0; done < row.count; done += part.count) {
    const size_t left_bytes = (row.count - done) * code.out_bytes;
    const bool streams = begins_line && done >= head && left_bytes >= kLineBytes;
    const size_t streamed_bytes = std::min(kPieceBytes, left_bytes / kLineBytes * kLineBytes);
    part.count = streams                      ? streamed_bytes / code.out_bytes
                 : begins_line && done < head ? std::min(head, row.count)
                                              : row.count - done;
    for (size_t k = 0; k < code.inputs; ++k) {
      const bool single = (row.single >> k & 1) != 0;
      part.in[k] = static_cast<const std::byte*>(row.in[k]) + (single ? 0 : done * code.in_bytes[k]);
    }
    std::byte* out = static_cast<std::byte*>(row.out) + done * code.out_bytes;
    part.out = streams ? piece : out;
    found |= RunLightRow(part, code);
    if (streams) StreamLines(piece, out, streamed_bytes);
  }
  return found;
}

template <class Math, ExceptionRule kRule>
Exceptions RunLight(const Row& row) noexcept {
  const LightCode code = Math::template Code<Math, kRule != ExceptionRule::kNone>();
  if constexpr (kStreams) {
    if (row.stream) return StreamLightRow(row, code);
  }
  return RunLightRow(row, code);
}

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
