// The function that is a row: few elements at once, or the loops, and the exceptions if somebody asks.
// Included once per target.

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_ROW_FUNCTION_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_ROW_FUNCTION_INL_H_
#undef RESIDUE_CPU_ROWS_ROW_FUNCTION_INL_H_
#else
#define RESIDUE_CPU_ROWS_ROW_FUNCTION_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "core/exceptions.h"
#include "cpu/rows/detect-inl.h"
#include "cpu/rows/partial-inl.h"
#include "cpu/rows/row.h"
#include "cpu/rows/row_loop-inl.h"
#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// What a call costs on little data is mostly what happens around the arithmetic, so one vector at most, or a
// few that somebody wants looked at, are loaded once, looked at and computed.
inline constexpr size_t kFewVectors = 4;

// Operators without exceptions, and those that look at all of a row before or after it is computed.
template <class Math, class T, ExceptionRule kRule>
struct Detection {
  static_assert(!IsSeenFromResults(kRule), "operators with this rule are light");
  template <class D>
  static HWY_INLINE int Begin(D) {
    return 0;
  }
  template <class D, class V>
  static HWY_INLINE int See(const Math&, D, int, V, V) {
    return 0;
  }
  template <class D>
  static HWY_INLINE Exceptions Verdict(D, int) {
    return kNoException;
  }
  static HWY_INLINE Exceptions OfRow(const Math&, const Row&) { return kNoException; }
};

template <class Math, class T>
struct Detection<Math, T, ExceptionRule::kDivision> {
  using Step = DivisionStep<T>;
  template <class D>
  static HWY_INLINE auto Begin(D) {
    return Step::Begin(hn::RebindToUnsigned<D>());
  }
  template <class D, class S, class V>
  static HWY_INLINE S See(const Math&, D, S seen, V a, V b) {
    const hn::RebindToUnsigned<D> du;
    return Step::See(du, seen, hn::BitCast(du, a), hn::BitCast(du, b));
  }
  template <class D, class S>
  static HWY_INLINE Exceptions Verdict(D, S seen) {
    return Step::Verdict(hn::RebindToUnsigned<D>(), seen);
  }
  static HWY_INLINE Exceptions OfRow(const Math&, const Row& row) { return DetectDivision<T>(row); }
};

// The functor knows: Nothing, See and Verdict. It has one input: operators of two with this rule are light.
template <class Math, class T>
struct Detection<Math, T, ExceptionRule::kArithmetic> {
  template <class D>
  static HWY_INLINE auto Begin(D) {
    return Math::Nothing();
  }
  template <class D, class S, class V>
  static HWY_INLINE S See(const Math& math, D d, S seen, V x, V) {
    return math.See(d, x, seen);
  }
  template <class D, class S>
  static HWY_INLINE Exceptions Verdict(D, S seen) {
    return Math::Verdict(seen);
  }
  static HWY_NOINLINE Exceptions OfRow(const Math& math, const Row& row) {
    static_assert(OfOne<Math>);
    using Lane = typename Math::Lane;
    const typename Math::Tag d;
    const auto* in = static_cast<const Lane*>(row.in[0]);
    const bool single = (row.single & 1) != 0;
    const size_t lanes = hn::Lanes(d);
    auto seen = Math::Nothing();
    for (size_t i = 0; i < (single ? 1 : row.count); i += lanes) {
      seen = math.See(d, LoadFew(d, single ? in : in + i, single, std::min(lanes, row.count - i)), seen);
    }
    return Math::Verdict(seen);
  }
};

// The results of few vectors, one at a time: operations wait for one another, so the shorter chain of them
// wins. A processor guesses the branch, and nothing waits for it.
template <class Math, class D, class V>
HWY_INLINE V ComputeAlone(const Math& math, D d, V a, V b) {
  if constexpr (InStretches<Math>) {
    if (HWY_LIKELY(math.AreUsual(d, a, b))) return ComputeQuickly(math, d, a, b);
  }
  return math(d, a, b);
}

template <class Math, class T, ExceptionRule kRule>
HWY_NOINLINE Exceptions RunFew(const Row& row) {
  using Lane = typename Math::Lane;
  using Detect = Detection<Math, T, kRule>;
  const typename Math::Tag d;
  const size_t lanes = hn::Lanes(d);
  const Math math = MakeMath<Math>(row.params);
  const auto* a = static_cast<const Lane*>(row.in[0]);
  const auto* b = OfOne<Math> ? a : static_cast<const Lane*>(row.in[1]);
  auto* out = static_cast<Lane*>(row.out);
  const bool single_a = (row.single & 1) != 0;
  const bool single_b = (row.single & 2) != 0;
  auto seen = Detect::Begin(d);
  HWY_UNROLL(1)
  for (size_t i = 0; i < row.count; i += lanes) {
    const size_t count = std::min(lanes, row.count - i);
    const auto x = LoadFew(d, single_a ? a : a + i, single_a, count);
    if constexpr (OfOne<Math>) {
      if (row.detect) seen = Detect::See(math, d, seen, x, x);
      StoreFew(d, math(d, x), count, out + i);
    } else {
      const auto y = LoadFew(d, single_b ? b : b + i, single_b, count);
      if (row.detect) seen = Detect::See(math, d, seen, x, y);
      StoreFew(d, ComputeAlone(math, d, x, y), count, out + i);
    }
  }
  return Detect::Verdict(d, seen);
}

template <class Math, class T, ExceptionRule kRule>
HWY_NOINLINE Exceptions RunMany(const Row& row) {
  if (kRule == ExceptionRule::kNone || !row.detect) {
    RunLongRow<Math>(row);
    return kNoException;
  }
  using Detect = Detection<Math, T, kRule>;
  if (row.stream) {  // loops that stream ask the memory for what comes next
    RunLongRow<Math>(row);
    return Detect::OfRow(MakeMath<Math>(row.params), row);
  }
  const Exceptions found = Detect::OfRow(MakeMath<Math>(row.params), row);
  RunLongRow<Math>(row);
  return found;
}

// Two functions, so that neither saves the registers that the other needs.
template <class Math, class T, ExceptionRule kRule>
Exceptions RunRow(const Row& row) noexcept {
  const size_t lanes = hn::Lanes(typename Math::Tag());
  if (row.count <= lanes || (row.detect && row.count <= kFewVectors * lanes)) {
    return RunFew<Math, T, kRule>(row);
  }
  return RunMany<Math, T, kRule>(row);
}

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
