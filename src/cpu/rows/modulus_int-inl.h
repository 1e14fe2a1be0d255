// Integer modulus of 32 and 64 bits, and what it shares with the narrow types: no integer division, the
// quotient comes from a floating-point reciprocal, exact or corrected, and nothing can trap. Included once
// per target.
//
// A divisor of 0 is replaced by 1 before anything else, which is the whole zero rule (a mod 0 = a mod 1 = 0);
// MIN mod -1 needs no rule, because no signed division is made.

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_MODULUS_INT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_MODULUS_INT_INL_H_
#undef RESIDUE_CPU_ROWS_MODULUS_INT_INL_H_
#else
#define RESIDUE_CPU_ROWS_MODULUS_INT_INL_H_
#endif

#include <hwy/highway.h>

#include <bit>
#include <type_traits>

#include "cpu/rows/estimates-inl.h"
#include "cpu/rows/rounding.h"
#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The zero rule of all integer types.
template <class D, class V>
HWY_INLINE V DivisorOrOne(D d, V b) {
  using T = hn::TFromD<D>;
  const V one = hn::Set(d, T{1});
  if constexpr (std::is_unsigned_v<T> && (sizeof(T) < 8 || RESIDUE_AVX3)) {
    return hn::Max(b, one);
  } else {
    return hn::IfThenElse(hn::Eq(b, hn::Zero(d)), one, b);
  }
}

// The result from the remainder of the magnitudes, for signed types.
template <Rounding kRounding, class D, class V>
HWY_INLINE V WithSign(D d, V a, V b, V remainder, V divisor) {
  const V zero = hn::Zero(d);
  if constexpr (kRounding == Rounding::kFloor) {
    const auto fix = hn::And(hn::Lt(hn::Xor(a, b), zero), hn::Ne(remainder, zero));
    remainder = hn::IfThenElse(fix, hn::Sub(divisor, remainder), remainder);
    return hn::IfThenElse(hn::Lt(b, zero), hn::Neg(remainder), remainder);
  } else {
    return hn::IfThenElse(hn::Lt(a, zero), hn::Neg(remainder), remainder);
  }
}

// 32 and 64 bits, on magnitudes, in float lanes of the same width: p = 24 or 53 bits of precision.
//
// The reciprocal is biased low: c = (1 - 2^(3-p)) / b with a relative error below 5 * 2^-p (conversion, and
// 3.3 * 2^-p of the refined estimate or 2 * 2^-p of a division and a multiplication). The quotient's estimate
// t = fl(fl(a) * c) adds 2 * 2^-p, so a/b * (1 - 15 * 2^-p) <= t < a/b for a > 0: its integer part never
// exceeds the quotient, and no remainder is negative.
//   First step:  r0 = a - trunc(t) * b < b + 15 * 2^-p * a, so r0 < b + 15 * 2^(w-p) with w = 32 or 64.
//   Second step: r1 < b + 15 * 2^-p * r0. If b < 2^(p-4), the excess is below 15/16 + 2^-7 < 1 and r1 <= b;
//   otherwise it is below 15 * 2^(w-p) <= b. Either way r1 < 2b, and one conditional subtraction ends it:
//   min(r1, r1 - b) unsigned picks r1 - b exactly when r1 >= b.
// Where quotients must fit signed lanes, b = 1 gets a dividend of 0, which has the same result.
template <class T>
struct TwoSteps {
  using DU = hn::ScalableTag<std::make_unsigned_t<T>>;
  using DI = hn::RebindToSigned<DU>;
  using DF = hn::RebindToFloat<DU>;
  using VU = hn::Vec<DU>;
  using VF = hn::Vec<DF>;
  using Float = hn::TFromD<DF>;
  static constexpr Float kBias = sizeof(T) == 4 ? Float(1) - Float(0x1p-21) : Float(1) - Float(0x1p-50);

  // The magnitude of a signed T is at most 2^(w-1), which the signed conversion takes for its negative.
  static HWY_INLINE VF ToFloat(VU magnitude) {
    if constexpr (std::is_signed_v<T> && sizeof(T) == 4 && !RESIDUE_AVX3) {
      return hn::Abs(hn::ConvertTo(DF(), hn::BitCast(DI(), magnitude)));
    } else {
      return hn::ConvertTo(DF(), magnitude);
    }
  }

  static HWY_INLINE VF Reciprocal(VU b) { return PreciseReciprocal(DF(), ToFloat(b), kBias); }

  // About a / b, and never more.
  static HWY_INLINE VU Quotient(VU a, VF reciprocal) {
    return TruncateToUnsigned(DU(), hn::Mul(ToFloat(a), reciprocal));
  }

  // Subtracts a multiple of b that is not too large.
  static HWY_INLINE VU Reduce(VU a, VU b, VF reciprocal) {
    return hn::Sub(a, hn::Mul(Quotient(a, reciprocal), b));
  }

  // a mod b; b is not 0.
  static HWY_INLINE VU Remainder(VU a, VU b, VF reciprocal) {
    if constexpr (!kUnsignedQuotients) a = hn::IfThenZeroElse(hn::Eq(b, hn::Set(DU(), 1u)), a);
    const VU r1 = Reduce(Reduce(a, b, reciprocal), b, reciprocal);
    return hn::Min(r1, hn::Sub(r1, b));
  }
};

template <class D, class V>
HWY_INLINE hn::Vec<hn::RebindToUnsigned<D>> Magnitude(D, V v) {
  if constexpr (std::is_signed_v<hn::TFromD<D>>) {
    return hn::BitCast(hn::RebindToUnsigned<D>(), hn::Abs(v));
  } else {
    return v;
  }
}

template <Rounding kRounding, class D, class V, class VU>
HWY_INLINE V FromMagnitudes(D d, V a, V b, VU remainder, VU divisor) {
  if constexpr (std::is_signed_v<hn::TFromD<D>>) {
    return WithSign<kRounding>(d, a, b, hn::BitCast(d, remainder), hn::BitCast(d, divisor));
  } else {
    return remainder;
  }
}

// Numbers below 2^k in magnitude, k = 20 or 50, which most are, are exact in float lanes and take one step.
//
// With c = 1 / b off by at most 3.3 * 2^-p relative, n = fma(a, c, M) - M with M = 1.5 * 2^(p-1) is an
// integer within 1/2 + 2^k * 3.3 * 2^-p < 0.92 of a / b, because M + a * c lies well between 2^(p-1) and 2^p,
// where floats are integers. So r = a - n * b is an integer with |r| < |b|, exact by a fused multiply-add,
// and wants b added once if its sign is not the result's. Adding M to such an integer puts it into the low
// bits, whence it came.
template <class T, Rounding kRounding>
struct WideModulus {
  using Lane = T;
  static constexpr Lane kOne = 1;
  using Tag = hn::ScalableTag<T>;
  using Steps = TwoSteps<T>;
  using DU = typename Steps::DU;
  using DF = typename Steps::DF;
  using VF = typename Steps::VF;
  using Unsigned = hn::TFromD<DU>;
  using Float = hn::TFromD<DF>;
  static constexpr int kSmallBits = sizeof(T) == 4 ? 20 : 50;
  static constexpr Float kMagic = sizeof(T) == 4 ? Float(0x1.8p23) : Float(0x1.8p52);
  static constexpr Unsigned kMagicBits = std::bit_cast<Unsigned>(kMagic);

  template <class V>
  static HWY_INLINE VF ToFloat(V v) {
    const auto bits = hn::Add(hn::BitCast(DU(), v), hn::Set(DU(), kMagicBits));
    return hn::Sub(hn::BitCast(DF(), bits), hn::Set(DF(), kMagic));
  }

  template <class D>
  static HWY_INLINE hn::Vec<D> FromFloat(D d, VF v) {
    const auto bits = hn::BitCast(DU(), hn::Add(v, hn::Set(DF(), kMagic)));
    return hn::BitCast(d, hn::Sub(bits, hn::Set(DU(), kMagicBits)));
  }

  // Both in [-2^k, 2^k), or unsigned and below 2^k.
  template <class V>
  static HWY_INLINE bool AreSmall(V a, V b) {
    const DU du;
    constexpr bool kSigned = std::is_signed_v<T>;
    constexpr auto kOffset = static_cast<Unsigned>(kSigned ? Unsigned{1} << kSmallBits : 0);
    constexpr auto kHigh = static_cast<Unsigned>(~Unsigned{0} << (kSigned ? kSmallBits + 1 : kSmallBits));
    const auto offset = hn::Set(du, kOffset);
    const auto joined = hn::Or(hn::Add(hn::BitCast(du, a), offset), hn::Add(hn::BitCast(du, b), offset));
    return hn::AllTrue(du, hn::Eq(hn::And(joined, hn::Set(du, kHigh)), hn::Zero(du)));
  }

  template <class D, class V>
  HWY_INLINE VF Prepare(D d, V b) const {
    return PreciseReciprocal(DF(), ToFloat(DivisorOrOne(d, b)), Float(1));
  }

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b, VF reciprocal) const {
#if HWY_NATIVE_FMA
    if (HWY_LIKELY(AreSmall(a, b))) {
      const DF df;
      const VF dividend = ToFloat(a);
      const VF divisor = ToFloat(DivisorOrOne(d, b));
      const VF magic = hn::Set(df, kMagic);
      const VF n = hn::Sub(hn::MulAdd(dividend, reciprocal, magic), magic);
      const VF r = hn::NegMulAdd(n, divisor, dividend);
      const VF sign = hn::And(kRounding == Rounding::kFloor ? divisor : dividend, hn::SignBit(df));
      const auto differs = hn::Lt(hn::Xor(r, sign), hn::Zero(df));
      const VF step = hn::Or(hn::Abs(divisor), sign);
      if constexpr (RESIDUE_AVX3) return FromFloat(d, hn::IfThenElse(differs, hn::Add(r, step), r));
      return FromFloat(d, hn::Add(r, hn::IfThenElseZero(differs, step)));
    }
#else
    (void)reciprocal;
#endif
    return Large(d, a, b);
  }

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    return operator()(d, a, b, Prepare(d, b));
  }

  template <class D, class V = hn::Vec<D>>
  static HWY_NOINLINE V Large(D d, hn::VecArg<V> a, hn::VecArg<V> b) {
    const auto divisor = DivisorOrOne(DU(), Magnitude(d, b));
    const auto r = Steps::Remainder(Magnitude(d, a), divisor, Steps::Reciprocal(divisor));
    return FromMagnitudes<kRounding>(d, V(a), V(b), r, divisor);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
