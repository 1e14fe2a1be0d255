// Modulus of float16 numbers in AVX512-FP16's native half lanes, 32 at a time. Only for the target AVX3_SPR;
// every other target has the code of HalfModulus. Included once per target.

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_MODULUS_FP16_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_MODULUS_FP16_INL_H_
#undef RESIDUE_CPU_ROWS_MODULUS_FP16_INL_H_
#else
#define RESIDUE_CPU_ROWS_MODULUS_FP16_INL_H_
#endif

#include <hwy/highway.h>

#include "cpu/rows/modulus_half-inl.h"
#include "cpu/rows/rounding.h"
#include "cpu/rows/target-inl.h"

#if HWY_TARGET == HWY_AVX3_DL

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// float16: two steps in half lanes, and the vector's other lanes by float32.
//
// Let c be the reciprocal's estimate and q = fl(A * c), off by e <= 2^-9.9 relative as long as c is normal,
// that is up to B = 2^14. With 2^k <= q < 2^(k+1), the first step's n is q rounded to eight bits and to an
// integer: it is off by at most 2^(k-8) + 2^(k+1) * e < 2^(k-7.3) from the quotient, or by less than 1. So x1
// = A - n * B is a multiple of U = max(1, 2^(k-7)) * ulp(B) below 2^11 units: exact. It leaves a quotient
// below 2^8.7, which the second step takes whole: |x2| < B * (1/2 + 2^8.7 * e) < B, a multiple of ulp(B),
// exact. Above B = 2^14, c has eight bits left, but q is at most 4: n is off by less than 1/2 + 2^-6, and
// both steps are exact again. A < B is its own remainder. Where c or q overflows, r is NaN and the test |r| <
// B fails.
template <Rounding kRounding>
struct HalfModulusFp16 : HalfModulus<kRounding> {
  using Wide = HalfModulus<kRounding>;
  using typename Wide::Tag;
  using V16 = hn::Vec<Tag>;
  static constexpr int kNearest = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;

  static HWY_INLINE __m512h AsHalf(V16 bits) { return _mm512_castsi512_ph(bits.raw); }
  static HWY_INLINE V16 AsBits(__m512h half) { return V16{_mm512_castph_si512(half)}; }
  static HWY_INLINE V16 Absolute(V16 bits) { return hn::And(bits, hn::Set(Tag(), 0x7FFFu)); }

  HWY_INLINE V16 Prepare(Tag, V16 b) const { return AsBits(_mm512_rcp_ph(AsHalf(Absolute(b)))); }

  HWY_INLINE V16 operator()(Tag d, V16 a, V16 b) const { return operator()(d, a, b, Prepare(d, b)); }

  HWY_INLINE V16 operator()(Tag d, V16 a, V16 b, V16 prepared) const {
    const V16 a_bits = Absolute(a);
    const V16 b_bits = Absolute(b);
    const __m512h dividend = AsHalf(a_bits);
    const __m512h divisor = AsHalf(b_bits);
    const __m512h reciprocal = AsHalf(prepared);

    const V16 quotient = AsBits(_mm512_mul_ph(dividend, reciprocal));
    const V16 eight_bits = hn::And(hn::Add(quotient, hn::Set(d, 4u)), hn::Set(d, 0xFFF8u));
    __m512h n = _mm512_roundscale_ph(AsHalf(eight_bits), kNearest);
    __m512h r = _mm512_fnmadd_ph(n, divisor, dividend);
    n = _mm512_roundscale_ph(_mm512_mul_ph(r, reciprocal), kNearest);
    r = _mm512_fnmadd_ph(n, divisor, r);

    // Compared as integers, which orders magnitudes; NaN is above infinity.
    const __mmask32 divides = _mm512_cmpge_epu16_mask(a_bits.raw, b_bits.raw);
    r = AsHalf(V16{_mm512_mask_mov_epi16(a_bits.raw, divides, _mm512_castph_si512(r))});
    const __mmask32 bad = _mm512_cmp_ph_mask(AsHalf(Absolute(AsBits(r))), divisor, _CMP_NLT_UQ);

    const V16 result = WithSign(d, a, b, r, divisor);
    if (HWY_LIKELY(bad == 0)) return result;
    return V16{_mm512_mask_mov_epi16(result.raw, bad, Wide::TwoSteps(d, a, b).raw)};
  }

  static HWY_INLINE V16 WithSign(Tag d, V16 a, V16 b, __m512h r, __m512h divisor) {
    const V16 sign = hn::Set(d, 0x8000u);
    constexpr int kXorAnd = 0x78;  // first ^ (second & third)
    constexpr int kSelect = 0xCA;  // first ? second : third
    if constexpr (kRounding == Rounding::kFloor) {
      r = AsHalf(V16{_mm512_ternarylogic_epi32(AsBits(r).raw, hn::Xor(a, b).raw, sign.raw, kXorAnd)});
    }
    const __mmask32 negative = _mm512_cmp_ph_mask(r, _mm512_setzero_ph(), _CMP_LT_OQ);
    const V16 moved = AsBits(_mm512_mask_add_ph(r, negative, r, divisor));
    const V16 giver = kRounding == Rounding::kFloor ? b : a;
    return V16{_mm512_ternarylogic_epi32(sign.raw, giver.raw, moved.raw, kSelect)};
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // HWY_TARGET == HWY_AVX3_DL

#endif  // per-target include guard
