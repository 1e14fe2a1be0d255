// Floating-point modulus for float16, float32 and float64. Included once per target.

// Per-target include guard
#if defined(RESIDUE_KERNELS_MODULUS_FLOAT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_KERNELS_MODULUS_FLOAT_INL_H_
#undef RESIDUE_KERNELS_MODULUS_FLOAT_INL_H_
#else
#define RESIDUE_KERNELS_MODULUS_FLOAT_INL_H_
#endif

#include <hwy/highway.h>

#include <limits>

#include "kernels/long_remainder-inl.h"
#include "kernels/rounding.h"
#include "kernels/simd_compat-inl.h"

HWY_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// From r with |r| < |b| and r = |a| (mod |b|) to the magnitude of the result.
// TRUNCATE wants |a| mod |b|: r, or r + |b|, which is exact because it is a multiple of ulp(b) below |b|.
// FLOOR wants that when the signs agree and |b| minus it when they differ; both are r with the sign of a * b,
// moved up by |b| if negative: one rounding, and none when the exact result is a float.
template <Rounding kRounding, class D, class V>
HWY_INLINE V ResultMagnitude(D d, V r, V b_magnitude, V sign_of_product) {
  const V t = kRounding == Rounding::kFloor ? hn::Xor(r, sign_of_product) : r;
  const V moved = hn::Add(t, hn::IfThenElseZero(hn::Lt(t, hn::Zero(d)), b_magnitude));
  return hn::Abs(moved);
}

// float32 and float64.
//
// Fast path (fused multiply-add only): n = round(|a| * (1 / |b|)) and r = fma(-n, |b|, |a|). For |a| < |b|
// the answer is |a| itself, infinite b included. Otherwise x = |a| - n|b| is a multiple of ulp(b). If |r| <
// |b| for r = fl(x), then |x| < |b| too, because rounding is monotone and |b| is a float; so x is below 2^p
// units and r = x is exact, however n was found. A lane with |a| >= |b| for which the test fails sends its
// vector to the long division: a quotient of about 2^(p-2) or more, a reciprocal that overflowed, zero,
// infinity, NaN.
template <class T, Rounding kRounding>
struct FloatModulus {
  using Lane = T;
  static constexpr Lane kOne = 1;
  using Tag = hn::ScalableTag<T>;

  template <class D, class V>
  HWY_INLINE V Reciprocal(D d, V b) const {
    return hn::Div(hn::Set(d, T(1)), hn::Abs(b));
  }

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b, V reciprocal) const {
#if HWY_NATIVE_FMA
    const V a_magnitude = hn::Abs(a);
    const V b_magnitude = hn::Abs(b);
    const V n = hn::Round(hn::Mul(a_magnitude, reciprocal));
    const V reduced = hn::NegMulAdd(n, b_magnitude, a_magnitude);
    const V r = hn::IfThenElse(hn::Lt(a_magnitude, b_magnitude), a_magnitude, reduced);
    if (HWY_LIKELY(hn::AllTrue(d, hn::Lt(hn::Abs(r), b_magnitude)))) return WithSign(d, r, a, b);
#else
    (void)reciprocal;
#endif
    return Long(d, a, b);
  }

  template <class D, class V>
  static HWY_INLINE V WithSign(D d, V r, V a, V b) {
    const V sign_of_product = hn::And(hn::Xor(a, b), hn::SignBit(d));
    const V magnitude = ResultMagnitude<kRounding>(d, r, hn::Abs(b), sign_of_product);
    return hn::CopySignToAbs(magnitude, kRounding == Rounding::kFloor ? b : a);
  }

  // Any operands: lanes without an answer are set aside and become the canonical NaN.
  template <class D, class V = hn::Vec<D>>
  static HWY_NOINLINE V Long(D d, hn::VecArg<V> a, hn::VecArg<V> b) {
    const V infinity = hn::Set(d, std::numeric_limits<T>::infinity());
    const V a_magnitude = hn::Abs(a);
    const V b_magnitude = hn::Abs(b);
    // Written so that NaN fails each comparison.
    const auto a_finite = hn::Lt(a_magnitude, infinity);
    const auto b_finite = hn::And(hn::Gt(b_magnitude, hn::Zero(d)), hn::Lt(b_magnitude, infinity));
    const auto divides = hn::And(a_finite, b_finite);
    const V dividend = hn::IfThenElseZero(divides, a_magnitude);
    const V divisor = hn::IfThenElse(divides, b_magnitude, hn::Set(d, T(1)));
    const V remainder = LongRemainder(d, dividend, divisor);
    const V r = hn::IfThenElse(divides, remainder, a_magnitude);  // a_magnitude: the answer for infinite b
    const auto valid = hn::And(a_finite, hn::Or(b_finite, hn::Eq(b_magnitude, infinity)));
    return hn::IfThenElse(valid, WithSign(d, r, a, b), hn::Set(d, std::numeric_limits<T>::quiet_NaN()));
  }
};

// float16, in float32 lanes, on bit patterns.
//
// Both operands are exact in float32 and quotients are below 2^40, so the reduction in wide lanes ends after
// at most two steps with a fused multiply-add and four without. FLOOR's sum is rounded to float32 and then to
// half; that equals one rounding because 24 >= 2 * 11 + 2. An infinite divisor is 2^17, which no half
// reaches: it leaves the dividend alone, and |a| away from it still rounds to infinity.
template <Rounding kRounding>
struct HalfModulus {
  using Lane = uint16_t;
  static constexpr Lane kOne = 0x3C00;
  using DF = hn::ScalableTag<float>;
  using DU = hn::ScalableTag<uint32_t>;
  using Tag = hn::Rebind<uint16_t, DF>;
  static constexpr uint32_t kInfinity = 0x7C00;
  static constexpr uint32_t kNan = 0x7E00;

  static HWY_INLINE hn::Vec<DU> Magnitude(hn::Vec<DU> bits) { return hn::And(bits, hn::Set(DU(), 0x7FFFu)); }

  // The divisor to compute with: 1 for zero and NaN, whose lanes are overwritten at the end.
  static HWY_INLINE hn::Vec<DF> Divisor(hn::Vec<DU> magnitude) {
    const DF df;
    const DU du;
    const auto unusable = hn::Or(hn::Eq(magnitude, hn::Zero(du)), hn::Gt(magnitude, hn::Set(du, kInfinity)));
    const auto infinite = hn::Eq(magnitude, hn::Set(du, kInfinity));
    const auto value = HalfMagnitudeToFloat(df, magnitude);
    const auto finite = hn::IfThenElse(hn::RebindMask(df, infinite), hn::Set(df, 0x1p17f), value);
    return hn::IfThenElse(hn::RebindMask(df, unusable), hn::Set(df, 1.0f), finite);
  }

  template <class D, class V>
  HWY_INLINE hn::Vec<DF> Reciprocal(D, V b) const {
    const DF df;
    return hn::Div(hn::Set(df, 1.0f), Divisor(Magnitude(hn::PromoteTo(DU(), b))));
  }

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b, hn::Vec<DF> reciprocal) const {
    const DF df;
    const DU du;
    const auto a_bits = hn::PromoteTo(du, a);
    const auto b_bits = hn::PromoteTo(du, b);
    const auto a_magnitude = Magnitude(a_bits);
    const auto b_magnitude = Magnitude(b_bits);
    const auto a_invalid = hn::Gt(a_magnitude, hn::Set(du, kInfinity - 1));
    const auto b_invalid =
        hn::Or(hn::Gt(b_magnitude, hn::Set(du, kInfinity)), hn::Eq(b_magnitude, hn::Zero(du)));

    const auto divisor = Divisor(b_magnitude);
    const auto dividend =
        hn::IfThenZeroElse(hn::RebindMask(df, a_invalid), HalfMagnitudeToFloat(df, a_magnitude));
    const auto r = RemainderInWideLanes<11>(df, dividend, divisor, reciprocal);

    const auto sign = hn::Set(du, 0x8000u);
    const auto sign_of_product = hn::ShiftLeft<16>(hn::And(hn::Xor(a_bits, b_bits), sign));
    const auto value = ResultMagnitude<kRounding>(df, r, divisor, hn::BitCast(df, sign_of_product));
    const auto result_sign = hn::And(kRounding == Rounding::kFloor ? b_bits : a_bits, sign);
    const auto result = hn::Or(FloatToHalfMagnitude(df, value), result_sign);
    const auto checked = hn::IfThenElse(hn::Or(a_invalid, b_invalid), hn::Set(du, kNan), result);
    return hn::DemoteTo(d, hn::BitCast(hn::RebindToSigned<DU>(), checked));
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace residue
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
