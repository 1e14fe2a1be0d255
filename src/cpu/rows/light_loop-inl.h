// The loops of light rows: of each operator, type and target one over whole vectors in the caches, and one
// that stores past them. Operands may have different element types. Included once per target.
//
// The shape of a light functor:
//   Elements<Widest, Result, Inputs...>   its base: the type whose lanes fill a vector, and the element types
//   operator()(inputs...)                 one vector of results from one of each input; nothing that can trap
// One with params has a constructor that takes their address, and no other. One with exceptions also has
//   Seen, Nothing(), Verdict(seen)        what was seen so far; at first; in the end
//   See(seen, inputs...)                  the same with one more vector
// or kRaisesFlags, if its instructions raise the flags of its exceptions and no others
// (src/cpu/rows/exception_flags.h). One with much arithmetic has
//   kBytesAhead                           how far ahead its inputs are asked for

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_LIGHT_LOOP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_LIGHT_LOOP_INL_H_
#undef RESIDUE_CPU_ROWS_LIGHT_LOOP_INL_H_
#else
#define RESIDUE_CPU_ROWS_LIGHT_LOOP_INL_H_
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/exceptions.h"
#include "core/operator_id.h"
#include "cpu/rows/exception_flags.h"
#include "cpu/rows/row_loop-inl.h"
#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Bytes = hn::ScalableTag<uint8_t>;

// Whole vectors. Inputs that are one element for all have a step of 0 and lie in a vector of copies.
struct LightCall {
  const std::byte* in[kMostInputs];
  size_t step[kMostInputs];  // from one vector to the next, in bytes
  std::byte* out;
  size_t vectors;
  const void* params;
  // Streamed calls only, in vectors: windows, of which `vectors` is a multiple, their parts, which take
  // turns, and how far ahead inputs are asked for. That may lie past the end, because asking never faults.
  size_t window;
  size_t part;
  size_t ahead;
};

// Lanes of portable code are the compiler's. Clang divides two floats as four, of which the others are
// anything.
inline constexpr bool kLanesAreElements = HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR;

template <class Math>
concept RaisesFlags = kHasExceptionFlags && kLanesAreElements && requires {
  requires Math::kRaisesFlags;
};

// Much arithmetic fills the processor's queue, so that it does not come to the loads ahead by itself.
template <class Math>
concept AsksAhead = requires {
  Math::kBytesAhead;
};

struct LightLoops {
  Exceptions (*run)(const LightCall& call);
  Exceptions (*detect)(const LightCall& call);  // computes the same; nullptr if there are no exceptions
};

// What a row needs to know of its functor.
struct LightCode {
  LightLoops plain;
  LightLoops stream;  // `out` begins a line, and halves of windows are whole turns
  size_t lanes;       // elements of a vector
  uint8_t inputs;
  uint8_t in_bytes[kMostInputs];  // of an element
  uint8_t out_bytes;
};

// A turn is as many elements as fill a line of the smallest operand.
constexpr size_t TurnElements(size_t smallest_bytes) { return kLineBytes / smallest_bytes; }

// Stores a line past the caches.
HWY_INLINE void StreamLine(const std::byte* from, std::byte* to) {
  const Bytes d;
  for (size_t i = 0; i < kLineBytes; i += hn::Lanes(d)) {
    hn::Stream(hn::Load(d, reinterpret_cast<const uint8_t*>(from + i)), d,
               reinterpret_cast<uint8_t*>(to + i));
  }
}

template <class Widest, class R, class... I>
struct Elements {
  using Tag = hn::ScalableTag<Widest>;
  template <class T>
  using Vector = hn::Vec<hn::Rebind<T, Tag>>;
  using Result = Vector<R>;

  template <class Math, bool kDetect>
  static Exceptions RunPlain(const LightCall& call) {
    return Plain<Math, kDetect, false>(call, std::index_sequence_for<I...>());
  }
  // Arithmetic that takes longer than the memory needs no turns.
  template <class Math, bool kDetect>
  static Exceptions RunStreamed(const LightCall& call) {
    if constexpr (AsksAhead<Math> && kIsLong) {
      return Plain<Math, kDetect, true>(call, std::index_sequence_for<I...>());
    } else {
      return Streamed<Math, kDetect>(call, std::index_sequence_for<I...>());
    }
  }

  template <class Math>
  static Exceptions RunPlainWatched(const LightCall& call) {
    const ExceptionWatch watch;
    RunPlain<Math, false>(call);
    return watch.Found();
  }
  template <class Math>
  static Exceptions RunStreamedWatched(const LightCall& call) {
    const ExceptionWatch watch;
    RunStreamed<Math, false>(call);
    return watch.Found();
  }

  template <class Math, bool kHasExceptions>
  static HWY_INLINE LightCode Code() {
    LightCode code = {
        {&RunPlain<Math, false>, nullptr}, {}, hn::Lanes(Tag()), sizeof...(I), {sizeof(I)...}, sizeof(R)};
    if constexpr (kStreams) code.stream.run = &RunStreamed<Math, false>;
    if constexpr (kHasExceptions && RaisesFlags<Math>) {
      code.plain.detect = &RunPlainWatched<Math>;
      if constexpr (kStreams) code.stream.detect = &RunStreamedWatched<Math>;
    } else if constexpr (kHasExceptions) {
      code.plain.detect = &RunPlain<Math, true>;
      if constexpr (kStreams) code.stream.detect = &RunStreamed<Math, true>;
    }
    return code;
  }

  // All elements fill their lanes, so that vectors of bits can go from one functor to another.
  static constexpr bool kIsStage =
      sizeof...(I) <= 2 && sizeof(R) == sizeof(Widest) && ((sizeof(I) == sizeof(Widest)) && ...);

  // One vector of results as bits; a second input lies at `side`.
  template <class Math, class DU>
  static HWY_INLINE hn::Vec<DU> ComputeBits(const Math& math, DU du, hn::Vec<DU> x, const std::byte* side) {
    return hn::BitCast(du, OfBits<I...>(math, x, side));
  }

 private:
  // A vector of results is long enough to be streamed.
  static constexpr bool kIsLong = hn::MaxLanes(hn::Rebind<R, Tag>()) * sizeof(R) >= 16;

  template <class First, class... Second, class Math, class V>
  static HWY_INLINE auto OfBits(const Math& math, V x, [[maybe_unused]] const std::byte* side) {
    return math(hn::BitCast(hn::Rebind<First, Tag>(), x),
                hn::LoadU(hn::Rebind<Second, Tag>(), reinterpret_cast<const Second*>(side))...);
  }

  // What was seen, if that is wanted. No structure keeps it, because SVE's vectors cannot be members.
  template <class Math, bool kDetect>
  static HWY_INLINE auto SeenAtFirst() {
    if constexpr (kDetect) {
      return Math::Nothing();
    } else {
      return kNoException;
    }
  }
  template <class Math, bool kDetect, class Seen>
  static HWY_INLINE Exceptions Conclude(Seen seen) {
    if constexpr (kDetect) {
      return Math::Verdict(seen);
    } else {
      return seen;
    }
  }

  // One vector after the other, stored past the caches or into them.
  template <class Math, bool kDetect, bool kPastCaches, size_t... k>
  static HWY_INLINE Exceptions Plain(const LightCall& call, std::index_sequence<k...>) {
    const Math math = MakeMath<Math>(call.params);
    const std::byte* in[] = {call.in[k]...};
    const size_t step[] = {call.step[k]...};
    std::byte* out = call.out;
    const hn::Rebind<R, Tag> results;
    auto seen = SeenAtFirst<Math, kDetect>();
    const auto next = [&](auto... v) RESIDUE_ALWAYS_INLINE {
      if constexpr (AsksAhead<Math>) (hwy::Prefetch(in[k] + Math::kBytesAhead), ...);
      if constexpr (kDetect) seen = math.See(seen, v...);
      if constexpr (kPastCaches) {
        hn::Stream(math(v...), results, reinterpret_cast<R*>(out));
      } else {
        hn::StoreU(math(v...), results, reinterpret_cast<R*>(out));
      }
      ((in[k] += step[k]), ...);
      out += hn::Lanes(results) * sizeof(R);
    };
    HWY_UNROLL(2)
    for (size_t left = call.vectors; left != 0; --left) {
      next(hn::LoadU(hn::Rebind<I, Tag>(), reinterpret_cast<const I*>(in[k]))...);
    }
    return Conclude<Math, kDetect>(seen);
  }

  // The two halves of a window take turns, and inputs are asked for ahead, because arithmetic between loads
  // and stores would otherwise leave the memory idle. Vectors of results too short to be streamed fill a line
  // first.
  template <class Math, bool kDetect, size_t... k>
  static HWY_INLINE Exceptions Streamed(const LightCall& call, std::index_sequence<k...>) {
    const Math math = MakeMath<Math>(call.params);
    const hn::Rebind<R, Tag> results;
    const size_t result_bytes = hn::Lanes(results) * sizeof(R);
    constexpr size_t kTurn = TurnElements(std::min({sizeof(R), sizeof(I)...}));
    const size_t turn = kTurn / hn::Lanes(results);  // in vectors
    alignas(kLineBytes) std::byte line[kLineBytes];
    auto seen = SeenAtFirst<Math, kDetect>();
    const auto ask = [](const std::byte* at, size_t bytes) RESIDUE_ALWAYS_INLINE {
      for (size_t i = 0; i < bytes; i += kLineBytes) hwy::Prefetch(at + i);
    };
    const auto compute = [&](auto* to, auto... v) RESIDUE_ALWAYS_INLINE {
      if constexpr (kDetect) seen = math.See(seen, v...);
      if constexpr (kIsLong) {
        hn::Stream(math(v...), results, to);
      } else {
        hn::StoreU(math(v...), results, to);
      }
    };
    for (size_t window = 0; window < call.vectors; window += call.window) {
      for (size_t i = window; i < window + call.part; i += turn) {
        HWY_UNROLL(1)
        for (size_t first = i; first < window + call.window; first += call.part) {
          (ask(call.in[k] + (first + call.ahead) * call.step[k], kTurn * sizeof(I)), ...);
          std::byte* out = call.out + first * result_bytes;
          HWY_UNROLL(1)
          for (size_t v = 0; v < turn; ++v) {
            std::byte* to = (kIsLong ? out : line) + v * result_bytes;
            compute(reinterpret_cast<R*>(to),
                    hn::LoadU(hn::Rebind<I, Tag>(),
                              reinterpret_cast<const I*>(call.in[k] + (first + v) * call.step[k]))...);
          }
          if constexpr (!kIsLong) StreamLine(line, out);
        }
      }
    }
    return Conclude<Math, kDetect>(seen);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
