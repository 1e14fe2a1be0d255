// Modulus of float16 numbers, in float32 lanes. Included once per target.
//
// Both operands are exact in float32 and quotients are below 2^40, so the reduction in wide lanes ends after
// at most two steps with a fused multiply-add and four without. FLOOR's sum is rounded to float32 and then to
// half; that equals one rounding because 24 >= 2 * 11 + 2. An infinite divisor is 2^17, which no half
// reaches: it leaves the dividend alone, and |a| away from it still rounds to infinity.

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_MODULUS_HALF_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_MODULUS_HALF_INL_H_
#undef RESIDUE_CPU_ROWS_MODULUS_HALF_INL_H_
#else
#define RESIDUE_CPU_ROWS_MODULUS_HALF_INL_H_
#endif

#include <hwy/highway.h>

#include <bit>

#include "cpu/rows/estimates-inl.h"
#include "cpu/rows/long_remainder-inl.h"
#include "cpu/rows/modulus_float-inl.h"
#include "cpu/rows/rounding.h"
#include "cpu/rows/simd_compat-inl.h"
#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_AVX2 || RESIDUE_AVX3

// x86 with its half conversions: both halves of a vector at a time.
//
// Fast path: one step by n = round(a * c), where c is off from 1 / b by at most 2^-14 relative (AVX-512),
// 1.5 * 2^-12 (AVX2), or 3.3 * 2^-24 (a prepared reciprocal). As long as |n| < 2^k, with k = 12, 10 or 20,
// |r| = |a - n * b| is below b * (1/2 + 3/8): exact, as all steps in wide lanes are. The bits of M + n tell
// |n|, and NaN and infinity have others. FLOOR divides with the signs that there are, and the product r * c
// has the sign that tells whether b is to be added; TRUNCATE divides magnitudes. A finite a by an infinite b
// makes NaN, which the result's bits tell. A vector with a lane for which |n| is too large or the result not
// finite takes two steps.
template <Rounding kRounding>
struct HalfModulus {
  using Lane = uint16_t;
  static constexpr Lane kOne = 0x3C00;
  using Tag = hn::ScalableTag<uint16_t>;
  using Part = hn::Half<Tag>;
  using DF = hn::ScalableTag<float>;
  using DU = hn::RebindToUnsigned<DF>;
  using VF = hn::Vec<DF>;
  using VU = hn::Vec<DU>;
  static constexpr int16_t kInfinity = 0x7C00;
  static constexpr int16_t kNan = 0x7E00;
  static constexpr int kEstimateBits = RESIDUE_AVX3 ? 12 : 10;
  static constexpr int kPreparedBits = 20;

  template <class V>
  static HWY_INLINE VF ToFloat(V part) {
    return hn::PromoteTo(DF(), hn::BitCast(hn::Rebind<hwy::float16_t, Part>(), part));
  }

  static HWY_INLINE hn::Vec<Part> ToHalf(VF value) {
    return hn::BitCast(Part(), hn::DemoteTo(hn::Rebind<hwy::float16_t, Part>(), value));
  }

  // The operand to divide by or with.
  static HWY_INLINE VF Operand(VF v) { return kRounding == Rounding::kFloor ? v : hn::Abs(v); }

  // One step. `distance` is below 2^(kBits + 1) if |n| is below 2^kBits.
  template <int kBits>
  static HWY_INLINE VF Step(VF a, VF b, VF reciprocal, VU& distance) {
    const DF df;
    const DU du;
    constexpr uint32_t kLeast = std::bit_cast<uint32_t>(kMagic<float>) - (1u << kBits);
    const VF magic = hn::Set(df, kMagic<float>);
    const VF sum = hn::MulAdd(a, reciprocal, magic);
    distance = hn::Sub(hn::BitCast(du, sum), hn::Set(du, kLeast));
    const VF r = hn::NegMulAdd(hn::Sub(sum, magic), b, a);
    const VF t = kRounding == Rounding::kFloor ? hn::Mul(r, reciprocal) : r;
    const auto moves = hn::Lt(t, hn::Zero(df));
    if constexpr (RESIDUE_AVX3) return hn::IfThenElse(moves, hn::Add(r, b), r);
    return hn::Add(r, hn::IfThenElseZero(moves, b));
  }

  template <int kBits, class D, class V>
  static HWY_INLINE V OneStep(D d, V a, V b, VF low_b, VF high_b, VF low_c, VF high_c) {
    const DU du;
    const Part part;
    VU low_distance = hn::Zero(du);
    VU high_distance = low_distance;
    const VF low = Step<kBits>(Operand(ToFloat(hn::LowerHalf(part, a))), low_b, low_c, low_distance);
    const VF high = Step<kBits>(Operand(ToFloat(hn::UpperHalf(part, a))), high_b, high_c, high_distance);
    const V magnitude = hn::And(hn::Combine(d, ToHalf(high), ToHalf(low)), hn::Set(d, 0x7FFFu));
    const VU far = hn::And(hn::Or(low_distance, high_distance), hn::Set(du, ~((2u << kBits) - 1)));
    const hn::RebindToSigned<D> di;
    const auto finite = hn::Lt(hn::BitCast(di, magnitude), hn::Set(di, kInfinity));
    if (HWY_UNLIKELY(!hn::AllTrue(du, hn::Eq(far, hn::Zero(du))) || !hn::AllTrue(di, finite))) {
      return TwoSteps(d, a, b);
    }
    return hn::OrAnd(magnitude, kRounding == Rounding::kFloor ? b : a, hn::Set(d, 0x8000u));
  }

  // Any operands. Zero divisors, infinite dividends and NaN make NaN by themselves, and one comparison at the
  // end makes it the canonical one.
  //
  // The first step leaves |r| below b * (1/2 + 2^40 * 2^-21). The second, by a quotient below 2^20, leaves
  // |r| below b * (1/2 + 2^20 * 2^-22), which is below b. Both are exact, as all steps in wide lanes are.
  template <class D, class V = hn::Vec<D>>
  static HWY_NOINLINE V TwoSteps(D d, hn::VecArg<V> a, hn::VecArg<V> b) {
    const Part part;
    const auto low = Magnitude(ToFloat(hn::LowerHalf(part, a)), ToFloat(hn::LowerHalf(part, b)));
    const auto high = Magnitude(ToFloat(hn::UpperHalf(part, a)), ToFloat(hn::UpperHalf(part, b)));
    const hn::RebindToSigned<D> di;
    const V magnitude = hn::Combine(d, high, low);
    const V sign = hn::And(kRounding == Rounding::kFloor ? b : a, hn::Set(d, 0x8000u));
    const auto invalid = hn::Gt(hn::BitCast(di, magnitude), hn::Set(di, kInfinity));
    return hn::BitCast(d,
                       hn::IfThenElse(invalid, hn::Set(di, kNan), hn::BitCast(di, hn::Or(magnitude, sign))));
  }

  // On x86, the minimum with a NaN in the second place is that NaN.
  static HWY_INLINE hn::Vec<Part> Magnitude(VF a, VF b) {
    const DF df;
    const VF divisor = hn::Min(hn::Set(DF(), 0x1p17f), hn::Abs(b));
    const VF reciprocal = PreciseReciprocal(df, divisor, 1.0f);
    VF r = hn::Abs(a);
    r = hn::NegMulAdd(RoundedProduct(df, r, reciprocal), divisor, r);
    r = hn::NegMulAdd(RoundedProduct(df, r, reciprocal), divisor, r);
    return ToHalf(hn::Abs(ResultMagnitude<kRounding>(df, r, divisor, SignOfProduct(df, a, b))));
  }

  template <class D, class V>
  HWY_INLINE VF Prepare(D, V b) const {
    return PreciseReciprocal(DF(), Operand(ToFloat(hn::LowerHalf(Part(), b))), 1.0f);
  }

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b, VF reciprocal) const {
    const VF divisor = Operand(ToFloat(hn::LowerHalf(Part(), b)));
    return OneStep<kPreparedBits>(d, a, b, divisor, divisor, reciprocal, reciprocal);
  }

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    const DF df;
    const VF low = Operand(ToFloat(hn::LowerHalf(Part(), b)));
    const VF high = Operand(ToFloat(hn::UpperHalf(Part(), b)));
    return OneStep<kEstimateBits>(d, a, b, low, high, RoughReciprocal(df, low), RoughReciprocal(df, high));
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
