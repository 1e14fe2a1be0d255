// Integer modulus of 16 bits, and of 8 bits where there are no tables of bytes (modulus_byte-inl.h). Included
// once per target.

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_MODULUS_NARROW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_MODULUS_NARROW_INL_H_
#undef RESIDUE_CPU_ROWS_MODULUS_NARROW_INL_H_
#else
#define RESIDUE_CPU_ROWS_MODULUS_NARROW_INL_H_
#endif

#include <hwy/highway.h>

#include <type_traits>

#include "cpu/rows/estimates-inl.h"
#include "cpu/rows/modulus_int-inl.h"
#include "cpu/rows/rounding.h"
#include "cpu/rows/simd_compat-inl.h"
#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
// A lane has no four bytes to share: 32 bits do it.
template <class T, Rounding kRounding>
struct NarrowModulus {
  using Lane = T;
  static constexpr Lane kOne = 1;
  using Tag = hn::ScalableTag<T>;
  using Wide = hn::Rebind<int32_t, Tag>;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    const Wide wide;
    const WideModulus<int32_t, kRounding> modulus;
    return hn::DemoteTo(d, modulus(wide, hn::PromoteTo(wide, a), hn::PromoteTo(wide, b)));
  }
};

#else
// 8 and 16 bits, in float32 lanes: element k of every four bytes makes the k-th vector of floats.
//
// With q = a / b in exact arithmetic, the rounded quotient wanted is an integer k such that (a + h) / b lies
// at least 1 / (2|b|) inside its unit interval, where h = 1/2 carries the sign of b (FLOOR) or of a
// (TRUNCATE). a + h is exact, and |a + h| < 2^w. A reciprocal and a product that are off by less than
// 2^-(w+1) relative move the quotient by less than 1 / (2|b|): the rounded quotient is k. The bound is 2^-9
// for bytes, which an estimate of 1.5 * 2^-12 and one rounding meet; 16 bits need 2^-17, met by the refined
// reciprocal. The remainder a - k * b is computed modulo 2^w, where it is exact.
template <class T, Rounding kRounding>
struct NarrowModulus {
  using Lane = T;
  static constexpr Lane kOne = 1;
  using Tag = hn::ScalableTag<T>;
  using DU16 = hn::Repartition<uint16_t, Tag>;
  using DI = hn::Repartition<int32_t, Tag>;
  using DU = hn::Repartition<uint32_t, Tag>;
  using DF = hn::Repartition<float, Tag>;
  using VF = hn::Vec<DF>;
  static constexpr int kBits = 8 * sizeof(T);
  static constexpr bool kRoundsDownByNearest =
      kNearestIsCheap && std::is_signed_v<T> && kRounding == Rounding::kFloor;
  // AVX2 divides eight floats in the time of five other operations, which is less than refining takes.
  static constexpr bool kDividesVectors = sizeof(T) == 2 && HWY_TARGET == HWY_AVX2 && !kRoundsDownByNearest;

  template <int kPart, class V>
  static HWY_INLINE VF Part(V v) {
    constexpr int kAbove = 32 - kBits * (kPart + 1);
    if constexpr (std::is_signed_v<T>) {
      const auto shifted = hn::ShiftLeft<kAbove>(hn::BitCast(DI(), v));
      return hn::ConvertTo(DF(), hn::ShiftRight<32 - kBits>(shifted));
    } else {
      const auto shifted = hn::ShiftRight<kBits * kPart>(hn::BitCast(DU(), v));
      const auto part = kAbove == 0 ? shifted : hn::And(shifted, hn::Set(DU(), (1u << kBits) - 1));
      return hn::ConvertTo(DF(), hn::BitCast(DI(), part));
    }
  }

  static HWY_INLINE VF Reciprocal(VF b) {
    return sizeof(T) == 1 ? RoughReciprocal(DF(), b) : PreciseReciprocal(DF(), b, 1.0f);
  }

  // The rounded quotient of one part, in the low bits of each four bytes. A division is within the bound too.
  template <int kPart, bool kDivides, class V>
  static HWY_INLINE hn::Vec<DU> Quotient(V a, VF divisor, VF reciprocal) {
    const DF df;
    const VF dividend = Part<kPart>(a);
    const VF half = hn::Set(df, 0.5f);
    if constexpr (kRoundsDownByNearest && !kDivides) {
      // floor(x) is the integer nearest to x - 1/2, and h / b is 1/2 of |1 / b|.
      const VF shift = hn::MulSub(half, hn::Abs(reciprocal), half);
      return hn::BitCast(DU(), NearestInRange(DI(), hn::MulAdd(dividend, reciprocal, shift)));
    }
    VF nudge = half;
    if constexpr (std::is_signed_v<T>) {
      nudge = hn::Or(half, hn::And(kRounding == Rounding::kFloor ? divisor : dividend, hn::SignBit(df)));
    }
    const VF sum = hn::Add(dividend, nudge);
    const VF ratio = kDivides ? hn::Div(sum, divisor) : hn::Mul(sum, reciprocal);
    constexpr Rounding kMode = std::is_signed_v<T> ? kRounding : Rounding::kTruncate;
    return hn::BitCast(DU(), RoundInRange<kMode>(DI(), ratio));
  }

  // Two parts of 16 bits each as one vector.
  static HWY_INLINE hn::Vec<DU16> Join(hn::Vec<DU> low, hn::Vec<DU> high) {
    const auto kept = std::is_signed_v<T> ? hn::And(low, hn::Set(DU(), 0xFFFFu)) : low;
    return hn::BitCast(DU16(), hn::Or(kept, hn::ShiftLeft<16>(high)));
  }

  // quotient * b modulo 2^w, from the quotients of each part, which `quotient` gives when called with it.
  template <class D, class V, class Function>
  static HWY_INLINE V Product(D d, V b, Function quotient) {
    if constexpr (sizeof(T) == 2) {
      const auto joined = Join(quotient.template operator()<0>(), quotient.template operator()<1>());
      return hn::BitCast(d, hn::Mul(joined, hn::BitCast(DU16(), b)));
    } else {
      const auto even = Join(quotient.template operator()<0>(), quotient.template operator()<2>());
      const auto odd = Join(quotient.template operator()<1>(), quotient.template operator()<3>());
      return MultiplyBytes(d, even, odd, b);
    }
  }

  template <class D, class V>
  HWY_INLINE VF Prepare(D d, V b) const {
    return Reciprocal(Part<0>(DivisorOrOne(d, b)));
  }

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b, VF reciprocal) const {
    const V divisor = DivisorOrOne(d, b);
    const VF one_divisor = Part<0>(divisor);
    return hn::Sub(a, Product(d, divisor, [&]<int kPart>() HWY_ATTR RESIDUE_ALWAYS_INLINE {
                     return Quotient<kPart, false>(a, one_divisor, reciprocal);
                   }));
  }

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    const V divisor = DivisorOrOne(d, b);
    return hn::Sub(a, Product(d, divisor, [&]<int kPart>() HWY_ATTR RESIDUE_ALWAYS_INLINE {
                     const VF part = Part<kPart>(divisor);
                     if constexpr (kDividesVectors) return Quotient<kPart, true>(a, part, part);
                     return Quotient<kPart, false>(a, part, Reciprocal(part));
                   }));
  }
};

#endif

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
