// Float remainders for any quotient, however large: a whole vector at a time, a bounded number of steps,
// every remainder on the way exact. Included once per target.
//
// All functions take finite a >= 0 and finite b > 0 and give r with |r| < b and r = a (mod b), exact.

// Per-target include guard
#if defined(RESIDUE_KERNELS_LONG_REMAINDER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_KERNELS_LONG_REMAINDER_INL_H_
#undef RESIDUE_KERNELS_LONG_REMAINDER_INL_H_
#else
#define RESIDUE_KERNELS_LONG_REMAINDER_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "kernels/estimates-inl.h"
#include "kernels/simd_compat-inl.h"
#include "kernels/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Keeps the leading `kBits` bits of each significand.
template <int kBits, class D, class V>
HWY_INLINE V KeepLeadingBits(D d, V v) {
  const hn::RebindToUnsigned<D> du;
  using Bits = hn::TFromD<decltype(du)>;
  constexpr int kDropped = hwy::MantissaBits<hn::TFromD<D>>() + 1 - kBits;
  return hn::And(v, hn::BitCast(d, hn::Set(du, static_cast<Bits>(~Bits{0} << kDropped))));
}

// round(x * c) as an integer, whatever its size: to the nearest below 2^(p-2), and within two units of the
// last place above. Adding and subtracting M = 1.5 * 2^(p-1), with the sign of x, leaves integers only,
// because all floats from 2^(p-1) on are.
template <class D, class V>
HWY_INLINE V RoundedSignedProduct(D d, V x, V c) {
  using T = hn::TFromD<D>;
  const V magic = hn::Set(d, static_cast<T>(sizeof(T) == 4 ? 0x1.8p23 : 0x1.8p52));
  const V signed_magic = hn::Or(magic, hn::And(x, hn::SignBit(d)));
  return hn::Sub(hn::MulAdd(x, c, signed_magic), signed_magic);
}

// The same for x >= 0, or |x * c| below 2^(p-2).
template <class D, class V>
HWY_INLINE V RoundedProduct(D d, V x, V c) {
  using T = hn::TFromD<D>;
  const V magic = hn::Set(d, static_cast<T>(sizeof(T) == 4 ? 0x1.8p23 : 0x1.8p52));
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

// Both functions below reduce two vectors at once, x0 by b0 and x1 by b1: a step waits for the one before,
// and two chains wait together.

#if HWY_TARGET == HWY_SCALAR
template <class D, hwy::EnableIf<sizeof(hn::TFromD<D>) == 4>* = nullptr>
HWY_INLINE void LongRemainders(D d, hn::Vec<D>& x0, hn::Vec<D> b0, hn::Vec<D>& x1, hn::Vec<D> b1) {
  const hn::Rebind<double, D> wide;
  const auto reduce = [&](hn::Vec<D> x, hn::Vec<D> b) HWY_ATTR {
    const auto divisor = hn::PromoteTo(wide, b);
    const auto reciprocal = hn::Div(hn::Set(wide, 1.0), divisor);
    return hn::DemoteTo(d, RemainderInWideLanes<24>(wide, hn::PromoteTo(wide, x), divisor, reciprocal));
  };
  x0 = reduce(x0, b0);
  x1 = reduce(x1, b1);
}
#else
// float32: through float64 lanes, two vectors of them for each. After the first step there are two per test:
// who needs more than one mostly needs several, and a mispredicted end costs more than a step.
template <class D, hwy::EnableIf<sizeof(hn::TFromD<D>) == 4>* = nullptr>
HWY_INLINE void LongRemainders(D d, hn::Vec<D>& x0, hn::Vec<D> b0, hn::Vec<D>& x1, hn::Vec<D> b1) {
  const hn::RepartitionToWide<D> wide;
  const hn::Half<D> half;
  auto low0 = hn::PromoteTo(wide, hn::LowerHalf(half, x0));
  auto high0 = hn::PromoteTo(wide, hn::UpperHalf(half, x0));
  auto low1 = hn::PromoteTo(wide, hn::LowerHalf(half, x1));
  auto high1 = hn::PromoteTo(wide, hn::UpperHalf(half, x1));
  const auto low_b0 = hn::PromoteTo(wide, hn::LowerHalf(half, b0));
  const auto high_b0 = hn::PromoteTo(wide, hn::UpperHalf(half, b0));
  const auto low_b1 = hn::PromoteTo(wide, hn::LowerHalf(half, b1));
  const auto high_b1 = hn::PromoteTo(wide, hn::UpperHalf(half, b1));
  const auto low_c0 = PreciseReciprocal(wide, low_b0, 1.0);
  const auto high_c0 = PreciseReciprocal(wide, high_b0, 1.0);
  const auto low_c1 = PreciseReciprocal(wide, low_b1, 1.0);
  const auto high_c1 = PreciseReciprocal(wide, high_b1, 1.0);
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
  reduce();
  while (!is_done()) {
    reduce();
    reduce();
  }
  // |r| < b, a multiple of ulp(b): exact
  x0 = hn::Combine(d, hn::DemoteTo(half, high0), hn::DemoteTo(half, low0));
  x1 = hn::Combine(d, hn::DemoteTo(half, high1), hn::DemoteTo(half, low1));
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
// The exponents of a and b are `gap` apart, and all lanes take the same number K of equal steps: k =
// floor(gap / K) bits, after the gap mod K that are left over. With K = ceil(largest gap / kStep), no k is
// above kStep, and lanes that have nothing to do stay below mb, because k = 0 gives n = 0, or 1 or -1 and a
// smaller r. So the loop needs no masks.
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

// A subnormal float64 number as the integer that its bits are, and back, for integers below 2^52.
template <class D, class V>
HWY_INLINE V SubnormalToInteger(D d, V magnitude) {
  const V unit = hn::Set(d, 0x1p52);
  return hn::Sub(hn::Or(magnitude, unit), unit);
}
template <class D, class V>
HWY_INLINE V IntegerToSubnormal(D d, V integer) {
  const hn::RebindToUnsigned<D> du;
  const V unit = hn::Set(d, 0x1p52);
  return hn::BitCast(d, hn::Sub(hn::BitCast(du, hn::Add(integer, unit)), hn::BitCast(du, unit)));
}

// Comparisons on bits, which no processor is slow with.
template <class D, class V>
HWY_INLINE bool AreSubnormal(D, V a_magnitude, V b_magnitude) {
  const hn::RebindToSigned<D> di;
  const auto joined = hn::BitCast(di, hn::Or(a_magnitude, b_magnitude));
  const auto normal = hn::Set(di, hn::TFromD<decltype(di)>{1} << hwy::MantissaBits<hn::TFromD<D>>());
  return hn::AllTrue(di, hn::Lt(joined, normal));
}
// Zero counts as subnormal here.
template <class D, class V>
HWY_INLINE bool HasSubnormal(D, V magnitude) {
  const hn::RebindToSigned<D> di;
  const auto normal = hn::Set(di, hn::TFromD<decltype(di)>{1} << hwy::MantissaBits<hn::TFromD<D>>());
  return !hn::AllFalse(di, hn::Lt(hn::BitCast(di, magnitude), normal));
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

// r * 2^exponent for a multiple r of 2^-52 below 2, where the result is a multiple of 2^-1074. A subnormal
// result is made as an integer, because processors are slow with multiplications that give one.
template <class D, class V, class VI>
HWY_INLINE V ScaleBack(D d, V r, VI exponent) {
  const hn::RebindToSigned<D> di;
  const V magnitude = hn::Abs(r);
  const auto units = hn::Min(hn::Add(exponent, hn::Set(di, 1074)), hn::Set(di, 1023));
  const V integer = hn::Mul(magnitude, PowerOfTwo(d, units));
  const V normal = hn::BitCast(d, hn::Add(hn::BitCast(di, magnitude), hn::ShiftLeft<52>(exponent)));
  const auto is_subnormal = hn::Lt(integer, hn::Set(d, 0x1p52));
  return hn::CopySign(hn::IfThenElse(is_subnormal, IntegerToSubnormal(d, integer), normal), r);
}

// What the steps need of one pair of operands: the scaled divisor, its reciprocal and its exponent, and the
// gap. Lanes that are finished already divide 1 by 1. Returns the scaled dividend.
template <class D, class V, class VI>
HWY_INLINE V Normalize(D d, V a, V b, V& mb, V& reciprocal, VI& b_exponent, V& gap) {
  const hn::RebindToSigned<D> di;
  const V one = hn::Set(d, 1.0);
  const auto finished = hn::Lt(a, b);
  auto a_exponent = hn::Zero(di);
  const V ma = SplitExponent(d, hn::IfThenElse(finished, one, a), a_exponent);
  mb = SplitExponent(d, hn::IfThenElse(finished, one, b), b_exponent);
  reciprocal = PreciseReciprocal(d, mb, 1.0);
  gap = hn::ConvertTo(d, hn::Sub(a_exponent, b_exponent));
  return ma;
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
  do {  // once, but for small steps
    const V part = hn::Min(left_over, hn::Set(d, kStep - 1.0));
    const V x = hn::Mul(r, PowerOfTwo(d, hn::ConvertTo(di, part)));
    r = SubtractScaledProduct(d, ScaledQuotient(d, x, reciprocal), mb, x);
    left_over = hn::Sub(left_over, part);
  } while (!hn::AllFalse(d, hn::Gt(left_over, hn::Zero(d))));
  return r;
}

template <class D, hwy::EnableIf<sizeof(hn::TFromD<D>) == 8>* = nullptr>
HWY_INLINE void LongRemainders(D d, hn::Vec<D>& x0, hn::Vec<D> b0, hn::Vec<D>& x1, hn::Vec<D> b1) {
  using V = hn::Vec<D>;
  const hn::RebindToSigned<D> di;
  V mb0 = b0;
  V mb1 = b1;
  V c0 = b0;
  V c1 = b1;
  V gap0 = b0;
  V gap1 = b1;
  auto exponent0 = hn::Zero(di);
  auto exponent1 = hn::Zero(di);
  const V ma0 = Normalize(d, x0, b0, mb0, c0, exponent0, gap0);
  const V ma1 = Normalize(d, x1, b1, mb1, c1, exponent1, gap1);
  const auto largest = static_cast<int>(hn::GetLane(hn::MaxOfLanes(d, hn::Max(gap0, gap1))));
  const int steps = std::max(1, (largest + kStep - 1) / kStep);
  V bits0 = gap0;
  V bits1 = gap1;
  V r0 = TakeLeftOver(d, ma0, mb0, c0, gap0, steps, bits0);
  V r1 = TakeLeftOver(d, ma1, mb1, c1, gap1, steps, bits1);
  const V scale0 = PowerOfTwo(d, hn::ConvertTo(di, bits0));
  const V scale1 = PowerOfTwo(d, hn::ConvertTo(di, bits1));
  c0 = hn::Mul(c0, scale0);
  c1 = hn::Mul(c1, scale1);
  for (int i = 0; i < steps; ++i) {
    r0 = SubtractScaledProduct(d, ScaledQuotient(d, r0, c0), mb0, hn::Mul(r0, scale0));
    r1 = SubtractScaledProduct(d, ScaledQuotient(d, r1, c1), mb1, hn::Mul(r1, scale1));
  }
  x0 = hn::IfThenElse(hn::Lt(x0, b0), x0, ScaleBack(d, r0, exponent0));
  x1 = hn::IfThenElse(hn::Lt(x1, b1), x1, ScaleBack(d, r1, exponent1));
}

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
