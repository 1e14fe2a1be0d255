// Which exceptions the elements of a division have, seen from the operands alone. Included once per target.
//
// Callers look at what they are about to compute while it is, or is being brought, in the first cache, so the
// usual answer, none, must cost next to nothing: one minimum per vector of integers, and for floats the
// larger of |a| and |b| - 1 as integers, which a divisor of 0 wraps round to the largest of all. Only where
// that finds something are the cases told apart.

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_DETECT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_DETECT_INL_H_
#undef RESIDUE_CPU_ROWS_DETECT_INL_H_
#else
#define RESIDUE_CPU_ROWS_DETECT_INL_H_
#endif

#include <hwy/highway.h>

#include <concepts>

#include "core/exceptions.h"
#include "cpu/rows/partial-inl.h"
#include "cpu/rows/row.h"
#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using BitsOf = hwy::UnsignedFromSize<sizeof(T)>;

// Lets Step see every vector of a row of two operands; what it returns is given to it again, and in the end
// to us.
template <class Step, class D, class U = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> Fold(D d, const Row& row) {
  const size_t lanes = hn::Lanes(d);
  const auto* a = static_cast<const U*>(row.in[0]);
  const auto* b = static_cast<const U*>(row.in[1]);
  const bool single_a = (row.single & 1) != 0;
  const bool single_b = (row.single & 2) != 0;
  const auto one_a = hn::Set(d, LoadScalar(a));
  const auto one_b = hn::Set(d, LoadScalar(b));
  auto seen = Step::Begin(d);
  if (single_a && single_b) return Step::See(d, seen, one_a, one_b);
  size_t i = 0;
  if (single_a) {
    for (; i + lanes <= row.count; i += lanes) seen = Step::See(d, seen, one_a, hn::LoadU(d, b + i));
  } else if (single_b) {
    for (; i + lanes <= row.count; i += lanes) seen = Step::See(d, seen, hn::LoadU(d, a + i), one_b);
  } else {
    for (; i + lanes <= row.count; i += lanes) {
      seen = Step::See(d, seen, hn::LoadU(d, a + i), hn::LoadU(d, b + i));
    }
  }
  if (i == row.count) return seen;
  const auto end_a = LoadFew(d, single_a ? a : a + i, single_a, row.count - i);
  const auto end_b = LoadFew(d, single_b ? b : b + i, single_b, row.count - i);
  return Step::See(d, seen, end_a, end_b);
}

struct SmallestDivisor {
  template <class D>
  static HWY_INLINE hn::Vec<D> Begin(D d) {
    return hn::Set(d, hwy::LimitsMax<hn::TFromD<D>>());
  }
  template <class D, class V>
  static HWY_INLINE V See(D, V seen, V, V b) {
    return hn::Min(seen, b);
  }
  template <class D, class V>
  static HWY_INLINE Exceptions Verdict(D d, V seen) {
    return hn::AllFalse(d, hn::Eq(seen, hn::Zero(d))) ? kNoException : kDivisionByZero;
  }
};

// |x| as an integer is above kInfinity for NaN, and above kInfinity but below kQuiet for a signalling NaN.
template <class T>
struct Magnitudes {
  using U = BitsOf<T>;
  static constexpr int kFractionBits = sizeof(T) == 2 ? 10 : sizeof(T) == 4 ? 23 : 52;
  static constexpr auto kAbsolute = static_cast<U>(static_cast<U>(~U{0}) >> 1);
  static constexpr auto kInfinity = static_cast<U>(kAbsolute >> kFractionBits << kFractionBits);
  static constexpr auto kQuiet = static_cast<U>(kInfinity | U{1} << (kFractionBits - 1));
  static constexpr auto kOne = static_cast<U>((kInfinity - (U{1} << kFractionBits)) / 2);

  template <class D>
  static HWY_INLINE hn::Vec<D> Begin(D d) {
    return hn::Zero(d);
  }
};

template <class T>
struct LargestMagnitude : Magnitudes<T> {
  template <class D, class V>
  static HWY_INLINE V See(D d, V seen, V a, V b) {
    const V absolute = hn::Set(d, LargestMagnitude::kAbsolute);
    const V above_zero = hn::Sub(hn::And(b, absolute), hn::Set(d, 1));
    return hn::Max(seen, hn::Max(hn::And(a, absolute), above_zero));
  }
};

template <class T>
struct InvalidOperations : Magnitudes<T> {
  template <class D, class V>
  static HWY_INLINE V See(D d, V seen, V a, V b) {
    const V absolute = hn::Set(d, InvalidOperations::kAbsolute);
    const V infinity = hn::Set(d, InvalidOperations::kInfinity);
    const V quiet = hn::Set(d, InvalidOperations::kQuiet);
    const V x = hn::And(a, absolute);
    const V y = hn::And(b, absolute);
    const auto x_is_nan = hn::Gt(x, infinity);
    const auto y_is_nan = hn::Gt(y, infinity);
    const auto infinite = hn::AndNot(y_is_nan, hn::Eq(x, infinity));
    const auto by_zero = hn::AndNot(x_is_nan, hn::Eq(y, hn::Zero(d)));
    const auto signalling = hn::Or(hn::And(x_is_nan, hn::Lt(x, quiet)), hn::And(y_is_nan, hn::Lt(y, quiet)));
    return hn::Or(seen, hn::VecFromMask(d, hn::Or(signalling, hn::Or(infinite, by_zero))));
  }
  template <class D, class V>
  static HWY_INLINE Exceptions Verdict(D d, V seen) {
    return hn::AllFalse(d, hn::Ne(seen, hn::Zero(d))) ? kNoException : kInvalidOperation;
  }
};

template <class T>
using DivisionStep = std::conditional_t<std::integral<T>, SmallestDivisor, InvalidOperations<T>>;

// The exceptions of a row that divides elements of type T.
template <class T>
HWY_NOINLINE Exceptions DetectDivision(const Row& row) {
  using U = BitsOf<T>;
  const hn::ScalableTag<U> d;
  if constexpr (!std::integral<T>) {
    const auto largest = Fold<LargestMagnitude<T>>(d, row);
    const auto below_infinity = hn::Set(d, static_cast<U>(Magnitudes<T>::kInfinity - 1));
    if (HWY_LIKELY(hn::AllFalse(d, hn::Gt(largest, below_infinity)))) return kNoException;
  }
  return DivisionStep<T>::Verdict(d, Fold<DivisionStep<T>>(d, row));
}

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
