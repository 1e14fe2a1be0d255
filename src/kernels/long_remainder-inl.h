// Float remainders for any quotient, however large: a whole vector at a time, a bounded number of steps,
// every remainder on the way exact. Included once per target.
//
// All functions take finite a >= 0 and finite b > 0 and return r with |r| < b and r = a (mod b), exact.

// Per-target include guard
#if defined(RESIDUE_KERNELS_LONG_REMAINDER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_KERNELS_LONG_REMAINDER_INL_H_
#undef RESIDUE_KERNELS_LONG_REMAINDER_INL_H_
#else
#define RESIDUE_KERNELS_LONG_REMAINDER_INL_H_
#endif

#include <hwy/highway.h>

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
// below b, because n is then 0, or 1 and the difference is smaller.
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

#if HWY_TARGET == HWY_SCALAR
template <class D, hwy::EnableIf<sizeof(hn::TFromD<D>) == 4>* = nullptr>
HWY_INLINE hn::Vec<D> LongRemainder(D d, hn::Vec<D> a, hn::Vec<D> b) {
  const hn::Rebind<double, D> wide;
  const auto divisor = hn::PromoteTo(wide, b);
  const auto reciprocal = hn::Div(hn::Set(wide, 1.0), divisor);
  return hn::DemoteTo(d, RemainderInWideLanes<24>(wide, hn::PromoteTo(wide, a), divisor, reciprocal));
}
#else
// float32: through two vectors of float64 lanes, whose steps overlap. Two steps per test, because most
// vectors that come here need several and a mispredicted end costs more than a step.
template <class D, hwy::EnableIf<sizeof(hn::TFromD<D>) == 4>* = nullptr>
HWY_INLINE hn::Vec<D> LongRemainder(D d, hn::Vec<D> a, hn::Vec<D> b) {
  const hn::RepartitionToWide<D> wide;
  const hn::Half<D> half;
  auto r0 = hn::PromoteTo(wide, hn::LowerHalf(half, a));
  auto r1 = hn::PromoteTo(wide, hn::UpperHalf(half, a));
  const auto b0 = hn::PromoteTo(wide, hn::LowerHalf(half, b));
  const auto b1 = hn::PromoteTo(wide, hn::UpperHalf(half, b));
  const auto c0 = PreciseReciprocal(wide, b0, 1.0);
  const auto c1 = PreciseReciprocal(wide, b1, 1.0);
  do {
    r0 = ReduceInWideLanes<24>(wide, r0, b0, c0);
    r1 = ReduceInWideLanes<24>(wide, r1, b1, c1);
    r0 = ReduceInWideLanes<24>(wide, r0, b0, c0);
    r1 = ReduceInWideLanes<24>(wide, r1, b1, c1);
  } while (!hn::AllTrue(wide, hn::And(hn::Lt(hn::Abs(r0), b0), hn::Lt(hn::Abs(r1), b1))));
  // |r| < b, a multiple of ulp(b): exact
  return hn::Combine(d, hn::DemoteTo(half, r1), hn::DemoteTo(half, r0));
}
#endif

// float64: there are no wider lanes, so both numbers are scaled into [1, 2) and the quotient is taken
// kStep bits at a time.
//
// Invariant after the first step: r is a multiple of u = 2^-52 = ulp(mb) and |r| <= 0.75 mb. The first step
// is shorter, x = ma * 2^first < 2^kStep, and meets the same bounds. A step forms x = r * 2^kStep (exact), n
// = round(x / mb) with an error below 2^kStep * 2^-52 <= 1/4 from the reciprocal and the product, and r' = x
// - n * mb, a multiple of u with |r'| <= (1/2 + 1/4) mb < 2: at most 2^53 units, exact. Without a fused
// multiply-add, kStep = 24 and mb = high + low with 26 leading bits in high, so that n * high and n * low are
// exact, and x - n * high, of at most |r'| + n * 2^-25 <= 2, is exact too.
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
template <class D, class V>
HWY_INLINE bool HasSubnormal(D, V a_magnitude, V b_magnitude) {
  const hn::RebindToSigned<D> di;
  const auto zero = hn::Zero(di);
  const auto normal = hn::Set(di, hn::TFromD<decltype(di)>{1} << hwy::MantissaBits<hn::TFromD<D>>());
  const auto a = hn::BitCast(di, a_magnitude);
  const auto b = hn::BitCast(di, b_magnitude);
  const auto a_subnormal = hn::And(hn::Lt(a, normal), hn::Gt(a, zero));
  const auto b_subnormal = hn::And(hn::Lt(b, normal), hn::Gt(b, zero));
  return !hn::AllFalse(di, hn::Or(a_subnormal, b_subnormal));
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

template <class D, hwy::EnableIf<sizeof(hn::TFromD<D>) == 8>* = nullptr>
HWY_INLINE hn::Vec<D> LongRemainder(D d, hn::Vec<D> a, hn::Vec<D> b) {
  using V = hn::Vec<D>;
  const hn::RebindToSigned<D> di;
  // Lanes that are finished already divide 1 by 1.
  const auto finished = hn::Lt(a, b);
  const V one = hn::Set(d, 1.0);
  auto a_exponent = hn::Zero(di);
  auto b_exponent = hn::Zero(di);
  const V ma = SplitExponent(d, hn::IfThenElse(finished, one, a), a_exponent);
  const V mb = SplitExponent(d, hn::IfThenElse(finished, one, b), b_exponent);
  const V reciprocal = PreciseReciprocal(d, mb, 1.0);

  // The gap of the exponents is `steps` whole steps and a shorter first one.
  const V gap = hn::ConvertTo(d, hn::Sub(a_exponent, b_exponent));
  const V steps = hn::Floor(hn::Mul(hn::Add(gap, hn::Set(d, 0.5)), hn::Set(d, 1.0 / kStep)));
  const V first = hn::Sub(gap, hn::Mul(steps, hn::Set(d, kStep)));
  const V x = hn::Mul(ma, PowerOfTwo(d, hn::ConvertTo(di, first)));
  V r = SubtractScaledProduct(d, ScaledQuotient(d, x, reciprocal), mb, x);
  const V scale = hn::Set(d, static_cast<double>(uint64_t{1} << kStep));
  const V scaled_reciprocal = hn::Mul(reciprocal, scale);
  const double most_steps = hn::GetLane(hn::MaxOfLanes(d, steps));
  for (double left = most_steps; left > 0; left -= 1.0) {
    const V n = ScaledQuotient(d, r, scaled_reciprocal);
    const V reduced = SubtractScaledProduct(d, n, mb, hn::Mul(r, scale));
    r = hn::IfThenElse(hn::Ge(steps, hn::Set(d, left)), reduced, r);
  }

  // Back to the scale of b, in two factors because 2^-1074 is no factor by itself. r is a multiple of
  // ulp(b) afterwards: exact, subnormal or not.
  const auto half_exponent = hn::ShiftRight<1>(b_exponent);
  r = hn::Mul(r, PowerOfTwo(d, half_exponent));
  r = hn::Mul(r, PowerOfTwo(d, hn::Sub(b_exponent, half_exponent)));
  return hn::IfThenElse(finished, a, r);
}

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
