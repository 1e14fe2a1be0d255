// Quotients of integers, truncated: a divisor of 0 gives 0, and MIN / -1 is MIN. No integer division is made,
// so nothing can trap. Included once per target.

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_DIVIDE_INT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_DIVIDE_INT_INL_H_
#undef RESIDUE_CPU_ROWS_DIVIDE_INT_INL_H_
#else
#define RESIDUE_CPU_ROWS_DIVIDE_INT_INL_H_
#endif

#include <hwy/highway.h>

#include <type_traits>

#include "cpu/rows/estimates-inl.h"
#include "cpu/rows/light_functor-inl.h"
#include "cpu/rows/modulus_byte-inl.h"
#include "cpu/rows/modulus_int-inl.h"
#include "cpu/rows/rounding.h"
#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The sign of a quotient, on its magnitude.
template <class D, class V>
HWY_INLINE V WithSignOfQuotient(D d, V a, V b, V magnitude) {
  if constexpr (std::is_unsigned_v<hn::TFromD<D>>) {
    return magnitude;
  } else {
    return hn::IfThenElse(hn::Lt(hn::Xor(a, b), hn::Zero(d)), hn::Neg(magnitude), magnitude);
  }
}

// The exceptions of elements that lie in the lanes of D: a divisor of 0.
template <class D>
struct SeesZeroDivisors {
  using DU = hn::RebindToUnsigned<D>;
  using Seen = hn::Vec<DU>;  // the smallest
  static HWY_INLINE Seen Nothing() { return hn::Set(DU(), 1u); }
  template <class V>
  static HWY_INLINE Seen See(Seen seen, V, V b) {
    return hn::Min(seen, hn::BitCast(DU(), b));
  }
  static HWY_INLINE Exceptions Verdict(Seen seen) {
    return hn::AllFalse(DU(), hn::Eq(seen, hn::Zero(DU()))) ? kNoException : kDivisionByZero;
  }
};

// 32 and 64 bits: the two steps of the modulus (src/cpu/rows/modulus_int-inl.h), whose quotients add up. The
// remainder that they leave is below twice the divisor.
template <class T>
struct WideDivide : Elements<T, T, T, T>, SeesZeroDivisors<hn::ScalableTag<T>> {
  using V = typename WideDivide::Result;
  using Steps = TwoSteps<T>;
  using DU = typename Steps::DU;
  using VU = typename Steps::VU;

  HWY_INLINE V operator()(V a, V b) const {
    const hn::ScalableTag<T> d;
    const DU du;
    const VU divisor = DivisorOrOne(du, Magnitude(d, b));
    const VU dividend = Magnitude(d, a);
    const auto by_one = hn::Eq(divisor, hn::Set(du, 1u));
    const VU first = kUnsignedQuotients ? dividend : hn::IfThenZeroElse(by_one, dividend);
    const auto reciprocal = Steps::Reciprocal(divisor);
    VU left = first;
    VU quotient = Steps::Quotient(left, reciprocal);
    left = hn::Sub(left, hn::Mul(quotient, divisor));
    const VU second = Steps::Quotient(left, reciprocal);
    left = hn::Sub(left, hn::Mul(second, divisor));
    quotient = hn::Add(quotient, second);
    quotient = hn::Add(quotient, hn::IfThenZeroElse(hn::Lt(left, divisor), hn::Set(du, 1u)));
    if constexpr (!kUnsignedQuotients) quotient = hn::IfThenElse(by_one, dividend, quotient);
    const V signed_quotient = WithSignOfQuotient(d, a, b, hn::BitCast(d, quotient));
    return hn::IfThenZeroElse(hn::Eq(b, hn::Zero(d)), signed_quotient);
  }
};

// 8 and 16 bits by float32: a quotient that is no integer is at least 2^-16 away from one, relative to it, so
// that rounding never reaches it.
template <class T>
struct NarrowDivide : Elements<float, T, T, T>, SeesZeroDivisors<hn::Rebind<T, hn::ScalableTag<float>>> {
  using V = typename NarrowDivide::Result;
  HWY_INLINE V operator()(V a, V b) const {
    const hn::ScalableTag<float> df;
    const hn::RebindToSigned<decltype(df)> di;
    const auto divisor = Resize<int32_t>(df, b);
    const auto is_zero = hn::Eq(divisor, hn::Zero(di));
    const auto by = hn::ConvertTo(df, hn::IfThenElse(is_zero, hn::Set(di, 1), divisor));
    const auto quotient = hn::Div(hn::ConvertTo(df, Resize<int32_t>(df, a)), by);
    const auto integer = RoundInRange<Rounding::kTruncate>(di, quotient);
    return Resize<T>(df, hn::IfThenZeroElse(is_zero, integer));
  }
};

#if RESIDUE_BYTE_TABLES
// 8 bits by the tables of the modulus (src/cpu/rows/modulus_byte-inl.h).
template <class T>
struct ByteDivide : Elements<T, T, T, T>, SeesZeroDivisors<hn::ScalableTag<T>> {
  using V = typename ByteDivide::Result;
  using Steps = ByteModulus<T, Rounding::kTruncate>;
  HWY_INLINE V operator()(V a, V b) const {
    const hn::ScalableTag<T> d;
    const auto divisor = Steps::Divisor(b);
    const auto quotient = Steps::Quotient(Magnitude(d, a), divisor, Steps::Reciprocal(divisor));
    const V with_sign = WithSignOfQuotient(d, a, b, hn::BitCast(d, quotient));
    return hn::IfThenZeroElse(hn::Eq(b, hn::Zero(d)), with_sign);
  }
};
#else
template <class T>
using ByteDivide = NarrowDivide<T>;
#endif

template <class T>
using IntegerDivide = std::conditional_t<sizeof(T) == 1, ByteDivide<T>,
                                         std::conditional_t<sizeof(T) == 2, NarrowDivide<T>, WideDivide<T>>>;

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
