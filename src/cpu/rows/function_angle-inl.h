// Sines, cosines, tangents and their inverses. Included once per target.
//
// Below 2^20, x less a multiple of pi is exact except for the last of three parts of pi; above, the digits of
// 2^e / pi that matter are in a table, and each of three products is exact except for the last. No float32
// number is nearer to a multiple of pi/2 than 2^-35, so the rest is off by less than 2^-50 of itself.

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_FUNCTION_ANGLE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_FUNCTION_ANGLE_INL_H_
#undef RESIDUE_CPU_ROWS_FUNCTION_ANGLE_INL_H_
#else
#define RESIDUE_CPU_ROWS_FUNCTION_ANGLE_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>
#include <limits>

#include "cpu/rows/function-inl.h"
#include "cpu/rows/function_coefficients.h"
#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

inline constexpr double kPi = 0x1.921fb54442d18p+1;
inline constexpr double kLargestAngle = 0x1p20;

// x - n pi, for n of at most 20 digits of which one may be behind the point.
template <class D, class V>
HWY_INLINE V LessMultipleOfPi(D d, V x, V n) {
  const V first = hn::NegMulAdd(n, hn::Set(d, kPiParts[0]), x);
  const V second = hn::NegMulAdd(n, hn::Set(d, kPiParts[1]), first);
  return hn::NegMulAdd(n, hn::Set(d, kPiParts[2]), second);
}

// The sign bit of lanes whose integer in `place` is odd.
template <class D, class V>
HWY_INLINE hn::Vec<hn::RebindToUnsigned<D>> SignIfOdd(D, V place) {
  return hn::ShiftLeft<63>(hn::BitCast(hn::RebindToUnsigned<D>(), place));
}

// Of |x| from 2^20 on, in parts of pi / 2^kPower: the nearest integer less `half`, in the last digits of
// `place`, and what is left, as a number of such parts.
template <int kPower, class D, class V>
HWY_INLINE V LessTurns(D d, V x, double half, V& place) {
  const hn::RebindToUnsigned<D> du;
  const hn::RebindToSigned<D> di;
  const auto bits = hn::BitCast(du, hn::Abs(x));
  constexpr uint64_t kFirst = 1023 + 20;
  const auto exponent = hn::Min(hn::Max(hn::ShiftRight<52>(bits), hn::Set(du, kFirst)),
                                hn::Set(du, kFirst + std::size(kTurns) / 3 - 1));
  const auto row = hn::Sub(exponent, hn::Set(du, kFirst));
  const auto index = hn::BitCast(di, hn::Add(hn::Add(row, row), row));
  // The digits of x as an integer of 24 bits.
  constexpr uint64_t kUnit = uint64_t{1023 + 23 + kPower} << 52;
  const V digits = hn::BitCast(d, hn::Or(hn::And(bits, hn::Set(du, 0xFFFFFFFFFFFFF)), hn::Set(du, kUnit)));
  // The second product is up to 1/16, so that the integer is that of both.
  const V first = hn::Sub(hn::Mul(digits, hn::GatherIndex(d, kTurns, index)), hn::Set(d, half));
  const V second = hn::Mul(digits, hn::GatherIndex(d, kTurns + 1, index));
  const V magic = hn::Set(d, kIntegerPlace);
  place = hn::Add(hn::Add(first, second), magic);
  const V rest = hn::Add(hn::Sub(first, hn::Sub(place, magic)), second);
  return hn::MulAdd(digits, hn::GatherIndex(d, kTurns + 2, index), rest);
}

template <class D, class V>
HWY_INLINE V SinOfRest(D d, V r) {
  return hn::Mul(r, Polynomial(d, kSinFit, hn::Mul(r, r)));
}

// Angles below 2^20 are usual; infinity has no sine.
template <class Curve>
struct OfAngles {
  template <class D, class V>
  HWY_INLINE auto IsUsual(D d, V, V x) const {
    return hn::Lt(hn::Abs(x), hn::Set(d, kLargestAngle));
  }

 protected:
  // The value of usual angles, or what was computed for large ones.
  template <class D, class V>
  HWY_INLINE V Choose(D d, V x, V large) const {
    const V y = hn::IfThenElse(IsUsual(d, x, x), static_cast<const Curve&>(*this)(d, x), large);
    const auto finite = hn::Lt(hn::Abs(x), hn::Set(d, std::numeric_limits<double>::infinity()));
    return hn::IfThenElse(finite, y, hn::Set(d, std::numeric_limits<double>::quiet_NaN()));
  }
};

// With n = round(x / pi), or for cosines n + 1/2 nearest to it.
template <bool kCosine>
struct SineCurve : OfAngles<SineCurve<kCosine>> {
  static constexpr double kHalf = kCosine ? 0.5 : 0.0;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V magic = hn::Set(d, kIntegerPlace);
    const V half = hn::Set(d, kHalf);
    const V place = hn::Add(hn::MulSub(x, hn::Set(d, 1 / kPi), half), magic);
    return Signed(d, SinOfRest(d, LessMultipleOfPi(d, x, hn::Add(hn::Sub(place, magic), half))), place);
  }
  template <class D, class V>
  HWY_INLINE V Anywhere(D d, V x) const {
    V place;
    const V rest = LessTurns<0>(d, x, kHalf, place);
    V large = Signed(d, SinOfRest(d, hn::Mul(rest, hn::Set(d, kPi))), place);
    if constexpr (!kCosine) large = hn::Xor(large, hn::And(x, hn::SignBit(d)));
    return this->Choose(d, x, large);
  }

 private:
  template <class D, class V>
  static HWY_INLINE V Signed(D d, V y, V place) {
    const hn::RebindToUnsigned<D> du;
    const auto sign = SignIfOdd(d, place);
    const auto turned = kCosine ? hn::Xor(sign, hn::Set(du, uint64_t{1} << 63)) : sign;
    return hn::Xor(y, hn::BitCast(d, turned));
  }
};
using SinCurve = SineCurve<false>;
using CosCurve = SineCurve<true>;

// With n = round(2 x / pi): tan r if n is even, -1 / tan r if it is odd.
struct TanCurve : OfAngles<TanCurve> {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V magic = hn::Set(d, kIntegerPlace);
    const V place = hn::MulAdd(x, hn::Set(d, 2 / kPi), magic);
    const V n = hn::Mul(hn::Sub(place, magic), hn::Set(d, 0.5));
    return OfRest(d, LessMultipleOfPi(d, x, n), place);
  }
  template <class D, class V>
  HWY_INLINE V Anywhere(D d, V x) const {
    V place;
    const V rest = LessTurns<1>(d, x, 0.0, place);
    const V large = OfRest(d, hn::Mul(rest, hn::Set(d, kPi / 2)), place);
    const V turned = hn::Xor(large, hn::And(x, hn::SignBit(d)));
    return Choose(d, x, turned);
  }

 private:
  template <class D, class V>
  static HWY_INLINE V OfRest(D d, V r, V place) {
    const hn::RebindToUnsigned<D> du;
    const V square = hn::Mul(r, r);
    const V sine = hn::Mul(r, Polynomial(d, kShortSinFit, square));
    const V cosine = Polynomial(d, kShortCosFit, square);
    const auto odd = hn::RebindMask(d, hn::Ne(SignIfOdd(d, place), hn::Zero(du)));
    return hn::Div(hn::IfThenElse(odd, hn::Neg(cosine), sine), hn::IfThenElse(odd, sine, cosine));
  }
};

// q + q^3 ... for |q| <= 1. A square that changes nothing is not made smaller: its own would be subnormal,
// which takes long.
template <class D, class V>
HWY_INLINE V AtanOfRest(D d, V q) {
  const V square = hn::Max(hn::Mul(q, q), hn::Set(d, 0x1p-120));
  return hn::Mul(q, Polynomial(d, kAtanFit, square));
}

// pi/2 - atan(1 / |x|) above 1.
struct AtanCurve : OfNumbers<AtanCurve> {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V one = hn::Set(d, 1.0);
    const V a = hn::Abs(x);
    const auto large = hn::Gt(a, one);
    const V q = hn::Div(hn::IfThenElse(large, hn::Neg(one), a), hn::IfThenElse(large, a, one));
    const V base = hn::IfThenElseZero(large, hn::Set(d, kPi / 2));
    return hn::CopySign(hn::Add(base, AtanOfRest(d, q)), x);
  }
};

// The angle of (x, y): atan of the smaller by the larger, then mirrored at the diagonal and at the axes.
struct AtanYxCurve {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V y, V x) const {
    return OfQuotient(d, y, x, hn::Div(hn::Min(hn::Abs(y), hn::Abs(x)), hn::Max(hn::Abs(y), hn::Abs(x))));
  }
  template <class D, class V>
  HWY_INLINE auto IsUsual(D d, V angle, V y, V x) const {
    return hn::And(IsNumber(d, hn::Add(x, y)), hn::Ge(hn::Abs(angle), hn::Set(d, kSmallestNormal)));
  }
  template <class D, class V>
  HWY_INLINE V Anywhere(D d, V y, V x) const {
    const V least = hn::Min(hn::Abs(y), hn::Abs(x));
    const V most = hn::Max(hn::Abs(y), hn::Abs(x));
    // Both 0, or both infinite.
    const V edge = hn::IfThenElseZero(hn::Ne(least, hn::Zero(d)), hn::Set(d, 1.0));
    const V q = hn::IfThenElse(hn::Eq(least, most), edge, hn::Div(least, most));
    const V nan = hn::Set(d, std::numeric_limits<double>::quiet_NaN());
    return hn::IfThenElse(hn::Or(hn::IsNaN(x), hn::IsNaN(y)), nan, OfQuotient(d, y, x, q));
  }
  // Of x > 0: the quotient's 53 digits, and what is left of it less q^3/3 - q^5/5.
  template <class D, class V>
  HWY_INLINE auto Line(D d, V* high, V* low, V* rest, V* error, V y, V x) const {
    const V q = hn::Div(y, x);
    V product, product_rest;
    MultiplyExactly(d, q, x, &product, &product_rest);
    const V left = hn::Div(hn::Sub(hn::Sub(y, product), product_rest), x);
    const V square = hn::Mul(q, q);
    const V factor = hn::MulAdd(square, hn::Set(d, 1.0 / 5), hn::Set(d, -1.0 / 3));
    const V bend = hn::Mul(hn::Mul(q, square), factor);
    *high = q;
    *low = hn::Zero(d);
    *rest = hn::Add(left, bend);
    *error = hn::Add(ErrorOfRest(d, left), ErrorOfRest(d, bend));
    return hn::And(hn::Gt(x, hn::Zero(d)), hn::And(IsFinite(d, x), IsNearZero(d, q)));
  }

 private:
  template <class D, class V>
  static HWY_INLINE V OfQuotient(D d, V y, V x, V q) {
    const V p = AtanOfRest(d, q);
    const auto steep = hn::Gt(hn::Abs(y), hn::Abs(x));
    const V quarter = hn::IfThenElse(steep, hn::Sub(hn::Set(d, kPi / 2), p), p);
    const auto back =
        hn::RebindMask(d, hn::Ne(hn::BitCast(hn::RebindToUnsigned<D>(), hn::And(x, hn::SignBit(d))),
                                 hn::Zero(hn::RebindToUnsigned<D>())));
    return hn::CopySign(hn::IfThenElse(back, hn::Sub(hn::Set(d, kPi), quarter), quarter), y);
  }
};

// asin(q) for q = |x| up to 1/2; above, q = sqrt((1 - |x|) / 2) and asin |x| = pi/2 - 2 asin(q). The radicand
// is exact.
struct ArcOfSine {
  template <class D, class V>
  static HWY_INLINE V Of(D d, V a, hn::Mask<D> large) {
    const V half = hn::Set(d, 0.5);
    const V square = hn::IfThenElse(large, hn::NegMulAdd(a, half, half), hn::Mul(a, a));
    const V q = hn::IfThenElse(large, hn::Sqrt(square), a);
    return hn::Mul(q, Polynomial(d, kAsinFit, square));
  }
};

struct AsinCurve : OfUnitInterval<AsinCurve> {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V a = hn::Abs(x);
    const auto large = hn::Gt(a, hn::Set(d, 0.5));
    const V p = ArcOfSine::Of(d, a, large);
    const V y = hn::IfThenElse(large, hn::NegMulAdd(hn::Set(d, 2.0), p, hn::Set(d, kPi / 2)), p);
    return hn::CopySign(y, x);
  }
};

// pi/2 - asin x; above 1/2 twice asin(q), below -1/2 pi less that.
struct AcosCurve : OfUnitInterval<AcosCurve> {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V a = hn::Abs(x);
    const auto large = hn::Gt(a, hn::Set(d, 0.5));
    const V p = ArcOfSine::Of(d, a, large);
    const V turned = hn::IfThenElse(large, hn::Add(p, p), hn::Neg(p));
    const V far = hn::IfThenElseZero(hn::Lt(x, hn::Zero(d)), hn::Set(d, kPi));
    const V base = hn::IfThenElse(large, far, hn::Set(d, kPi / 2));
    return hn::Add(base, hn::Xor(turned, hn::And(x, hn::SignBit(d))));
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
