// Reciprocals and conversions as cheap as a target has them, with the error that callers may rely on:
// exactness is proved from these bounds, never from what one processor happens to return. Included once per
// target.

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_ESTIMATES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_ESTIMATES_INL_H_
#undef RESIDUE_CPU_ROWS_ESTIMATES_INL_H_
#else
#define RESIDUE_CPU_ROWS_ESTIMATES_INL_H_
#endif

#include <hwy/highway.h>

#include "cpu/rows/rounding.h"
#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Estimates pay only where a fused multiply-add refines them, and x86 alone states their error; elsewhere
// these are divisions. Relative errors: at most 1.5 * 2^-12 for float, 2^-14 for double.
#if HWY_ARCH_X86 && HWY_NATIVE_FMA
inline constexpr bool kEstimatesFloat = true;
#else
inline constexpr bool kEstimatesFloat = false;
#endif
inline constexpr bool kEstimatesDouble = RESIDUE_AVX3;

template <class T>
inline constexpr bool kEstimates = sizeof(T) == 4 ? kEstimatesFloat : kEstimatesDouble;

template <class D, class V = hn::Vec<D>>
HWY_INLINE V RoughReciprocal(D d, V v) {
  using T = hn::TFromD<D>;
  if constexpr (!kEstimates<T>) {
    return hn::Div(hn::Set(d, T(1)), v);
  } else if constexpr (sizeof(T) == 4) {
    return hn::ApproximateReciprocal(v);
  } else {
#if RESIDUE_AVX3
    return V{_mm512_rcp14_pd(v.raw)};
#endif
  }
}

// One Newton step from an estimate r of 1 / v with relative error e: the result is (target - e^2) / v up to
// one rounding and e * 2^-p. A target slightly below 1 biases the reciprocal low.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Refine(D d, V v, V r, hn::TFromD<D> target) {
  return hn::MulAdd(hn::NegMulAdd(r, v, hn::Set(d, target)), r, r);
}

// `target` / v, where target is 1 or just below: with relative error at most 2.3 * 2^-24 + 2^-24 for float,
// 1.2 * 2^-53 for double, or that of a division and a multiplication. v must not be zero; infinity, NaN and
// subnormal numbers give anything, NaN included.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V PreciseReciprocal(D d, V v, hn::TFromD<D> target) {
  using T = hn::TFromD<D>;
  V r = RoughReciprocal(d, v);
  if constexpr (!kEstimates<T>) return target == T(1) ? r : hn::Mul(r, hn::Set(d, target));
  if constexpr (sizeof(T) == 8) r = Refine(d, v, r, T(1));
  return Refine(d, v, r, target);
}

#if RESIDUE_AVX3
// Operations in which the lanes outside a mask take no part, so that what they hold costs no time; the
// comparisons are false there.
template <class M, class V>
HWY_INLINE V MulOrZero(M mask, V x, V y) {
  if constexpr (sizeof(hn::TFromV<V>) == 4) {
    return V{_mm512_maskz_mul_ps(mask.raw, x.raw, y.raw)};
  } else {
    return V{_mm512_maskz_mul_pd(mask.raw, x.raw, y.raw)};
  }
}
template <class M, class V>
HWY_INLINE V MulAddOrZero(M mask, V x, V y, V z) {
  if constexpr (sizeof(hn::TFromV<V>) == 4) {
    return V{_mm512_maskz_fmadd_ps(mask.raw, x.raw, y.raw, z.raw)};
  } else {
    return V{_mm512_maskz_fmadd_pd(mask.raw, x.raw, y.raw, z.raw)};
  }
}
template <class M, class V>
HWY_INLINE V NegMulAddOrAddend(M mask, V x, V y, V z) {
  if constexpr (sizeof(hn::TFromV<V>) == 4) {
    return V{_mm512_mask3_fnmadd_ps(x.raw, y.raw, z.raw, mask.raw)};
  } else {
    return V{_mm512_mask3_fnmadd_pd(x.raw, y.raw, z.raw, mask.raw)};
  }
}
template <class M, class V>
HWY_INLINE V AddOrFirst(M mask, V x, V y) {
  if constexpr (sizeof(hn::TFromV<V>) == 4) {
    return V{_mm512_mask_add_ps(x.raw, mask.raw, x.raw, y.raw)};
  } else {
    return V{_mm512_mask_add_pd(x.raw, mask.raw, x.raw, y.raw)};
  }
}
template <class M, class V>
HWY_INLINE M LtAmong(M mask, V x, V y) {
  if constexpr (sizeof(hn::TFromV<V>) == 4) {
    return M{_mm512_mask_cmp_ps_mask(mask.raw, x.raw, y.raw, _CMP_LT_OQ)};
  } else {
    return M{_mm512_mask_cmp_pd_mask(mask.raw, x.raw, y.raw, _CMP_LT_OQ)};
  }
}
#endif

// Numbers whose rounded value fits the integer lanes; Highway's conversions pay for those that do not.
template <Rounding kRounding, class DI, class VF>
HWY_INLINE hn::Vec<DI> RoundInRange(DI di, VF v) {
#if RESIDUE_AVX3
  if constexpr (sizeof(hn::TFromD<DI>) == 4 && hn::MaxLanes(DI()) == 16) {
    constexpr int kMode = (kRounding == Rounding::kFloor ? _MM_FROUND_TO_NEG_INF : _MM_FROUND_TO_ZERO);
    return hn::Vec<DI>{_mm512_cvt_roundps_epi32(v.raw, kMode | _MM_FROUND_NO_EXC)};
  }
#elif HWY_TARGET == HWY_AVX2
  if constexpr (sizeof(hn::TFromD<DI>) == 4 && hn::MaxLanes(DI()) == 8) {
    if constexpr (kRounding == Rounding::kFloor) v = hn::Floor(v);
    return hn::Vec<DI>{_mm256_cvttps_epi32(v.raw)};
  }
#endif
  return hn::ConvertTo(di, kRounding == Rounding::kFloor ? hn::Floor(v) : v);
}

// The nearest integer, for numbers of which it fits the lanes. Where this is cheaper than rounding down:
inline constexpr bool kNearestIsCheap = HWY_TARGET == HWY_AVX2;

template <class DI, class VF>
HWY_INLINE hn::Vec<DI> NearestInRange(DI, VF v) {
#if HWY_TARGET == HWY_AVX2
  return hn::Vec<DI>{_mm256_cvtps_epi32(v.raw)};
#else
  return hn::NearestInt(v);
#endif
}

// The integer part of numbers in [0, 2^w) where kUnsignedQuotients, in [0, 2^(w-1)) elsewhere.
inline constexpr bool kUnsignedQuotients = RESIDUE_AVX3;

template <class DU, class VF>
HWY_INLINE hn::Vec<DU> TruncateToUnsigned(DU du, VF v) {
#if RESIDUE_AVX3
  (void)du;
  if constexpr (sizeof(hn::TFromD<DU>) == 4) return hn::Vec<DU>{_mm512_cvttps_epu32(v.raw)};
  if constexpr (sizeof(hn::TFromD<DU>) == 8) return hn::Vec<DU>{_mm512_cvttpd_epu64(v.raw)};
#else
  const hn::RebindToSigned<DU> di;
  if constexpr (sizeof(hn::TFromD<DU>) == 4) {
    return hn::BitCast(du, RoundInRange<Rounding::kTruncate>(di, v));
  } else {
    return hn::BitCast(du, hn::ConvertTo(di, v));
  }
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
