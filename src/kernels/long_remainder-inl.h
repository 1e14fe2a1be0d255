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

#include "kernels/simd_compat-inl.h"

HWY_BEFORE_NAMESPACE();
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

// Numbers of s significant bits in lanes of w >= 2s bits: half in float32 (11 in 24), float32 in float64 (24
// in 53). The exponent range of the lanes holds every quotient.
//
// Each step subtracts n * b, where n is the quotient estimate rounded to an integer: to k = w bits with a
// fused multiply-add, else cut to k = w - s bits so that n * b is exact by itself. r, n * b and their
// difference are multiples of U = max(1, ulp(n)) * ulp(b), since n is an integer and U never grows; and the
// difference is at most b / 2 + r * (2^(1-w) + 2^(1-k)), the last term only for a cut n. In units of U that
// is at most about 2^(s+1) < 2^w: exact. |r| shrinks by at least 2^(w-s-2) a step until the quotient is below
// one.
template <int kSourceBits, class D, class V>
HWY_INLINE V RemainderInWideLanes(D d, V a, V b, V reciprocal) {
  constexpr int kQuotientBits = hwy::MantissaBits<hn::TFromD<D>>() + 1 - kSourceBits;
  V r = a;
  auto unfinished = hn::Ge(r, b);
  while (!hn::AllFalse(d, unfinished)) {
    V n = hn::Round(hn::Mul(r, reciprocal));
    if constexpr (!HWY_NATIVE_FMA) n = KeepLeadingBits<kQuotientBits>(d, n);
    r = hn::IfThenElse(unfinished, SubtractProduct(n, b, r), r);
    unfinished = hn::Ge(hn::Abs(r), b);
  }
  return r;
}

// float32: through float64 lanes, part by part over a small array, so that any vector length works.
template <class D, hwy::EnableIf<sizeof(hn::TFromD<D>) == 4>* = nullptr>
HWY_INLINE hn::Vec<D> LongRemainder(D d, hn::Vec<D> a, hn::Vec<D> b) {
  const hn::ScalableTag<double> wide;
  const hn::Rebind<float, decltype(wide)> part;
  HWY_ALIGN float dividends[hn::MaxLanes(D())];
  HWY_ALIGN float divisors[hn::MaxLanes(D())];
  hn::Store(a, d, dividends);
  hn::Store(b, d, divisors);
  for (size_t i = 0; i < hn::Lanes(d); i += hn::Lanes(part)) {
    const auto dividend = hn::PromoteTo(wide, hn::LoadU(part, dividends + i));
    const auto divisor = hn::PromoteTo(wide, hn::LoadU(part, divisors + i));
    const auto reciprocal = hn::Div(hn::Set(wide, 1.0), divisor);
    const auto r = RemainderInWideLanes<24>(wide, dividend, divisor, reciprocal);
    hn::StoreU(hn::DemoteTo(part, r), part, dividends + i);  // |r| < b, a multiple of ulp(b): exact
  }
  return hn::Load(d, dividends);
}

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
  const auto subnormal = hn::Lt(v, hn::Set(d, 0x1p-1022));
  const auto bits = hn::BitCast(di, hn::IfThenElse(subnormal, hn::Mul(v, hn::Set(d, 0x1p64)), v));
  const auto bias = hn::IfThenElse(hn::RebindMask(di, subnormal), hn::Set(di, 1023 + 64), hn::Set(di, 1023));
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
  const V reciprocal = hn::Div(one, mb);

  // The gap of the exponents is `steps` whole steps and a shorter first one.
  const V gap = hn::ConvertTo(d, hn::Sub(a_exponent, b_exponent));
  const V steps = hn::Floor(hn::Mul(hn::Add(gap, hn::Set(d, 0.5)), hn::Set(d, 1.0 / kStep)));
  const V first = hn::Sub(gap, hn::Mul(steps, hn::Set(d, kStep)));
  const V x = hn::Mul(ma, PowerOfTwo(d, hn::ConvertTo(di, first)));
  V r = SubtractScaledProduct(d, hn::Round(hn::Mul(x, reciprocal)), mb, x);
  const double most_steps = hn::GetLane(hn::MaxOfLanes(d, steps));
  for (double left = most_steps; left > 0; left -= 1.0) {
    const V next = hn::Mul(r, hn::Set(d, static_cast<double>(uint64_t{1} << kStep)));
    const V n = hn::Round(hn::Mul(next, reciprocal));
    const V reduced = SubtractScaledProduct(d, n, mb, next);
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
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
