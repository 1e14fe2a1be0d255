// Integer modulus, without an integer division: the quotient comes from a floating-point reciprocal, exact or
// corrected, and nothing can trap. Included once per target.
//
// A divisor of 0 is replaced by 1 before anything else, which is the whole zero rule (a mod 0 = a mod 1 = 0);
// MIN mod -1 needs no rule, because no signed division is made.

// Per-target include guard
#if defined(RESIDUE_KERNELS_MODULUS_INT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_KERNELS_MODULUS_INT_INL_H_
#undef RESIDUE_KERNELS_MODULUS_INT_INL_H_
#else
#define RESIDUE_KERNELS_MODULUS_INT_INL_H_
#endif

#include <hwy/highway.h>

#include <type_traits>

#include "kernels/rounding.h"

HWY_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The zero rule of all integer types.
template <class D, class V>
HWY_INLINE V DivisorOrOne(D d, V b) {
  return hn::IfThenElse(hn::Eq(b, hn::Zero(d)), hn::Set(d, hn::TFromD<D>{1}), b);
}

// 8 and 16 bits, in float32 lanes.
//
// With q = a / b in exact arithmetic, the rounded quotient wanted is an integer k such that (a + h) / b lies
// at least 1 / (2|b|) inside its unit interval, where h = 1/2 carries the sign of b (FLOOR) or of a
// (TRUNCATE). a + h is exact. The reciprocal and the product are off by at most 3 * 2^-23 relative in any
// rounding mode, that is by less than 2^17 * 3 * 2^-23 / |b| < 1 / (2|b|): the rounded quotient is k.
// k * b and a - k * b are integers below 2^17, so the remainder is exact.
template <class T, Rounding kRounding>
struct NarrowModulus {
  using Lane = T;
  static constexpr Lane kOne = 1;
  using Tag = hn::Rebind<T, hn::ScalableTag<float>>;
  using DF = hn::ScalableTag<float>;
  using DI = hn::ScalableTag<int32_t>;

  template <class V>
  static HWY_INLINE hn::Vec<DF> ToFloat(V v) {
    return hn::ConvertTo(DF(), hn::PromoteTo(DI(), v));
  }

  template <class D, class V>
  HWY_INLINE hn::Vec<DF> Reciprocal(D d, V b) const {
    return hn::Div(hn::Set(DF(), 1.0f), ToFloat(DivisorOrOne(d, b)));
  }

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b, hn::Vec<DF> reciprocal) const {
    const DF df;
    const auto dividend = ToFloat(a);
    const auto divisor = ToFloat(DivisorOrOne(d, b));
    const auto nudge = hn::CopySign(hn::Set(df, 0.5f), kRounding == Rounding::kFloor ? divisor : dividend);
    const auto ratio = hn::Mul(hn::Add(dividend, nudge), reciprocal);
    const auto quotient = kRounding == Rounding::kFloor ? hn::Floor(ratio) : hn::Trunc(ratio);
    const auto remainder = hn::Sub(dividend, hn::Mul(quotient, divisor));
    return hn::DemoteTo(d, hn::ConvertTo(DI(), remainder));
  }
};

// 32 and 64 bits, on magnitudes, in float lanes of the same width: p = 24 or 53 bits of precision.
//
// The reciprocal is biased low: c = (1 - 2^(3-p)) / b with a relative error of 3 * 2^-p (conversion,
// division, multiplication). An estimate t = fl(fl(a) * c) adds 2 * 2^-p, so a/b * (1 - 13 * 2^-p) <= t < a/b
// for a > 0: its integer part never exceeds the quotient, and no remainder is negative.
//   First step:  r0 = a - trunc(t) * b < b + 13 * 2^-p * a, so r0 < b + 13 * 2^(w-p) with w = 32 or 64.
//   Second step: r1 < b + 13 * 2^-p * r0. If b < 2^(p-4), the excess is below 1 and r1 <= b; otherwise it is
//   below 13 * 2^(w-p) <= b. Either way r1 < 2b, and one conditional subtraction ends it: min(r1, r1 - b)
//   unsigned picks r1 - b exactly when r1 >= b.
// Lanes with b = 1 get a dividend of 0: their result is 0, and every quotient then fits a signed lane.
template <class T, Rounding kRounding>
struct WideModulus {
  using Lane = T;
  static constexpr Lane kOne = 1;
  using Tag = hn::ScalableTag<T>;
  using DU = hn::RebindToUnsigned<Tag>;
  using DI = hn::RebindToSigned<Tag>;
  using DF = hn::RebindToFloat<Tag>;
  using Float = hn::TFromD<DF>;
  static constexpr Float kBias = sizeof(T) == 4 ? Float(1) - Float(0x1p-21) : Float(1) - Float(0x1p-50);

  template <class V>
  static HWY_INLINE hn::Vec<DU> Magnitude(V v) {
    if constexpr (std::is_signed_v<T>) {
      return hn::BitCast(DU(), hn::Abs(v));
    } else {
      return v;
    }
  }

  template <class D, class V>
  HWY_INLINE hn::Vec<DF> Reciprocal(D d, V b) const {
    const DF df;
    const auto divisor = hn::ConvertTo(df, Magnitude(DivisorOrOne(d, b)));
    return hn::Mul(hn::Div(hn::Set(df, Float(1)), divisor), hn::Set(df, kBias));
  }

  // One step of the reduction: subtracts a multiple of b that is not too large.
  static HWY_INLINE hn::Vec<DU> Reduce(hn::Vec<DU> a, hn::Vec<DU> b, hn::Vec<DF> reciprocal) {
    const auto estimate = hn::Mul(hn::ConvertTo(DF(), a), reciprocal);
    const auto quotient = hn::BitCast(DU(), hn::ConvertTo(DI(), estimate));
    return hn::Sub(a, hn::Mul(quotient, b));
  }

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b, hn::Vec<DF> reciprocal) const {
    const DU du;
    const auto divisor = Magnitude(DivisorOrOne(d, b));
    const auto dividend = hn::IfThenZeroElse(hn::Eq(divisor, hn::Set(du, 1u)), Magnitude(a));
    const auto r1 = Reduce(Reduce(dividend, divisor, reciprocal), divisor, reciprocal);
    const auto r = hn::Min(r1, hn::Sub(r1, divisor));
    if constexpr (std::is_signed_v<T>) {
      return WithSign(d, a, b, hn::BitCast(d, r), hn::BitCast(d, divisor));
    } else {
      return r;
    }
  }

  template <class D, class V>
  static HWY_INLINE V WithSign(D d, V a, V b, V remainder, V divisor) {
    const V zero = hn::Zero(d);
    if constexpr (kRounding == Rounding::kFloor) {
      const auto fix = hn::And(hn::Lt(hn::Xor(a, b), zero), hn::Ne(remainder, zero));
      remainder = hn::IfThenElse(fix, hn::Sub(divisor, remainder), remainder);
      return hn::IfThenElse(hn::Lt(b, zero), hn::Neg(remainder), remainder);
    } else {
      return hn::IfThenElse(hn::Lt(a, zero), hn::Neg(remainder), remainder);
    }
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace residue
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
