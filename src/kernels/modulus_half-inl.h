// Modulus of float16 numbers, in float32 lanes. Included once per target.
//
// Both operands are exact in float32 and quotients are below 2^40, so the reduction in wide lanes ends after
// at most two steps with a fused multiply-add and four without. FLOOR's sum is rounded to float32 and then to
// half; that equals one rounding because 24 >= 2 * 11 + 2. An infinite divisor is 2^17, which no half
// reaches: it leaves the dividend alone, and |a| away from it still rounds to infinity.

// Per-target include guard
#if defined(RESIDUE_KERNELS_MODULUS_HALF_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_KERNELS_MODULUS_HALF_INL_H_
#undef RESIDUE_KERNELS_MODULUS_HALF_INL_H_
#else
#define RESIDUE_KERNELS_MODULUS_HALF_INL_H_
#endif

#include <hwy/highway.h>

#include "kernels/estimates-inl.h"
#include "kernels/long_remainder-inl.h"
#include "kernels/modulus_float-inl.h"
#include "kernels/rounding.h"
#include "kernels/simd_compat-inl.h"
#include "kernels/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_AVX2 || RESIDUE_AVX3

// x86 with its half conversions: both halves of a vector, without a branch. Zero divisors, infinite dividends
// and NaN make NaN by themselves, and one comparison at the end makes it the canonical one.
//
// The first step leaves |r| < b * (1/2 + 2^40 * 2^-21), the second, by a quotient below 2^20, |r| < b * (1/2
// + 2^20 * 2^-22) < b; both are exact as all steps in wide lanes are.
template <Rounding kRounding>
struct HalfModulus {
  using Lane = uint16_t;
  static constexpr Lane kOne = 0x3C00;
  using Tag = hn::ScalableTag<uint16_t>;
  using Part = hn::Half<Tag>;
  using DF = hn::ScalableTag<float>;
  using VF = hn::Vec<DF>;
  static constexpr int16_t kInfinity = 0x7C00;
  static constexpr int16_t kNan = 0x7E00;

  template <class V>
  static HWY_INLINE VF ToFloat(V part) {
    return hn::PromoteTo(DF(), hn::BitCast(hn::Rebind<hwy::float16_t, Part>(), part));
  }

  // On x86, the minimum with a NaN in the second place is that NaN.
  static HWY_INLINE VF Divisor(VF b) { return hn::Min(hn::Set(DF(), 0x1p17f), hn::Abs(b)); }

  static HWY_INLINE VF Reciprocal(VF divisor) { return PreciseReciprocal(DF(), divisor, 1.0f); }

  static HWY_INLINE hn::Vec<Part> Magnitude(VF a, VF b, VF reciprocal) {
    const DF df;
    const VF divisor = Divisor(b);
    VF r = hn::Abs(a);
    r = hn::NegMulAdd(RoundedProduct(df, r, reciprocal), divisor, r);
    r = hn::NegMulAdd(RoundedProduct(df, r, reciprocal), divisor, r);
    const VF sign_of_product = hn::And(hn::Xor(a, b), hn::SignBit(df));
    const VF magnitude = ResultMagnitude<kRounding>(df, r, divisor, sign_of_product);
    return hn::BitCast(Part(), hn::DemoteTo(hn::Rebind<hwy::float16_t, Part>(), hn::Abs(magnitude)));
  }

  template <class D, class V>
  static HWY_INLINE V WithSign(D d, V a, V b, V magnitude) {
    const hn::RebindToSigned<D> di;
    const V sign = hn::And(kRounding == Rounding::kFloor ? b : a, hn::Set(d, 0x8000u));
    const auto invalid = hn::Gt(hn::BitCast(di, magnitude), hn::Set(di, kInfinity));
    return hn::BitCast(d,
                       hn::IfThenElse(invalid, hn::Set(di, kNan), hn::BitCast(di, hn::Or(magnitude, sign))));
  }

  template <class D, class V>
  HWY_INLINE VF Prepare(D, V b) const {
    return Reciprocal(Divisor(ToFloat(hn::LowerHalf(Part(), b))));
  }

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b, VF reciprocal) const {
    const Part part;
    const VF divisor = ToFloat(hn::LowerHalf(part, b));
    const auto low = Magnitude(ToFloat(hn::LowerHalf(part, a)), divisor, reciprocal);
    const auto high = Magnitude(ToFloat(hn::UpperHalf(part, a)), divisor, reciprocal);
    return WithSign(d, a, b, hn::Combine(d, high, low));
  }

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    const Part part;
    const VF low_b = ToFloat(hn::LowerHalf(part, b));
    const VF high_b = ToFloat(hn::UpperHalf(part, b));
    const auto low = Magnitude(ToFloat(hn::LowerHalf(part, a)), low_b, Reciprocal(Divisor(low_b)));
    const auto high = Magnitude(ToFloat(hn::UpperHalf(part, a)), high_b, Reciprocal(Divisor(high_b)));
    return WithSign(d, a, b, hn::Combine(d, high, low));
  }
};

#else

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
  HWY_INLINE hn::Vec<DF> Prepare(D, V b) const {
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
    const auto result = hn::Or(FloatToHalfMagnitude(df, hn::Abs(value)), result_sign);
    const auto checked = hn::IfThenElse(hn::Or(a_invalid, b_invalid), hn::Set(du, kNan), result);
    return hn::DemoteTo(d, hn::BitCast(hn::RebindToSigned<DU>(), checked));
  }

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    return operator()(d, a, b, Prepare(d, b));
  }
};

#endif

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
