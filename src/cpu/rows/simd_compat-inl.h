// What Highway 1.0.3 leaves to its users: half conversions that are exact on every target, and small helpers
// shared by the modulus maths. Included once per target.

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_SIMD_COMPAT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_SIMD_COMPAT_INL_H_
#undef RESIDUE_CPU_ROWS_SIMD_COMPAT_INL_H_
#else
#define RESIDUE_CPU_ROWS_SIMD_COMPAT_INL_H_
#endif

#include <hwy/highway.h>

#include <limits>

#include "core/half.h"
#include "cpu/rows/target-inl.h"

// Targets whose half <-> float instructions round to nearest even and keep subnormals, infinities and NaN.
// Highway's software versions on the other targets do not, so those get ours.
#undef RESIDUE_NATIVE_HALF
#if HWY_TARGET == HWY_AVX2 || RESIDUE_AVX3 || HWY_TARGET == HWY_NEON || HWY_TARGET == HWY_SVE
#define RESIDUE_NATIVE_HALF 1
#else
#define RESIDUE_NATIVE_HALF 0
#endif

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// |half| to float for lanes that hold a half's magnitude (sign bit clear) in 32 bits. Exact for finite
// halves; infinity and NaN come out as some number of at least 65536, infinity or NaN: the caller masks them.
template <class DF, class VU = hn::Vec<hn::RebindToUnsigned<DF>>>
HWY_INLINE hn::Vec<DF> HalfMagnitudeToFloat(DF df, VU magnitude) {
#if RESIDUE_NATIVE_HALF
  const hn::Rebind<hwy::float16_t, DF> dh;
  const hn::Rebind<uint16_t, DF> du16;
  const hn::RebindToSigned<DF> di;
  return hn::PromoteTo(df, hn::BitCast(dh, hn::DemoteTo(du16, hn::BitCast(di, magnitude))));
#else
  // Moving the bits into place leaves the exponent 112 too small. A subnormal half wants one more, as if 1
  // stood before its fraction f, and 2^-14 off for that 1: f * 2^-14 <= (1 + f) * 2^-15. For a normal half v,
  // that would be 2 * v - 2^-14 >= v. So the smaller one is right, and no operation sees a subnormal float.
  const hn::RebindToUnsigned<DF> du;
  const auto moved = hn::ShiftLeft<13>(magnitude);
  const auto normal = hn::BitCast(df, hn::Add(moved, hn::Set(du, 112u << 23)));
  const auto doubled = hn::BitCast(df, hn::Add(moved, hn::Set(du, 113u << 23)));
  return hn::Min(normal, hn::Sub(doubled, hn::Set(df, 0x1p-14f)));
#endif
}

// Non-negative float to the nearest half, ties to even, as the low 16 bits of 32-bit lanes; at least 65520
// gives infinity. NaN is not allowed.
template <class DF, class VF = hn::Vec<DF>>
HWY_INLINE hn::Vec<hn::RebindToUnsigned<DF>> FloatToHalfMagnitude(DF df, VF value) {
  const hn::RebindToUnsigned<DF> du;
#if RESIDUE_NATIVE_HALF
  const hn::Rebind<hwy::float16_t, DF> dh;
  const hn::Rebind<uint16_t, DF> du16;
  (void)df;
  return hn::PromoteTo(du, hn::BitCast(du16, hn::DemoteTo(dh, value)));
#else
  const auto bits = hn::BitCast(du, value);
  // Normal halves: add half a unit less one, plus the lowest kept bit, and drop 13 bits. A carry runs into
  // the exponent, which is where it belongs.
  const auto odd = hn::And(hn::ShiftRight<13>(bits), hn::Set(du, 1u));
  const auto rounded = hn::ShiftRight<13>(hn::Add(bits, hn::Add(odd, hn::Set(du, 0xFFFu))));
  const auto normal = hn::Min(hn::Sub(rounded, hn::Set(du, 112u << 10)), hn::Set(du, 0x7C00u));
  // Subnormal halves: adding 0.5 puts the unit 2^-24 at the last place of the float, which rounds there.
  const auto half = hn::Set(df, 0.5f);
  const auto subnormal = hn::Sub(hn::BitCast(du, hn::Add(value, half)), hn::BitCast(du, half));
  const auto is_normal = hn::RebindMask(du, hn::Ge(value, hn::Set(df, 0x1p-14f)));
  return hn::IfThenElse(is_normal, normal, subnormal);
#endif
}

// Halves as floats: every number is exact, and every NaN some NaN.
template <class DF, class VH = hn::Vec<hn::Rebind<uint16_t, DF>>>
HWY_INLINE hn::Vec<DF> HalfToFloat(DF df, VH halves) {
#if RESIDUE_NATIVE_HALF
  return hn::PromoteTo(df, hn::BitCast(hn::Rebind<hwy::float16_t, DF>(), halves));
#else
  const hn::RebindToUnsigned<DF> du;
  const auto bits = hn::PromoteTo(du, halves);
  const auto magnitude = hn::And(bits, hn::Set(du, 0x7FFFu));
  const auto sign = hn::ShiftLeft<16>(hn::And(bits, hn::Set(du, 0x8000u)));
  const auto infinity = hn::Set(du, 0x7C00u);
  const auto finite = HalfMagnitudeToFloat(df, magnitude);
  const auto bounded = hn::IfThenElse(hn::RebindMask(df, hn::Eq(magnitude, infinity)),
                                      hn::Set(df, std::numeric_limits<float>::infinity()), finite);
  const auto absolute = hn::IfThenElse(hn::RebindMask(df, hn::Gt(magnitude, infinity)),
                                       hn::Set(df, std::numeric_limits<float>::quiet_NaN()), bounded);
  return hn::Or(absolute, hn::BitCast(df, sign));
#endif
}

// Floats rounded to the nearest half, ties to even. A NaN must be the quiet one, and stays so.
template <class DF, class VF = hn::Vec<DF>>
HWY_INLINE hn::Vec<hn::Rebind<uint16_t, DF>> FloatToHalf(DF df, VF value) {
  const hn::Rebind<uint16_t, DF> du16;
#if RESIDUE_NATIVE_HALF
  (void)df;
  return hn::BitCast(du16, hn::DemoteTo(hn::Rebind<hwy::float16_t, DF>(), value));
#else
  const hn::RebindToUnsigned<DF> du;
  const auto is_nan = hn::IsNaN(value);
  const auto rounded = FloatToHalfMagnitude(df, hn::IfThenZeroElse(is_nan, hn::Abs(value)));
  const auto sign = hn::And(hn::ShiftRight<16>(hn::BitCast(du, value)), hn::Set(du, 0x8000u));
  const auto result =
      hn::IfThenElse(hn::RebindMask(du, is_nan), hn::Set(du, uint32_t{kHalfNan.bits}), hn::Or(rounded, sign));
  return hn::DemoteTo(du16, hn::BitCast(hn::RebindToSigned<decltype(du)>(), result));
#endif
}

// Lanes of 64 bits that have at least one of these bits.
template <class V>
HWY_INLINE auto HasAnyBit(V lanes, V bits) {
#if RESIDUE_AVX3
  return hn::Mask512<uint64_t>{_mm512_test_epi64_mask(lanes.raw, bits.raw)};
#else
  return hn::Ne(hn::And(lanes, bits), hn::Zero(hn::DFromV<V>()));
#endif
}

// 2^exponent for lanes with -1022 <= exponent <= 1023.
template <class DF, class VI = hn::Vec<hn::RebindToSigned<DF>>>
HWY_INLINE hn::Vec<DF> PowerOfTwo(DF df, VI exponent) {
  const hn::RebindToSigned<DF> di;
  return hn::BitCast(df, hn::ShiftLeft<52>(hn::Add(exponent, hn::Set(di, 1023))));
}

// a - n * b, exact if the difference is representable and, on targets without a fused multiply-add, n * b is.
template <class V>
HWY_INLINE V SubtractProduct(V n, V b, V a) {
#if HWY_NATIVE_FMA
  return hn::NegMulAdd(n, b, a);
#else
  return hn::Sub(a, hn::Mul(n, b));
#endif
}

// a * b modulo 2^8 for bytes, where the factors of the even bytes and of the odd ones are 16-bit lanes.
template <class D, class V, class V16>
HWY_INLINE V MultiplyBytes(D d, V16 even, V16 odd, V b) {
  const hn::Repartition<uint16_t, D> words;
  const auto b_words = hn::BitCast(words, b);
  const auto low_byte = hn::Set(words, 0x00FFu);
  const auto odd_products = hn::Mul(odd, hn::AndNot(low_byte, b_words));
  return hn::BitCast(d, hn::OrAnd(odd_products, hn::Mul(even, b_words), low_byte));
}

// The number itself, or the quiet NaN for any NaN.
template <class DF, class VF = hn::Vec<DF>>
HWY_INLINE VF QuietNan(DF df, VF value) {
  using F = hn::TFromD<DF>;
  const VF nan = hn::Set(df, std::numeric_limits<F>::quiet_NaN());
#if RESIDUE_AVX3
  // One instruction where a comparison and a blend are two. Each digit of the table is a class of numbers,
  // NaN the last two: 1 gives the number, 0 the other operand.
  constexpr int kTable = 0x11111100;
  if constexpr (hn::MaxLanes(DF()) * sizeof(F) < 64) {
    // part of a vector
  } else if constexpr (sizeof(F) == 4) {
    return VF{_mm512_fixupimm_ps(nan.raw, value.raw, _mm512_set1_epi32(kTable), 0)};
  } else {
    return VF{_mm512_fixupimm_pd(nan.raw, value.raw, _mm512_set1_epi64(kTable), 0)};
  }
#endif
  return hn::IfThenElse(hn::IsNaN(value), nan, value);
}

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
