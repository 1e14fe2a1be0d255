// Floating-point modulus for float32 and float64. Included once per target.

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_MODULUS_FLOAT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_MODULUS_FLOAT_INL_H_
#undef RESIDUE_CPU_ROWS_MODULUS_FLOAT_INL_H_
#else
#define RESIDUE_CPU_ROWS_MODULUS_FLOAT_INL_H_
#endif

#include <hwy/highway.h>

#include <bit>
#include <limits>

#include "cpu/rows/estimates-inl.h"
#include "cpu/rows/long_remainder-inl.h"
#include "cpu/rows/rounding.h"
#include "cpu/rows/simd_compat-inl.h"
#include "cpu/rows/subnormal-inl.h"
#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// float32 and float64.
//
// Fast path (fused multiply-add only): n = round(|a| * c) for some c just below 1 / |b|, or n = round(|a| /
// |b|), and r = fma(-n, |b|, |a|). If |r| < |b|, r is exact:
//   |a| >= |b|: x = |a| - n|b| is a multiple of ulp(b), whatever integer n is. |fl(x)| < |b| implies |x| <
//   |b|, because rounding is monotone and |b| is a float; so x is below 2^p units and r = x. |a| < |b|: n is
//   0 and r = |a|, or n is 1 and |a| > |b| / 2, because c is below 1 / |b|; then the difference of two floats
//   is exact.
// c is biased downwards, by 2^-22 (float32) or 2^-50 (float64), which is more than rounding can lift it: the
// error of an estimate is on the low side. It is low by less than 2^-21 or 2^-27 in all, so n is less than
// one away from the quotient, and |r| below |b|, for quotients up to 2^20 or 2^26. A vector with a lane for
// which the test fails goes to the long division: larger quotients, divisors below kLeast, zero, infinity,
// NaN.
//
// x86 processors take a hundred cycles and more for an operation that sees or makes a subnormal number; only
// comparisons and bits are free. No operation of the fast path does either. From |b| >= kLeast on, ulp(b) is
// normal, and so is every r that is not zero or |a| itself. A subnormal |a| is its own remainder by such
// divisors. The reciprocals of the largest divisors are subnormal, so the reciprocal is that of s = |b| *
// 2^-k, and n * |b| is formed as N * s with N = n * 2^k; s is normal from kLeast on. Scaling by powers of two
// changes no proof.
template <class T, Rounding kRounding>
struct FloatModulus {
  using Lane = T;
  static constexpr Lane kOne = 1;
  using Tag = hn::ScalableTag<T>;
  static constexpr bool kInPairs = true;

  static constexpr T kBias = sizeof(T) == 4 ? T(1 - 0x1p-22) : T(1 - 0x1p-50);
  static constexpr T kNormal = std::numeric_limits<T>::min();
  static constexpr T kLeast = sizeof(T) == 4 ? T(0x1p-101) : T(0x1p-968);
  static constexpr T kDown = sizeof(T) == 4 ? T(0x1p-25) : T(0x1p-54);  // 2^-k
  static constexpr T kScaledMagic = kMagic<T> / kDown;

  // The fast path without a thought for subnormal numbers: as right for every operand, and a fifth faster
  // where none is met. Rows take it while the operands are usual. The reciprocal of |b| itself is biased by
  // 2^-21 (float32), because that of the largest divisors is a subnormal number, which rounding may lift by
  // 2^-22; for float64, where that is 2^-51, kBias does.
  static constexpr bool kHasQuick = HWY_NATIVE_FMA && kEstimates<T>;
  static constexpr T kQuickBias = sizeof(T) == 4 ? T(1 - 0x1p-21) : kBias;
  static constexpr T kMost = 1 / (4 * kNormal);  // up to it, reciprocals are normal

  template <class D, class V>
  static HWY_INLINE bool AreUsual(D d, V a, V b) {
    const V x = hn::Abs(a);
    const V y = hn::Abs(b);
    const auto divisor = hn::And(hn::Ge(y, hn::Set(d, kLeast)), hn::Le(y, hn::Set(d, kMost)));
    const auto dividend = hn::Or(hn::Ge(x, hn::Set(d, kNormal)), hn::Eq(x, hn::Zero(d)));
    return hn::AllTrue(d, hn::And(divisor, dividend));
  }

  template <class D, class V>
  static HWY_INLINE bool Quick(D d, V a, V b, V& result) {
    const V a_magnitude = hn::Abs(a);
    const V b_magnitude = hn::Abs(b);
    const V reciprocal = Refine(d, b_magnitude, RoughReciprocal(d, b_magnitude), kQuickBias);
    return WithSign(d, hn::NegMulAdd(RoundedProduct(d, a_magnitude, reciprocal), b_magnitude, a_magnitude), a,
                    b, result);
  }

  template <class D, class V>
  static HWY_INLINE bool Quick(D d, V a, V b, V reciprocal, V& result) {
    const V a_magnitude = hn::Abs(a);
    const V magic = hn::Set(d, kScaledMagic);
    const V scaled = hn::Mul(hn::Abs(b), hn::Set(d, kDown));
    const V n = hn::Sub(hn::MulAdd(a_magnitude, reciprocal, magic), magic);
    return WithSign(d, hn::NegMulAdd(n, scaled, a_magnitude), a, b, result);
  }

  // The result from the remainder, and whether that is exact.
  template <class D, class V>
  static HWY_INLINE bool WithSign(D d, V r, V a, V b, V& result) {
    const V b_magnitude = hn::Abs(b);
    const V magnitude = ResultMagnitude<kRounding>(d, r, b_magnitude, SignOfProduct(d, a, b));
    result = hn::CopySign(magnitude, kRounding == Rounding::kFloor ? b : a);
    return hn::AllTrue(d, hn::Lt(hn::Abs(r), b_magnitude));
  }

  // |b|, and NaN for those below kLeast, which no operation is slow with.
  template <class D, class V>
  static HWY_INLINE V UsualOrNan(D d, V b_magnitude) {
    const hn::RebindToSigned<D> di;
    const auto bits = hn::BitCast(di, b_magnitude);
    const auto below = hn::Lt(bits, hn::BitCast(di, hn::Set(d, kLeast)));
    return hn::BitCast(d, hn::Or(bits, hn::VecFromMask(di, below)));
  }

  // The reciprocal of s, or NaN, which no lane is fast with.
  template <class D, class V>
  HWY_INLINE V Prepare(D d, V b) const {
    const V divisor = UsualOrNan(d, hn::Abs(b));
    return hn::Div(hn::Set(d, kBias), hn::Mul(divisor, hn::Set(d, kDown)));
  }

#if RESIDUE_AVX3
  // Only the lanes of `usual` can be fast, and no other lane takes part in an operation that may be slow.
  template <class D, class V>
  static HWY_INLINE bool FastAmong(D d, hn::Mask<D> usual, V a, V b, V scaled, V reciprocal, V& result) {
    const V a_magnitude = hn::Abs(a);
    const V b_magnitude = hn::Abs(b);
    const V magic = hn::Set(d, kScaledMagic);
    const auto divides = LtAmong(usual, hn::Set(d, kNormal), a_magnitude);
    const V n = hn::Sub(MulAddOrZero(divides, a_magnitude, reciprocal, magic), magic);
    const V r = NegMulAddOrAddend(divides, n, scaled, a_magnitude);
    const V t = kRounding == Rounding::kFloor ? hn::Xor(r, SignOfProduct(d, a, b)) : r;
    const auto negative = LtAmong(usual, t, hn::Zero(d));
    result = hn::CopySign(AddOrFirst(negative, t, b_magnitude), kRounding == Rounding::kFloor ? b : a);
    return hn::AllTrue(d, LtAmong(usual, hn::Abs(r), b_magnitude));
  }

  template <class D, class V>
  static HWY_INLINE bool Fast(D d, V a, V b, V reciprocal, V& result) {
    const auto usual = hn::Eq(reciprocal, reciprocal);
    const V scaled = MulOrZero(usual, hn::Abs(b), hn::Set(d, kDown));
    return FastAmong(d, usual, a, b, scaled, reciprocal, result);
  }

  template <class D, class V>
  static HWY_INLINE bool Fast(D d, V a, V b, V& result) {
    const V b_magnitude = hn::Abs(b);
    const auto usual = hn::Ge(b_magnitude, hn::Set(d, kLeast));
    const V scaled = MulOrZero(usual, b_magnitude, hn::Set(d, kDown));
    const V reciprocal = Refine(d, scaled, RoughReciprocal(d, scaled), kBias);
    return FastAmong(d, usual, a, b, scaled, reciprocal, result);
  }
#elif HWY_NATIVE_FMA
  // A product with a subnormal |a| is replaced by one with kNormal, which also rounds to zero. That zero then
  // leaves |a| alone, which is not slow.
  template <class D, class V>
  static HWY_INLINE bool FastBy(D d, V a, V b, V scaled, V reciprocal, V& result) {
    const V a_magnitude = hn::Abs(a);
    const V factor = kSlowSubnormals ? hn::Max(a_magnitude, hn::Set(d, kNormal)) : a_magnitude;
    const V magic = hn::Set(d, kScaledMagic);
    const V n = hn::Sub(hn::MulAdd(factor, reciprocal, magic), magic);
    return WithSign(d, hn::NegMulAdd(n, scaled, a_magnitude), a, b, result);
  }

  template <class D, class V>
  static HWY_INLINE bool Fast(D d, V a, V b, V reciprocal, V& result) {
    const V divisor = UsualOrNan(d, hn::Abs(b));
    return FastBy(d, a, b, hn::Mul(divisor, hn::Set(d, kDown)), reciprocal, result);
  }

  template <class D, class V>
  static HWY_INLINE bool Fast(D d, V a, V b, V& result) {
    V divisor = hn::Abs(b);
    if constexpr (kSlowSubnormals) divisor = UsualOrNan(d, divisor);
    if constexpr (kEstimates<T>) {
      const V scaled = hn::Mul(divisor, hn::Set(d, kDown));
      const V reciprocal = Refine(d, scaled, RoughReciprocal(d, scaled), kBias);
      return FastBy(d, a, b, scaled, reciprocal, result);
    }
    // A quotient below a quarter, which may be subnormal, is replaced by a quarter: both round to zero. The
    // maximum with a NaN in the second place is that NaN.
    const V a_magnitude = hn::Abs(a);
    const V quarter = hn::Mul(divisor, hn::Set(d, T(0.25)));
    const V dividend = kSlowSubnormals ? hn::Max(a_magnitude, quarter) : a_magnitude;
    const V n = hn::Round(hn::Div(dividend, divisor));
    return WithSign(d, hn::NegMulAdd(n, divisor, a_magnitude), a, b, result);
  }
#else
  template <class D, class V>
  static HWY_INLINE bool Fast(D, V a, V, V, V& result) {
    result = a;
    return false;
  }

  template <class D, class V>
  static HWY_INLINE bool Fast(D, V a, V, V& result) {
    result = a;
    return false;
  }
#endif

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

  // Any operands, two vectors of them: lanes without an answer are set aside and become the canonical NaN.
  template <class D, class V = hn::Vec<D>>
  static HWY_NOINLINE void Long(D d, hn::VecArg<V> a0, hn::VecArg<V> b0, hn::VecArg<V> a1, hn::VecArg<V> b1,
                                V& result0, V& result1) {
    if (AllSubnormal(d, hn::Or(hn::Abs(a0), hn::Abs(a1)), hn::Or(hn::Abs(b0), hn::Abs(b1)))) {
      result0 = Subnormal(d, V(a0), V(b0));
      result1 = Subnormal(d, V(a1), V(b1));
      return;
    }
    const V one = hn::Set(d, T(1));
    const auto divides0 = Divides(d, V(a0), V(b0));
    const auto divides1 = Divides(d, V(a1), V(b1));
    V x0 = hn::IfThenElseZero(divides0, hn::Abs(a0));
    V x1 = hn::IfThenElseZero(divides1, hn::Abs(a1));
    if (!hn::AllFalse(d, hn::Or(divides0, divides1))) {
      LongMagnitudes<kRounding>(d, x0, hn::IfThenElse(divides0, hn::Abs(b0), one),
                                SignOfProduct(d, V(a0), V(b0)), x1,
                                hn::IfThenElse(divides1, hn::Abs(b1), one), SignOfProduct(d, V(a1), V(b1)));
    }
    result0 = Finish(d, x0, V(a0), V(b0));
    result1 = Finish(d, x1, V(a1), V(b1));
  }

  // Comparisons are written so that NaN fails them.
  template <class D, class V>
  static HWY_INLINE hn::Mask<D> Divides(D d, V a, V b) {
    const V infinity = hn::Set(d, std::numeric_limits<T>::infinity());
    const auto b_finite = hn::And(hn::Gt(hn::Abs(b), hn::Zero(d)), hn::Lt(hn::Abs(b), infinity));
    return hn::And(hn::Lt(hn::Abs(a), infinity), b_finite);
  }

  // The result from its magnitude, for lanes that have one. An infinite b leaves |a|, or is the result itself
  // where FLOOR moves |a| up.
  template <class D, class V>
  static HWY_INLINE V Finish(D d, V magnitude, V a, V b) {
    const V infinity = hn::Set(d, std::numeric_limits<T>::infinity());
    V by_infinity = hn::Abs(a);
    if constexpr (kRounding == Rounding::kFloor) {
      const auto moves = hn::Lt(hn::Xor(by_infinity, SignOfProduct(d, a, b)), hn::Zero(d));
      by_infinity = hn::IfThenElse(moves, infinity, by_infinity);
    }
    const auto divides = Divides(d, a, b);
    const auto valid = hn::Or(divides, hn::And(hn::Lt(hn::Abs(a), infinity), hn::Eq(hn::Abs(b), infinity)));
    const V result =
        hn::CopySign(hn::IfThenElse(divides, magnitude, by_infinity), kRounding == Rounding::kFloor ? b : a);
    return hn::IfThenElse(valid, result, hn::Set(d, std::numeric_limits<T>::quiet_NaN()));
  }

  // Subnormal numbers are multiples of the smallest: they divide as the integers that their bits are, which
  // have a bit less than a significand, as their product with the quotient has at most one more than they.
  // No operation sees a subnormal number, which processors are slow with.
  template <class D, class V>
  static HWY_INLINE V Subnormal(D d, V a, V b) {
    const V x = SubnormalToInteger(d, hn::Abs(a));
    const V divisor = SubnormalToInteger(d, hn::Abs(b));
    const auto is_zero = hn::Eq(divisor, hn::Zero(d));
    const V y = hn::IfThenElse(is_zero, hn::Set(d, T(1)), divisor);
    // A correctly rounded quotient below one rounds to 0, or to 1 and x - y is exact because x >= y / 2.
    const V r = SubtractProduct(hn::Round(hn::Div(x, y)), y, x);
    const V magnitude = ResultMagnitude<kRounding>(d, r, y, SignOfProduct(d, a, b));
    const V result = hn::CopySign(IntegerToSubnormal(d, magnitude), kRounding == Rounding::kFloor ? b : a);
    return hn::IfThenElse(is_zero, hn::Set(d, std::numeric_limits<T>::quiet_NaN()), result);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
