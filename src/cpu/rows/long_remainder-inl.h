// Float remainders for any quotient, however large: a whole vector at a time, a bounded number of steps,
// every remainder on the way exact. Included once per target.
//
// All functions take finite a >= 0 and finite b > 0, and go through some r with |r| < b and r = a (mod b),
// exact. Where that is slow, no operation sees or makes a subnormal number, comparisons and bits excepted.

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_LONG_REMAINDER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_LONG_REMAINDER_INL_H_
#undef RESIDUE_CPU_ROWS_LONG_REMAINDER_INL_H_
#else
#define RESIDUE_CPU_ROWS_LONG_REMAINDER_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "cpu/rows/estimates-inl.h"
#include "cpu/rows/rounding.h"
#include "cpu/rows/simd_compat-inl.h"
#include "cpu/rows/subnormal-inl.h"
#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class D, class V>
HWY_INLINE V SignOfProduct(D d, V a, V b) {
  return hn::And(hn::Xor(a, b), hn::SignBit(d));
}

// From r with |r| < |b| and r = |a| (mod |b|) to the magnitude of the result, with any sign on a zero.
// TRUNCATE wants |a| mod |b|: r, or r + |b|, which is exact because it is a multiple of ulp(b) below |b|.
// FLOOR wants that when the signs agree and |b| minus it when they differ; both are r with the sign of a * b,
// moved up by |b| if negative: one rounding, and none when the exact result is a float.
template <class D, class V>
HWY_INLINE V MoveUp(D d, V t, V b_magnitude) {
  const auto negative = hn::Lt(t, hn::Zero(d));
  if constexpr (RESIDUE_AVX3) return hn::IfThenElse(negative, hn::Add(t, b_magnitude), t);
  return hn::Add(t, hn::IfThenElseZero(negative, b_magnitude));
}
template <Rounding kRounding, class D, class V>
HWY_INLINE V ResultMagnitude(D d, V r, V b_magnitude, V sign_of_product) {
  return MoveUp(d, kRounding == Rounding::kFloor ? hn::Xor(r, sign_of_product) : r, b_magnitude);
}

// Keeps the leading `kBits` bits of each significand.
template <int kBits, class D, class V>
HWY_INLINE V KeepLeadingBits(D d, V v) {
  const hn::RebindToUnsigned<D> du;
  using Bits = hn::TFromD<decltype(du)>;
  constexpr int kDropped = hwy::MantissaBits<hn::TFromD<D>>() + 1 - kBits;
  return hn::And(v, hn::BitCast(d, hn::Set(du, static_cast<Bits>(~Bits{0} << kDropped))));
}

// M = 1.5 * 2^(p-1).
template <class T>
inline constexpr T kMagic = static_cast<T>(sizeof(T) == 4 ? 0x1.8p23 : 0x1.8p52);

// round(x * c) as an integer, whatever its size: to the nearest below 2^(p-2), and within two units of the
// last place above. Adding and subtracting M, with the sign of x, leaves integers only, because all floats
// from 2^(p-1) on are.
template <class D, class V>
HWY_INLINE V RoundedSignedProduct(D d, V x, V c) {
  const V magic = hn::Set(d, kMagic<hn::TFromD<D>>);
  const V signed_magic = hn::Or(magic, hn::And(x, hn::SignBit(d)));
  return hn::Sub(hn::MulAdd(x, c, signed_magic), signed_magic);
}

// The same for x >= 0, or |x * c| below 2^(p-2).
template <class D, class V>
HWY_INLINE V RoundedProduct(D d, V x, V c) {
  const V magic = hn::Set(d, kMagic<hn::TFromD<D>>);
  return hn::Sub(hn::MulAdd(x, c, magic), magic);
}

// Numbers of s significant bits in lanes of w >= 2s bits: half in float32 (11 in 24), float32 in float64 (24
// in 53). The exponent range of the lanes holds every quotient.
//
// Each step subtracts n * b, where n is the quotient estimate rounded to an integer: to k = w - 1 bits with a
// fused multiply-add, else cut to k = w - s bits so that n * b is exact by itself. r, n * b and their
// difference are multiples of U = max(1, ulp(n)) * ulp(b), since n is an integer and U never grows; and the
// difference is at most b / 2 + r * (2^(2-w) + 2^(1-k)). In units of U that is at most about 2^(s+2) < 2^w:
// exact. |r| shrinks by at least 2^(k-3) a step until the quotient is below one; a lane that is done stays
// below b, because n is then 0, or 1 or -1 and the difference is smaller.
template <int kSourceBits, class D, class V>
HWY_INLINE V ReduceInWideLanes(D d, V r, V b, V reciprocal) {
#if HWY_NATIVE_FMA
  return hn::NegMulAdd(RoundedSignedProduct(d, r, reciprocal), b, r);
#else
  constexpr int kQuotientBits = hwy::MantissaBits<hn::TFromD<D>>() + 1 - kSourceBits;
  const V n = KeepLeadingBits<kQuotientBits>(d, hn::Round(hn::Mul(r, reciprocal)));
  return hn::Sub(r, hn::Mul(n, b));
#endif
}

template <int kSourceBits, class D, class V>
HWY_INLINE V RemainderInWideLanes(D d, V a, V b, V reciprocal) {
  V r = a;
  while (!hn::AllTrue(d, hn::Lt(hn::Abs(r), b))) r = ReduceInWideLanes<kSourceBits>(d, r, b, reciprocal);
  return r;
}

// The functions called LongMagnitudes take two vectors at once, x0 by b0 and x1 by b1: a step waits for the
// one before, and two chains wait together. They leave the magnitudes of the results in x0 and x1, with any
// sign on a zero.
//
// float32 goes through float64 lanes, where its subnormal numbers are normal. FLOOR's sum may be rounded
// there first: rounding it again to float32 equals one rounding, because 53 >= 2 * 24 + 2.

#if HWY_TARGET == HWY_SCALAR
template <Rounding kRounding, class D, hwy::EnableIf<sizeof(hn::TFromD<D>) == 4>* = nullptr>
HWY_INLINE void LongMagnitudes(D d, hn::Vec<D>& x0, hn::Vec<D> b0, hn::Vec<D> sign0, hn::Vec<D>& x1,
                               hn::Vec<D> b1, hn::Vec<D> sign1) {
  const hn::Rebind<double, D> wide;
  const auto reduce = [&](hn::Vec<D> x, hn::Vec<D> b, hn::Vec<D> sign) HWY_ATTR {
    const auto divisor = hn::PromoteTo(wide, b);
    const auto reciprocal = hn::Div(hn::Set(wide, 1.0), divisor);
    const auto r = RemainderInWideLanes<24>(wide, hn::PromoteTo(wide, x), divisor, reciprocal);
    return hn::DemoteTo(d, ResultMagnitude<kRounding>(wide, r, divisor, hn::PromoteTo(wide, sign)));
  };
  x0 = reduce(x0, b0, sign0);
  x1 = reduce(x1, b1, sign1);
}
#else
// After the first step there are two per test: who needs more than one mostly needs several, and a
// mispredicted end costs more than a step. Quotients are below 2^277 and a step takes at least 49 bits off,
// or 26 without a fused multiply-add, so there is a last step that needs no test. The steps beyond kPaired
// are for subnormal divisors, and tested one by one.
//
// The dividends have the sign that FLOOR gives them: steps keep it, and then a negative remainder is moved
// up.
template <bool kSubnormalResults, class D>
HWY_INLINE void MagnitudesInWideLanes(D d, hn::Vec<D>& x0, hn::Vec<D> b0, hn::Vec<D>& x1, hn::Vec<D> b1,
                                      bool subnormal_x, bool subnormal_b) {
  using V = hn::Vec<D>;
  const hn::Repartition<double, D> wide;
  const hn::Half<D> half;
  using W = hn::Vec<decltype(wide)>;
  const auto promote = [&](V v, bool subnormal, W& low, W& high) HWY_ATTR RESIDUE_ALWAYS_INLINE {
    if (HWY_UNLIKELY(subnormal)) {
      low = PromoteSubnormal(wide, hn::LowerHalf(half, v));
      high = PromoteSubnormal(wide, hn::UpperHalf(half, v));
    } else {
      low = hn::PromoteTo(wide, hn::LowerHalf(half, v));
      high = hn::PromoteTo(wide, hn::UpperHalf(half, v));
    }
  };
  W low0, high0, low1, high1, low_b0, high_b0, low_b1, high_b1;
  promote(x0, subnormal_x, low0, high0);
  promote(x1, subnormal_x, low1, high1);
  promote(b0, subnormal_b, low_b0, high_b0);
  promote(b1, subnormal_b, low_b1, high_b1);
  const W low_c0 = PreciseReciprocal(wide, low_b0, 1.0);
  const W high_c0 = PreciseReciprocal(wide, high_b0, 1.0);
  const W low_c1 = PreciseReciprocal(wide, low_b1, 1.0);
  const W high_c1 = PreciseReciprocal(wide, high_b1, 1.0);
  const auto reduce = [&]() HWY_ATTR RESIDUE_ALWAYS_INLINE {
    low0 = ReduceInWideLanes<24>(wide, low0, low_b0, low_c0);
    high0 = ReduceInWideLanes<24>(wide, high0, high_b0, high_c0);
    low1 = ReduceInWideLanes<24>(wide, low1, low_b1, low_c1);
    high1 = ReduceInWideLanes<24>(wide, high1, high_b1, high_c1);
  };
  const auto is_done = [&]() HWY_ATTR RESIDUE_ALWAYS_INLINE {
    const auto done0 = hn::And(hn::Lt(hn::Abs(low0), low_b0), hn::Lt(hn::Abs(high0), high_b0));
    const auto done1 = hn::And(hn::Lt(hn::Abs(low1), low_b1), hn::Lt(hn::Abs(high1), high_b1));
    return hn::AllTrue(wide, hn::And(done0, done1));
  };
  constexpr int kPaired = HWY_NATIVE_FMA ? 5 : 9;
  constexpr int kMost = HWY_NATIVE_FMA ? 6 : 11;
  reduce();
  for (int taken = 1; taken < kMost && !is_done();) {
    reduce();
    taken += 1;
    if (taken > kPaired) continue;
    reduce();
    taken += 1;
  }
  if constexpr (kSubnormalResults) {
    const auto finish = [&](W low, W high, W low_b, W high_b) HWY_ATTR RESIDUE_ALWAYS_INLINE {
      const W low_result = MoveUp(wide, low, low_b);
      const W high_result = MoveUp(wide, high, high_b);
      return hn::Combine(d, DemoteSubnormal(wide, high_result), DemoteSubnormal(wide, low_result));
    };
    x0 = finish(low0, high0, low_b0, high_b0);
    x1 = finish(low1, high1, low_b1, high_b1);
  } else {  // |r| < b, a multiple of ulp(b): exact
    x0 = MoveUp(d, hn::Combine(d, hn::DemoteTo(half, high0), hn::DemoteTo(half, low0)), b0);
    x1 = MoveUp(d, hn::Combine(d, hn::DemoteTo(half, high1), hn::DemoteTo(half, low1)), b1);
  }
}

template <Rounding kRounding, class D, hwy::EnableIf<sizeof(hn::TFromD<D>) == 4>* = nullptr>
HWY_INLINE void LongMagnitudes(D d, hn::Vec<D>& x0, hn::Vec<D> b0, hn::Vec<D> sign0, hn::Vec<D>& x1,
                               hn::Vec<D> b1, hn::Vec<D> sign1) {
  const bool subnormal_x = kSlowSubnormals && AnySubnormal(d, x0, x1);
  const bool small_b = kSlowSubnormals && AnyBelow(d, hn::Min(b0, b1), 0x1p-102f);
  if constexpr (kRounding == Rounding::kFloor) {
    x0 = hn::Xor(x0, sign0);
    x1 = hn::Xor(x1, sign1);
  }
  if (HWY_UNLIKELY(subnormal_x || small_b)) {
    MagnitudesInWideLanes<true>(d, x0, b0, x1, b1, subnormal_x, AnySubnormal(d, b0, b1));
  } else {
    MagnitudesInWideLanes<false>(d, x0, b0, x1, b1, false, false);
  }
}
#endif

// float64: there are no wider lanes, so both numbers are scaled into [1, 2) and the quotient is taken up to
// kStep bits at a time.
//
// A step forms x = r * 2^k with k <= kStep (exact), n = round(x / mb) with an error below 2^kStep * 2^-52 <=
// 1/4 from the reciprocal and the product, and r' = x - n * mb, a multiple of u = 2^-52 = ulp(mb) with |r'|
// <= (1/2 + 1/4) mb < 2: at most 2^53 units, exact. r begins as ma < 2 mb, and therefore with k < kStep.
// Without a fused multiply-add, kStep = 24 and mb = high + low with 26 leading bits in high, so that n * high
// and n * low are exact, and x - n * high, of at most |r'| + n * 2^-25 <= 2, is exact too.
//
// The exponents of a and b are `gap` apart, or 0 if a's is the smaller one, and all lanes take the same
// number K of equal steps: k = floor(gap / K) bits, after the gap mod K that are left over. With K =
// ceil(largest gap / kStep), no k is above kStep, and lanes that have nothing to do stay below mb, because k
// = 0 gives n = 0, or 1 or -1 and a smaller r. So the loop needs no masks.
#if HWY_NATIVE_FMA
constexpr int kStep = 50;
#else
constexpr int kStep = 24;
#endif

template <class D, class V>
HWY_INLINE V ScaledQuotient(D d, V x, V c) {
#if HWY_NATIVE_FMA
  return RoundedProduct(d, x, c);
#else
  (void)d;
  return hn::Round(hn::Mul(x, c));
#endif
}

template <class D, class V>
HWY_INLINE V SubtractScaledProduct(D d, V n, V b, V x) {
#if HWY_NATIVE_FMA
  (void)d;
  return hn::NegMulAdd(n, b, x);
#else
  const V high = KeepLeadingBits<26>(d, b);
  const V low = hn::Sub(b, high);
  return hn::Sub(hn::Sub(x, hn::Mul(n, high)), hn::Mul(n, low));
#endif
}

// Exponent and significand in [1, 2) of positive finite numbers, subnormal ones too.
template <class D, class V, class VI>
HWY_INLINE V SplitExponent(D d, V v, VI& exponent) {
  const hn::RebindToSigned<D> di;
  constexpr int64_t kFraction = (int64_t{1} << 52) - 1;
  const auto subnormal = hn::Lt(hn::BitCast(di, v), hn::Set(di, int64_t{1} << 52));
  const V normal = hn::IfThenElse(hn::RebindMask(d, subnormal), SubnormalToInteger(d, v), v);
  const auto bits = hn::BitCast(di, normal);
  const auto bias = hn::IfThenElse(subnormal, hn::Set(di, 1023 + 1074), hn::Set(di, 1023));
  exponent = hn::Sub(hn::BitCast(di, hn::ShiftRight<52>(bits)), bias);
  const auto significand = hn::Or(hn::And(bits, hn::Set(di, kFraction)), hn::Set(di, int64_t{1023} << 52));
  return hn::BitCast(d, significand);
}

// m * 2^exponent for 0 <= m < 2, where the result is a multiple of 2^-1074. A subnormal result is made as an
// integer.
template <class D, class V, class VI>
HWY_INLINE V ScaleBack(D d, V magnitude, VI exponent) {
  const hn::RebindToSigned<D> di;
  const auto units = hn::Min(hn::Add(exponent, hn::Set(di, 1074)), hn::Set(di, 1023));
  const V integer = hn::Mul(magnitude, PowerOfTwo(d, units));
  const V normal = hn::BitCast(d, hn::Add(hn::BitCast(di, magnitude), hn::ShiftLeft<52>(exponent)));
  const auto is_subnormal = hn::Lt(integer, hn::Set(d, 0x1p52));
  return hn::IfThenElse(is_subnormal, IntegerToSubnormal(d, integer), normal);
}

// What the steps need of one pair of operands: both scaled, the divisor's reciprocal and exponent, and the
// gap, which is negative for some lanes with a < b.
template <class D, class V, class VI>
HWY_INLINE void Normalize(D d, V a, V b, V& ma, V& mb, V& reciprocal, VI& b_exponent, V& gap) {
  const hn::RebindToSigned<D> di;
  auto a_exponent = hn::Zero(di);
  ma = SplitExponent(d, a, a_exponent);
  mb = SplitExponent(d, b, b_exponent);
  reciprocal = PreciseReciprocal(d, mb, 1.0);
  gap = hn::ConvertTo(d, hn::Sub(a_exponent, b_exponent));
}

// The bits of the gap that `steps` equal steps leave over, taken first; the bits of each step.
template <class D, class V>
HWY_INLINE V TakeLeftOver(D d, V ma, V mb, V reciprocal, V gap, int steps, V& bits) {
  const hn::RebindToSigned<D> di;
  const V count = hn::Set(d, static_cast<double>(steps));
  // Half a unit keeps the rounded quotient on the right side of an integer.
  bits = hn::Floor(hn::Mul(hn::Add(gap, hn::Set(d, 0.5)), hn::Set(d, 1.0 / steps)));
  V left_over = hn::Sub(gap, hn::Mul(bits, count));
  V r = ma;
  do {  // once, except for small steps
    const V part = hn::Min(left_over, hn::Set(d, kStep - 1.0));
    const V x = hn::Mul(r, PowerOfTwo(d, hn::ConvertTo(di, part)));
    r = SubtractScaledProduct(d, ScaledQuotient(d, x, reciprocal), mb, x);
    left_over = hn::Sub(left_over, part);
  } while (!hn::AllFalse(d, hn::Gt(left_over, hn::Zero(d))));
  return r;
}

// The magnitude of the result, from what the steps have left of the scaled dividend.
//
// A dividend a < b is scaled by itself, as ma * 2^gap. Below 2^-200, some other number of that size serves as
// well, because it vanishes in FLOOR's sum with mb. The sum is rounded in this scale: results that are
// subnormal are exact in either. Where nothing is added, a is the result.
template <Rounding kRounding, class D, class V, class VI>
HWY_INLINE V ScaledResult(D d, V r, V a, V b, V sign_of_product, V ma, V mb, VI b_exponent, V gap) {
  const hn::RebindToSigned<D> di;
  const V zero = hn::Zero(d);
  const auto less = hn::Lt(a, b);
  const V scale = PowerOfTwo(d, hn::ConvertTo(di, hn::Max(hn::Min(gap, zero), hn::Set(d, -200.0))));
  const V scaled_a = hn::IfThenElseZero(hn::Gt(a, zero), hn::Mul(ma, scale));
  const V scaled = hn::IfThenElse(less, scaled_a, r);
  const V result = ScaleBack(d, ResultMagnitude<kRounding>(d, scaled, mb, sign_of_product), b_exponent);
  if constexpr (kRounding == Rounding::kTruncate) return hn::IfThenElse(less, a, result);
  return hn::IfThenElse(hn::AndNot(hn::Lt(hn::Xor(a, sign_of_product), zero), less), a, result);
}

template <Rounding kRounding, class D, hwy::EnableIf<sizeof(hn::TFromD<D>) == 8>* = nullptr>
HWY_INLINE void LongMagnitudes(D d, hn::Vec<D>& x0, hn::Vec<D> b0, hn::Vec<D> sign0, hn::Vec<D>& x1,
                               hn::Vec<D> b1, hn::Vec<D> sign1) {
  using V = hn::Vec<D>;
  const hn::RebindToSigned<D> di;
  const V zero = hn::Zero(d);
  V ma0 = zero;
  V ma1 = zero;
  V mb0 = zero;
  V mb1 = zero;
  V c0 = zero;
  V c1 = zero;
  V gap0 = zero;
  V gap1 = zero;
  auto exponent0 = hn::Zero(di);
  auto exponent1 = hn::Zero(di);
  Normalize(d, x0, b0, ma0, mb0, c0, exponent0, gap0);
  Normalize(d, x1, b1, ma1, mb1, c1, exponent1, gap1);
  const V taken0 = hn::Max(gap0, zero);
  const V taken1 = hn::Max(gap1, zero);
  const auto largest = static_cast<int>(hn::GetLane(hn::MaxOfLanes(d, hn::Max(taken0, taken1))));
  const int steps = std::max(1, (largest + kStep - 1) / kStep);
  V bits0 = zero;
  V bits1 = zero;
  V r0 = TakeLeftOver(d, ma0, mb0, c0, taken0, steps, bits0);
  V r1 = TakeLeftOver(d, ma1, mb1, c1, taken1, steps, bits1);
  const V scale0 = PowerOfTwo(d, hn::ConvertTo(di, bits0));
  const V scale1 = PowerOfTwo(d, hn::ConvertTo(di, bits1));
  c0 = hn::Mul(c0, scale0);
  c1 = hn::Mul(c1, scale1);
  for (int i = 0; i < steps; ++i) {
    r0 = SubtractScaledProduct(d, ScaledQuotient(d, r0, c0), mb0, hn::Mul(r0, scale0));
    r1 = SubtractScaledProduct(d, ScaledQuotient(d, r1, c1), mb1, hn::Mul(r1, scale1));
  }
  x0 = ScaledResult<kRounding>(d, r0, x0, b0, sign0, ma0, mb0, exponent0, gap0);
  x1 = ScaledResult<kRounding>(d, r1, x1, b1, sign1, ma1, mb1, exponent1, gap1);
}

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
