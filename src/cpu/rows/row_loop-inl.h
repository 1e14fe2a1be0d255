// The loops over packed rows, written once for every operator and type. Included once per target.
//
// No address needs alignment, no byte outside the row is touched, and each vector is loaded before it is
// stored, so that the output may be one of the inputs. A row's last, partial vector goes through a small
// array whose idle lanes hold harmless numbers. The arithmetic is compiled twice per operator and type, for
// vectors and for one second operand, and again for each where outputs are streamed.
//
// The shape of an operator's functor:
//   Lane, kOne                      how an element lies in memory, and the number 1 in it
//   Tag                             the vector it wants to be given
//   operator()(d, a[, b])           one vector of results; no loop, no memory, nothing that can trap
//   Prepare(d, b)                   for the same b in all lanes, what depends on it alone: one vector
//   operator()(d, a, b, prepared)   one vector of results for such a b; optional, with Prepare
// Functors of one input have the first operator() only, and can be links of chains (chain-inl.h). One that
// makes every NaN the quiet one may have
//   Raw(d, a)                       the same results, except that a NaN may be any NaN
// which is enough where such a functor comes next. One with params has a constructor that takes their
// address, and no other. One with a slow path that gains from two vectors at a time says kInPairs and has
//   Fast(d, a, b[, prepared], result)   false if the vector must take the slow path
//   kHasQuick, AreUsual(d, a, b)        whether there is a quicker form of Fast for usual operands, and which
//                                       those are
//   Quick(d, a, b[, prepared], result)  that form: as right for all others, only slower
//   Long(d, a0, b0, a1, b1, result0, result1)

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_ROW_LOOP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_ROW_LOOP_INL_H_
#undef RESIDUE_CPU_ROWS_ROW_LOOP_INL_H_
#else
#define RESIDUE_CPU_ROWS_ROW_LOOP_INL_H_
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "cpu/rows/estimates-inl.h"
#include "cpu/rows/partial-inl.h"
#include "cpu/rows/row.h"
#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Other targets have no streaming stores, or vectors too short to make up for their price.
inline constexpr bool kStreams = HWY_ARCH_X86 && HWY_NATIVE_FMA;

template <class Math>
HWY_INLINE Math MakeMath(const void* params) {
  if constexpr (std::is_default_constructible_v<Math>) {
    return Math();
  } else {
    return Math(params);
  }
}

template <class Math>
concept InPairs = Math::kInPairs;
template <class Math>
concept InStretches = InPairs<Math> && Math::kHasQuick;

// Functors of one input take one vector, and b is not looked at.
template <class Math>
concept OfOne = requires(const Math& math, typename Math::Tag d, hn::Vec<typename Math::Tag> v) {
  math(d, v);
};

template <class Math>
concept Prepares = requires(const Math& math, typename Math::Tag d, hn::Vec<typename Math::Tag> b) {
  math.Prepare(d, b);
};

// What does not change along a row with one second operand.
template <class Math, class D>
HWY_INLINE auto PrepareFor([[maybe_unused]] const Math& math, [[maybe_unused]] D d, hn::Vec<D> b) {
  if constexpr (Prepares<Math>) {
    return math.Prepare(d, b);
  } else {
    return b;
  }
}

// The results of one vector, beginning at element i.
template <class Math, bool kSingleB, class T, class D, class P>
HWY_INLINE hn::Vec<D> ComputeAt(const Math& math, D d, const T* a, const T* b, size_t i, hn::Vec<D> one_b,
                                P prepared) {
  if constexpr (OfOne<Math>) {
    return math(d, hn::LoadU(d, a + i));
  } else if constexpr (kSingleB && Prepares<Math>) {
    return math(d, hn::LoadU(d, a + i), one_b, prepared);
  } else {
    return math(d, hn::LoadU(d, a + i), kSingleB ? one_b : hn::LoadU(d, b + i));
  }
}

// Four vectors a turn, as far as they go, of functors of one input: so little arithmetic that shorter turns
// show. Returns how many elements.
template <class Math, class T, class D>
HWY_INLINE size_t RunFours(const Math& math, D d, const T* a, T* out, size_t count) {
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  HWY_UNROLL(1)
  for (; i + 4 * lanes <= count; i += 4 * lanes) {
    const auto x0 = hn::LoadU(d, a + i);
    const auto x1 = hn::LoadU(d, a + i + lanes);
    const auto x2 = hn::LoadU(d, a + i + 2 * lanes);
    const auto x3 = hn::LoadU(d, a + i + 3 * lanes);
    hn::StoreU(math(d, x0), d, out + i);
    hn::StoreU(math(d, x1), d, out + i + lanes);
    hn::StoreU(math(d, x2), d, out + i + 2 * lanes);
    hn::StoreU(math(d, x3), d, out + i + 3 * lanes);
  }
  return i;
}

// The fast path of one vector; kQuick if its operands are usual.
template <class Math, bool kSingleB, bool kQuick, class D, class V, class P>
HWY_INLINE bool TryFast(const Math& math, D d, V a, V b, P prepared, V& result) {
  if constexpr (kQuick && kSingleB) {
    return math.Quick(d, a, b, prepared, result);
  } else if constexpr (kQuick) {
    return math.Quick(d, a, b, result);
  } else if constexpr (kSingleB) {
    return math.Fast(d, a, b, prepared, result);
  } else {
    return math.Fast(d, a, b, result);
  }
}

// Which path two vectors take; all are right for any operands.
enum class Path { kQuick, kFast, kLong };

// Two vectors, beginning at element i; false if they took the long path, at once or in the end.
template <class Math, bool kSingleB, Path kPath, class T, class D, class V, class P>
HWY_INLINE bool RunPair(const Math& math, D d, const T* a, const T* b, T* out, size_t i, V one_b,
                        P prepared) {
  const size_t next = i + hn::Lanes(d);
  const V a0 = hn::LoadU(d, a + i);
  const V a1 = hn::LoadU(d, a + next);
  const V b0 = kSingleB ? one_b : hn::LoadU(d, b + i);
  const V b1 = kSingleB ? one_b : hn::LoadU(d, b + next);
  if constexpr (kPath != Path::kLong) {
    V result0 = a0;
    V result1 = a1;
    bool fast = TryFast<Math, kSingleB, kPath == Path::kQuick>(math, d, a0, b0, prepared, result0);
    fast = TryFast<Math, kSingleB, kPath == Path::kQuick>(math, d, a1, b1, prepared, result1) && fast;
    if (HWY_LIKELY(fast)) {
      hn::StoreU(result0, d, out + i);
      hn::StoreU(result1, d, out + next);
      return true;
    }
  }
  V long0 = a0;  // apart from the results, which stay in registers
  V long1 = a1;
  math.Long(d, a0, b0, a1, b1, long0, long1);
  hn::StoreU(long0, d, out + i);
  hn::StoreU(long1, d, out + next);
  return false;
}

// The results of one vector whose operands are probably usual.
template <class Math, class D, class V>
HWY_INLINE V ComputeQuickly(const Math& math, D d, V a, V b) {
  V result = a;
  if (HWY_LIKELY(math.Quick(d, a, b, result))) return result;
  V long_result = a;
  V unused = a;
  math.Long(d, a, b, a, b, long_result, unused);
  return long_result;
}

// Two vectors a turn, as far as they go, for functors with a quick path; returns how many elements. A stretch
// of turns takes the quick path if the operands that it begins with are usual, until that was not enough.
// Operands that need the long path mostly come together: after two misses, seven of eight turns take it at
// once.
template <class Math, bool kSingleB, class T, class D, class V, class P>
HWY_INLINE size_t RunStretches(const Math& math, D d, const T* a, const T* b, T* out, size_t count, V one_b,
                               P prepared) {
  constexpr size_t kTurns = 64;
  const size_t turn = 2 * hn::Lanes(d);
  const size_t all = count - count % turn;
  size_t misses = 0;
  for (size_t i = 0; i < all;) {
    if (misses > 1 && misses % 8 != 0) {
      RunPair<Math, kSingleB, Path::kLong>(math, d, a, b, out, i, one_b, prepared);
      i += turn;
      ++misses;
      continue;
    }
    const size_t next = i + turn / 2;
    const V b0 = kSingleB ? one_b : hn::LoadU(d, b + i);
    const V b1 = kSingleB ? one_b : hn::LoadU(d, b + next);
    bool fast = true;
    if (math.AreUsual(d, hn::LoadU(d, a + i), b0) && math.AreUsual(d, hn::LoadU(d, a + next), b1)) {
      const size_t end = std::min(all, i + kTurns * turn);
      HWY_UNROLL(1)
      for (; i < end && fast; i += turn) {
        fast = RunPair<Math, kSingleB, Path::kQuick>(math, d, a, b, out, i, one_b, prepared);
      }
    } else {
      fast = RunPair<Math, kSingleB, Path::kFast>(math, d, a, b, out, i, one_b, prepared);
      i += turn;
    }
    misses = fast ? 0 : misses + 1;
  }
  return all;
}

// The same for functors without a quick path.
template <class Math, bool kSingleB, class T, class D, class V, class P>
HWY_INLINE size_t RunPairs(const Math& math, D d, const T* a, const T* b, T* out, size_t count, V one_b,
                           P prepared) {
  const size_t turn = 2 * hn::Lanes(d);
  const size_t all = count - count % turn;
  HWY_UNROLL(1)
  for (size_t i = 0; i < all; i += turn) {
    RunPair<Math, kSingleB, Path::kFast>(math, d, a, b, out, i, one_b, prepared);
  }
  return all;
}

// Whole vectors only. b is one element if kSingleB. The functor is a copy, because the compiler would have to
// read its numbers again after every store through a pointer to numbers of their type.
template <class Math, bool kSingleB, class T = typename Math::Lane>
HWY_NOINLINE void RunVectors(Math math, const T* a, const T* b, T* out, size_t count) {
  const typename Math::Tag d;
  const size_t lanes = hn::Lanes(d);
  const auto one_b = hn::Set(d, kSingleB ? LoadScalar(b) : Math::kOne);
  const auto prepared = PrepareFor(math, d, one_b);
  size_t i = 0;
  if constexpr (InStretches<Math>) {
    i = RunStretches<Math, kSingleB>(math, d, a, b, out, count, one_b, prepared);
  } else if constexpr (InPairs<Math>) {
    i = RunPairs<Math, kSingleB>(math, d, a, b, out, count, one_b, prepared);
  }
  if constexpr (OfOne<Math>) i = RunFours(math, d, a, out, count);
  HWY_UNROLL(2)
  for (; i < count; i += lanes) {
    hn::StoreU(ComputeAt<Math, kSingleB>(math, d, a, b, i, one_b, prepared), d, out + i);
  }
}

template <class Math, bool kSingleB, class T = typename Math::Lane>
HWY_INLINE void RunPacked(const Math& math, const T* a, const T* b, T* out, size_t count) {
  const typename Math::Tag d;
  const size_t rest = count % hn::Lanes(d);
  const size_t whole = count - rest;
  if (whole != 0) RunVectors<Math, kSingleB>(math, a, b, out, whole);
  if (rest == 0) return;
  HWY_ALIGN T tails[2][kMostLanes<T>];
  constexpr bool kHasTailB = !kSingleB && !OfOne<Math>;
  LoadPart(d, a + whole, rest, T{0}, tails[0]);
  if constexpr (kHasTailB) LoadPart(d, b + whole, rest, Math::kOne, tails[1]);
  RunVectors<Math, kSingleB>(math, tails[0], kHasTailB ? tails[1] : b, tails[0], hn::Lanes(d));
  StorePart(d, tails[0], rest, out + whole);
}

// Outputs too large for the caches are stored past them, one window after the other.
template <class T>
inline constexpr size_t kStreamWindow = 2 * 4096 / sizeof(T);
inline constexpr size_t kLineBytes = 64;  // no x86 vector is longer

// What of a row is streamed, in elements: windows, from the first line of the output on.
struct Streamed {
  size_t head;  // before that line
  size_t count;
  size_t window;
};

// A window is a multiple of `unit`, which divides the longest. A row too short for one, or whose elements
// never begin a line, is not streamed.
HWY_INLINE Streamed FindStreamed(const void* out, size_t element_bytes, size_t count, size_t unit,
                                 size_t longest) {
  const size_t past_line = reinterpret_cast<uintptr_t>(out) % kLineBytes;
  const size_t head = (kLineBytes - past_line) % kLineBytes / element_bytes;
  if (past_line % element_bytes != 0 || count < head + unit) return {0, 0, 0};
  const size_t window = std::min(longest, (count - head) / unit * unit);
  return {head, (count - head) / window * window, window};
}
template <class T>
HWY_INLINE Streamed FindStreamed(const T* out, size_t count, size_t unit) {
  return FindStreamed(out, sizeof(T), count, unit, kStreamWindow<T>);
}

// The two halves of a window take turns and the inputs are asked for `ahead` elements before they are used,
// because a long chain of arithmetic between loads and streaming stores would otherwise leave the memory
// idle. What is ahead may lie past the end: asking never faults, and usually the next call begins there.
template <class Math, bool kSingleB, bool kQuick, class T, class D, class V, class P>
HWY_INLINE void StreamWindow(const Math& math, D d, const T* a, const T* b, T* out, size_t window,
                             size_t ahead, V one_b, P prepared) {
  constexpr size_t kLine = kLineBytes / sizeof(T);
  const size_t half = window / 2;
  for (size_t line = 0; line < half; line += kLine) {
    HWY_UNROLL(1)
    for (size_t i = line; i < window; i += half) {
      hwy::Prefetch(a + i + ahead);
      if constexpr (!kSingleB && !OfOne<Math>) hwy::Prefetch(b + i + ahead);
      HWY_UNROLL(1)
      for (size_t k = i; k < i + kLine; k += hn::Lanes(d)) {
        if constexpr (kQuick) {
          hn::Stream(ComputeQuickly(math, d, hn::LoadU(d, a + k), hn::LoadU(d, b + k)), d, out + k);
        } else {
          hn::Stream(ComputeAt<Math, kSingleB>(math, d, a, b, k, one_b, prepared), d, out + k);
        }
      }
    }
  }
}

// As RunVectors, with streaming stores: `count` is a multiple of the window, the window a multiple of two
// lines, and `out` aligned to a line. A window is a stretch: it takes the quick path if the operands that it
// begins with are usual, unless b is one element, where that gains nothing.
template <class Math, bool kSingleB, class T = typename Math::Lane>
HWY_NOINLINE void StreamVectors(Math math, const T* a, const T* b, T* out, size_t count, size_t window,
                                size_t ahead) {
  const typename Math::Tag d;
  const auto one_b = hn::Set(d, kSingleB ? LoadScalar(b) : Math::kOne);
  const auto prepared = PrepareFor(math, d, one_b);
  for (size_t i = 0; i < count; i += window) {
    const T* next_b = kSingleB || OfOne<Math> ? b : b + i;
    if constexpr (InStretches<Math> && !kSingleB) {
      if (math.AreUsual(d, hn::LoadU(d, a + i), hn::LoadU(d, next_b))) {
        StreamWindow<Math, kSingleB, true>(math, d, a + i, next_b, out + i, window, ahead, one_b, prepared);
        continue;
      }
    }
    StreamWindow<Math, kSingleB, false>(math, d, a + i, next_b, out + i, window, ahead, one_b, prepared);
  }
}

// Rows shorter than a window are blocks of a pass: they have no next window, and the engine asks for what
// comes next. The caller must flush in the end.
template <class Math, bool kSingleB, class T = typename Math::Lane>
HWY_NOINLINE void StreamPacked(const Math& math, const T* a, const T* b, T* out, size_t count) {
  const auto at_b = [b](size_t i) { return kSingleB || OfOne<Math> ? b : b + i; };
  constexpr size_t kTwoLines = 2 * kLineBytes / sizeof(T);
  static_assert(kStreamWindow<T> % kTwoLines == 0);
  const Streamed streamed = FindStreamed(out, count, kTwoLines);
  if (streamed.count == 0) return RunPacked<Math, kSingleB>(math, a, b, out, count);
  const size_t head = streamed.head;
  const size_t rest = head + streamed.count;
  RunPacked<Math, kSingleB>(math, a, b, out, head);
  StreamVectors<Math, kSingleB>(math, a + head, at_b(head), out + head, streamed.count, streamed.window,
                                streamed.window == kStreamWindow<T> ? streamed.window : 0);
  RunPacked<Math, kSingleB>(math, a + rest, at_b(rest), out + rest, count - rest);
}

template <class Math, bool kSingleB, class T = typename Math::Lane>
HWY_INLINE void RunOrStream(const Math& math, const T* a, const T* b, T* out, size_t count, bool stream) {
  if constexpr (kStreams) {
    if (stream) return StreamPacked<Math, kSingleB>(math, a, b, out, count);
  }
  RunPacked<Math, kSingleB>(math, a, b, out, count);
}

// One element for a whole row as a block of copies of it, so that no arithmetic is compiled for this alone.
template <class T>
inline constexpr size_t kCopies = 2048 / sizeof(T);

template <class Math, class T = typename Math::Lane>
HWY_NOINLINE void RunSingleA(const Math& math, const T* a, const T* b, bool single_b, T* out, size_t count) {
  HWY_ALIGN T copies[kCopies<T>];
  std::fill_n(copies, std::min(kCopies<T>, count), LoadScalar(a));
  for (size_t i = 0; i < count; i += kCopies<T>) {
    const size_t part = std::min(kCopies<T>, count - i);
    if (single_b) {
      RunPacked<Math, true>(math, copies, b, out + i, part);
    } else {
      RunPacked<Math, false>(math, copies, OfOne<Math> ? b : b + i, out + i, part);
    }
  }
}

// Rows of operators with one and with two inputs.
template <class Math>
HWY_INLINE void RunLongRow(const Row& row) {
  using T = typename Math::Lane;
  const Math math = MakeMath<Math>(row.params);
  const auto* a = static_cast<const T*>(row.in[0]);
  const auto* b = OfOne<Math> ? a : static_cast<const T*>(row.in[1]);
  auto* out = static_cast<T*>(row.out);
  const bool single_a = (row.single & 1) != 0;
  const bool single_b = (row.single & 2) != 0;
  if (single_a) return RunSingleA(math, a, b, single_b, out, row.count);
  if constexpr (!OfOne<Math>) {
    if (single_b) return RunOrStream<Math, true>(math, a, b, out, row.count, row.stream);
  }
  RunOrStream<Math, false>(math, a, b, out, row.count, row.stream);
}

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
