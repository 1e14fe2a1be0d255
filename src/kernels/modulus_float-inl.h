// Floating-point modulus for float32 and float64. Included once per target.

// Per-target include guard
#if defined(RESIDUE_KERNELS_MODULUS_FLOAT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_KERNELS_MODULUS_FLOAT_INL_H_
#undef RESIDUE_KERNELS_MODULUS_FLOAT_INL_H_
#else
#define RESIDUE_KERNELS_MODULUS_FLOAT_INL_H_
#endif

#include <hwy/highway.h>

#include <limits>

#include "kernels/estimates-inl.h"
#include "kernels/long_remainder-inl.h"
#include "kernels/rounding.h"
#include "kernels/simd_compat-inl.h"
#include "kernels/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// From r with |r| < |b| and r = |a| (mod |b|) to the magnitude of the result, with any sign on a zero.
// TRUNCATE wants |a| mod |b|: r, or r + |b|, which is exact because it is a multiple of ulp(b) below |b|.
// FLOOR wants that when the signs agree and |b| minus it when they differ; both are r with the sign of a * b,
// moved up by |b| if negative: one rounding, and none when the exact result is a float.
template <Rounding kRounding, class D, class V>
HWY_INLINE V ResultMagnitude(D d, V r, V b_magnitude, V sign_of_product) {
  const V t = kRounding == Rounding::kFloor ? hn::Xor(r, sign_of_product) : r;
  const auto negative = hn::Lt(t, hn::Zero(d));
  if constexpr (RESIDUE_AVX3) return hn::IfThenElse(negative, hn::Add(t, b_magnitude), t);
  return hn::Add(t, hn::IfThenElseZero(negative, b_magnitude));
}

// float32 and float64.
//
// Fast path (fused multiply-add only): n = floor(|a| * c) for some c slightly above 1 / |b|, or n = round(|a|
// / |b|), and r = fma(-n, |b|, |a|). If |r| < |b|, r is exact:
//   |a| >= |b|: x = |a| - n|b| is a multiple of ulp(b), whatever integer n is. |fl(x)| < |b| implies |x| <
//   |b|, because rounding is monotone and |b| is a float; so x is below 2^p units and r = x. |a| < |b|: n is
//   0 and r = |a|, or n is 1 and |a| >= |b| / 2, where the difference of two floats is exact.
// c is biased upwards, by 2^-21 (float32) or 2^-26 (float64), which is more than it is off, so n is never too
// small; it is too large by one at most, and r above -|b|, for quotients up to 2^20 or 2^25. A vector with a
// lane for which the test fails goes to the long division: larger quotients, divisors whose reciprocal is not
// a normal number, zero, infinity, NaN.
template <class T, Rounding kRounding>
struct FloatModulus {
  using Lane = T;
  static constexpr Lane kOne = 1;
  using Tag = hn::ScalableTag<T>;
  static constexpr bool kInPairs = true;

  static constexpr T kBias = sizeof(T) == 4 ? T(1 + 0x1p-21) : T(1 + 0x1p-26);
  static constexpr T kPreciseBias = sizeof(T) == 4 ? T(1 + 0x1p-21) : T(1 + 0x1p-50);

  template <class D, class V>
  HWY_INLINE V Prepare(D d, V b) const {
    return hn::Div(hn::Set(d, kPreciseBias), hn::Abs(b));
  }

  // The fast path; false if a lane needs the long one.
  template <class D, class V>
  static HWY_INLINE bool Fast([[maybe_unused]] D d, V a, [[maybe_unused]] V b, [[maybe_unused]] V reciprocal,
                              V& result) {
#if HWY_NATIVE_FMA
    const V a_magnitude = hn::Abs(a);
    const V b_magnitude = hn::Abs(b);
    const V n = FlooredProduct(d, a_magnitude, reciprocal);
    const V r = hn::NegMulAdd(n, b_magnitude, a_magnitude);
    result = WithSign(d, r, a, b);
    return hn::AllTrue(d, hn::Lt(hn::Abs(r), b_magnitude));
#else
    result = a;
    return false;
#endif
  }

  template <class D, class V>
  static HWY_INLINE bool Fast(D d, V a, V b, V& result) {
    const V b_magnitude = hn::Abs(b);
    if constexpr (kEstimates<T>) {
      return Fast(d, a, b, Refine(d, b_magnitude, RoughReciprocal(d, b_magnitude), kBias), result);
    }
    result = a;
#if HWY_NATIVE_FMA
    const V a_magnitude = hn::Abs(a);
    if (HWY_ARCH_X86 && HasSubnormal(d, b_magnitude)) return false;  // dividing by one is slow
    const V r = ByDivision(d, a_magnitude, b_magnitude);
    result = WithSign(d, r, a, b);
    return hn::AllTrue(d, hn::Lt(hn::Abs(r), b_magnitude));
#else
    return false;
#endif
  }

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b, V reciprocal) const {
    V result = a;
    if (HWY_LIKELY(Fast(d, a, b, reciprocal, result))) return result;
    V long_result = a;
    V unused = a;
    Long(d, a, b, a, b, long_result, unused);
    return long_result;
  }

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    V result = a;
    if (HWY_LIKELY(Fast(d, a, b, result))) return result;
    V long_result = a;
    V unused = a;
    Long(d, a, b, a, b, long_result, unused);
    return long_result;
  }

  // A correctly rounded quotient needs no special case for |a| < |b|: n is 0, or 1 and |a| - |b| is exact
  // because |a| >= |b| / 2.
  template <class D, class V>
  static HWY_INLINE V ByDivision(D, V a_magnitude, V b_magnitude) {
    return SubtractProduct(hn::Round(hn::Div(a_magnitude, b_magnitude)), b_magnitude, a_magnitude);
  }

  template <class D, class V>
  static HWY_INLINE V WithSign(D d, V r, V a, V b) {
    const V sign_of_product = hn::And(hn::Xor(a, b), hn::SignBit(d));
    const V magnitude = ResultMagnitude<kRounding>(d, r, hn::Abs(b), sign_of_product);
    return hn::CopySign(magnitude, kRounding == Rounding::kFloor ? b : a);
  }

  // Any operands, two vectors of them: lanes without an answer are set aside and become the canonical NaN.
  template <class D, class V = hn::Vec<D>>
  static HWY_NOINLINE void Long(D d, hn::VecArg<V> a0, hn::VecArg<V> b0, hn::VecArg<V> a1, hn::VecArg<V> b1,
                                V& result0, V& result1) {
    if constexpr (sizeof(T) == 8) {
      if (AreSubnormal(d, hn::Or(hn::Abs(a0), hn::Abs(a1)), hn::Or(hn::Abs(b0), hn::Abs(b1)))) {
        result0 = Subnormal(d, V(a0), V(b0));
        result1 = Subnormal(d, V(a1), V(b1));
        return;
      }
    }
    const V one = hn::Set(d, T(1));
    const auto divides0 = Divides(d, V(a0), V(b0));
    const auto divides1 = Divides(d, V(a1), V(b1));
    V r0 = hn::IfThenElseZero(divides0, hn::Abs(a0));
    V r1 = hn::IfThenElseZero(divides1, hn::Abs(a1));
    if (!hn::AllFalse(d, hn::Or(divides0, divides1))) {
      LongRemainders(d, r0, hn::IfThenElse(divides0, hn::Abs(b0), one), r1,
                     hn::IfThenElse(divides1, hn::Abs(b1), one));
    }
    result0 = Finish(d, r0, V(a0), V(b0));
    result1 = Finish(d, r1, V(a1), V(b1));
  }

  // Comparisons are written so that NaN fails them.
  template <class D, class V>
  static HWY_INLINE hn::Mask<D> Divides(D d, V a, V b) {
    const V infinity = hn::Set(d, std::numeric_limits<T>::infinity());
    const auto b_finite = hn::And(hn::Gt(hn::Abs(b), hn::Zero(d)), hn::Lt(hn::Abs(b), infinity));
    return hn::And(hn::Lt(hn::Abs(a), infinity), b_finite);
  }

  // The result from the remainder, for lanes that have one; an infinite b leaves |a|.
  template <class D, class V>
  static HWY_INLINE V Finish(D d, V remainder, V a, V b) {
    const V infinity = hn::Set(d, std::numeric_limits<T>::infinity());
    const auto divides = Divides(d, a, b);
    const V r = hn::IfThenElse(divides, remainder, hn::Abs(a));
    const auto by_infinity = hn::And(hn::Lt(hn::Abs(a), infinity), hn::Eq(hn::Abs(b), infinity));
    const V nan = hn::Set(d, std::numeric_limits<T>::quiet_NaN());
    return hn::IfThenElse(hn::Or(divides, by_infinity), WithSign(d, r, a, b), nan);
  }

  // Subnormal float64 numbers are multiples of 2^-1074: they divide as the integers that their bits are. No
  // operation sees a subnormal number, which processors are slow with.
  template <class D, class V>
  static HWY_INLINE V Subnormal(D d, V a, V b) {
    const V x = SubnormalToInteger(d, hn::Abs(a));
    const V divisor = SubnormalToInteger(d, hn::Abs(b));
    const auto is_zero = hn::Eq(divisor, hn::Zero(d));
    const V y = hn::IfThenElse(is_zero, hn::Set(d, T(1)), divisor);
    const V sign_of_product = hn::And(hn::Xor(a, b), hn::SignBit(d));
    const V magnitude = ResultMagnitude<kRounding>(d, ByDivision(d, x, y), y, sign_of_product);
    const V result = hn::CopySign(IntegerToSubnormal(d, magnitude), kRounding == Rounding::kFloor ? b : a);
    return hn::IfThenElse(is_zero, hn::Set(d, std::numeric_limits<T>::quiet_NaN()), result);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
