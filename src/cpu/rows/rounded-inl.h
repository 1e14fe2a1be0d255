// The exceptions of operations that round: what IEEE 754 says of each from its operands and its result, lane
// by lane. Included once per target.

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_ROUNDED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_ROUNDED_INL_H_
#undef RESIDUE_CPU_ROWS_ROUNDED_INL_H_
#else
#define RESIDUE_CPU_ROWS_ROUNDED_INL_H_
#endif

#include <hwy/highway.h>

#include <limits>

#include "core/exceptions.h"
#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// For functors that compute in lanes of F.
template <class F>
struct RoundedLanes {
  using DF = hn::ScalableTag<F>;
  using DU = hn::RebindToUnsigned<DF>;
  using VF = hn::Vec<DF>;
  using Seen = hn::Vec<DU>;  // the exceptions of each lane

  static HWY_INLINE Seen Nothing() { return hn::Zero(DU()); }

  template <class M>
  static HWY_INLINE Seen Where(M mask, Exceptions exception) {
    const DU du;
    return hn::IfThenElseZero(hn::RebindMask(du, mask), hn::Set(du, static_cast<hn::TFromD<DU>>(exception)));
  }

  // Infinity from finite operands, NaN from operands that are none.
  static HWY_INLINE Seen OfOperation(VF x, VF y, VF result) {
    const DF df;
    const VF infinity = hn::Set(df, std::numeric_limits<F>::infinity());
    const auto finite = hn::And(hn::Lt(hn::Abs(x), infinity), hn::Lt(hn::Abs(y), infinity));
    const auto overflow = hn::And(finite, hn::Eq(hn::Abs(result), infinity));
    const auto invalid = hn::AndNot(hn::Or(hn::IsNaN(x), hn::IsNaN(y)), hn::IsNaN(result));
    return hn::Or(Where(overflow, kOverflow), Where(invalid, kInvalidOperation));
  }

  // The same, except that an infinity is no overflow if the divisor was 0.
  static HWY_INLINE Seen OfDivision(VF x, VF y, VF result) {
    const DF df;
    const auto by_zero = hn::Eq(y, hn::Zero(df));
    const VF infinity = hn::Set(df, std::numeric_limits<F>::infinity());
    const auto finite = hn::Lt(hn::Abs(x), infinity);
    const auto nonzero = hn::Ne(x, hn::Zero(df));
    const auto found = OfOperation(x, hn::IfThenElse(by_zero, infinity, y), result);
    return hn::Or(found, Where(hn::And(by_zero, hn::And(finite, nonzero)), kDivisionByZero));
  }

  // A signalling NaN among float32 or float64 operands.
  static HWY_INLINE Seen OfOperand(VF x) {
    const DU du;
    using Bits = hn::TFromD<DU>;
    constexpr int kQuietBit = sizeof(F) == 4 ? 22 : 51;
    const auto quiet = hn::Ne(hn::And(hn::BitCast(du, x), hn::Set(du, Bits{1} << kQuietBit)), hn::Zero(du));
    return Where(hn::AndNot(quiet, hn::RebindMask(du, hn::IsNaN(x))), kInvalidOperation);
  }

  // The same among halves, which conversions make quiet.
  template <class V>
  static HWY_INLINE Seen OfHalf(V halves) {
    const DU du;
    const auto magnitude = hn::And(hn::PromoteTo(du, halves), hn::Set(du, 0x7FFFu));
    const auto is_nan = hn::Gt(magnitude, hn::Set(du, 0x7C00u));
    return Where(hn::And(is_nan, hn::Lt(magnitude, hn::Set(du, 0x7E00u))), kInvalidOperation);
  }

  // A finite float from 65520 on rounds to an infinite half.
  static HWY_INLINE Seen OfRoundingToHalf(VF result) {
    const DF df;
    const VF magnitude = hn::Abs(result);
    return Where(hn::And(hn::Ge(magnitude, hn::Set(df, F{65520})),
                         hn::Lt(magnitude, hn::Set(df, std::numeric_limits<F>::infinity()))),
                 kOverflow);
  }

  static HWY_INLINE Exceptions Verdict(Seen seen) {
    const DU du;
    using Bits = hn::TFromD<DU>;
    Exceptions found = kNoException;
    for (const Exceptions one : {kDivisionByZero, kInvalidOperation, kOverflow}) {
      const auto has = hn::Ne(hn::And(seen, hn::Set(du, static_cast<Bits>(one))), hn::Zero(du));
      if (!hn::AllFalse(du, has)) found |= one;
    }
    return found;
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
