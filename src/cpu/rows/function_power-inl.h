// Powers of floats. Included once per target.
//
// x^y = 2^(y log2 x). The logarithm has two parts: the first of 29 digits, whose product with y is exact, and
// a second that is off by less than 2^-56 of the whole. The product is at most 150 where the result is
// neither 0 nor infinity, so the exponent is off by less than 2^-48. No step needs a fused multiply-add.

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_FUNCTION_POWER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_FUNCTION_POWER_INL_H_
#undef RESIDUE_CPU_ROWS_FUNCTION_POWER_INL_H_
#else
#define RESIDUE_CPU_ROWS_FUNCTION_POWER_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>
#include <limits>
#include <type_traits>

#include "cpu/rows/exponential-inl.h"
#include "cpu/rows/function-inl.h"
#include "cpu/rows/function_coefficients.h"
#include "cpu/rows/function_exponential-inl.h"
#include "cpu/rows/function_logarithm-inl.h"
#include "cpu/rows/power_int-inl.h"
#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Exponents from here on count as even; those of float32 are. The digits of lesser ones are seen.
inline constexpr double kMostWhole = 0x1p50;

// Of numbers below 2^51 in magnitude.
template <class D, class V>
HWY_INLINE auto IsWhole(D d, V x) {
  const V magic = hn::Set(d, kIntegerPlace);
  return hn::Eq(hn::Sub(hn::Add(x, magic), magic), x);
}

struct PowCurve {
  // For x > 0.
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x, V y) const {
    const hn::RebindToUnsigned<D> du;
    const V one = hn::Set(d, 1.0);
    const auto bits = hn::BitCast(du, x);
    const auto power = NearestPower(du, bits);
    const V m = hn::BitCast(d, hn::Add(hn::Sub(bits, power), hn::Set(du, kBitsOfOne)));
    const V k = ExponentOf(d, power);
    // s = (m - 1) / (m + 1) as a part of 28 digits and a rest; m + 1 has 25 digits.
    const V numerator = hn::Sub(m, one);
    const V denominator = hn::Add(m, one);
    const V inverse = hn::Div(one, denominator);
    const V s = FirstDigits<28>(d, hn::Mul(numerator, inverse));
    const V s_rest = hn::Mul(hn::NegMulAdd(s, denominator, numerator), inverse);
    // The terms beyond the first are of s with its rest: y makes as much of their errors as of any.
    const V all = hn::Add(s, s_rest);
    const V square = hn::Mul(all, all);
    // 2 s / log 2, whose first factor has 25 digits in its first part.
    const V product = hn::Mul(s, hn::Set(d, kTwoByLog2Parts[0]));
    const V whole = hn::Set(d, kTwoByLog2Parts[0] + kTwoByLog2Parts[1]);
    V low = hn::Mul(hn::Mul(all, square), Polynomial(d, kPowFit, square));
    low = hn::MulAdd(s_rest, whole, low);
    low = hn::MulAdd(s, hn::Set(d, kTwoByLog2Parts[1]), low);
    const V high = FirstDigits<29>(d, hn::Add(k, product));
    low = hn::Add(hn::Add(hn::Sub(k, high), product), low);
    // The exponent: an exact product and one that is at most a fiftieth of it. Beyond the bounds all is 0 or
    // infinity.
    const V bounded = Clamp(d, hn::Mul(y, high), -400.0, 400.0);
    const V rest = Clamp(d, hn::Mul(y, low), -16.0, 16.0);
    const V unit_place = hn::Set(d, kUnitPlace);
    const V place = hn::Add(hn::Add(bounded, rest), unit_place);
    const V f = hn::Add(hn::Sub(bounded, hn::Sub(place, unit_place)), rest);
    return Raise(d, f, place);
  }

  // Neither 0 nor infinity nor subnormal comes out; powers of numbers below 0 are elsewhere.
  template <class D, class V>
  HWY_INLINE auto IsUsual(D d, V z, V x, V y) const {
    const V most = hn::Set(d, 0x1.fffffep127);
    const auto in = hn::And(hn::And(hn::Gt(x, hn::Zero(d)), hn::Le(x, most)), hn::Le(hn::Abs(y), most));
    return hn::And(in, hn::And(hn::Ge(z, hn::Set(d, kSmallestNormal)), hn::Le(z, most)));
  }

  // Powers that all elements of a vector share and that are operations: squares are exact, the results of
  // square roots and reciprocals may be rounded twice, as float64 has more than twice the digits of float32,
  // and cubes are rounded to odd.
  template <class D, class V>
  HWY_INLINE bool IsOperation(D d, V* z, V x, V y) const {
    const double shared = hn::GetLane(y);
    if (HWY_LIKELY(!hn::AllTrue(d, hn::Eq(y, hn::Set(d, shared))))) return false;
    const V infinity = hn::Set(d, std::numeric_limits<double>::infinity());
    if (shared == 2) {
      *z = hn::Mul(x, x);
    } else if (shared == 1) {
      *z = x;
    } else if (shared == 0.5) {
      const V root = hn::Sqrt(hn::Add(x, hn::Zero(d)));  // of -0 it is 0
      *z = hn::IfThenElse(hn::Eq(x, hn::Neg(infinity)), infinity, root);
    } else if (shared == -1) {
      *z = hn::Div(hn::Set(d, 1.0), x);
    } else if (shared == 3) {
      const V square = hn::Mul(x, x);
      V high, low;
      MultiplyExactly(d, square, x, &high, &low);
      const auto has_rest = hn::And(IsFinite(d, x), hn::Ne(low, hn::Zero(d)));
      *z = hn::IfThenElse(has_rest, AddToOdd(d, high, low), hn::Mul(square, x));
    } else {
      return false;
    }
    return true;
  }

  // Squares and cubes. And powers of 2^k (1 + e), where k y is an integer: 2^(k y) (1 + y e + y (y - 1) e^2 /
  // 2 ...).
  template <class D, class V>
  HWY_INLINE auto Line(D d, V* high, V* low, V* rest, V* error, V x, V y) const {
    const hn::RebindToUnsigned<D> du;
    const V one = hn::Set(d, 1.0);
    const auto is_square = hn::Eq(y, hn::Set(d, 2.0));
    const auto is_product = hn::Or(is_square, hn::Eq(y, hn::Set(d, 3.0)));
    MultiplyExactly(d, hn::IfThenElse(is_square, x, hn::Mul(x, x)), x, high, low);
    // Else near a power of 2.
    const auto bits = hn::BitCast(du, x);
    const auto power = NearestPower(du, bits);
    const V e = hn::Sub(hn::BitCast(d, hn::Add(hn::Sub(bits, power), hn::Set(du, kBitsOfOne))), one);
    const V exponent = hn::Mul(ExponentOf(d, power), y);
    const V bounded = Clamp(d, exponent, -400.0, 400.0);
    const auto is_whole = hn::And(IsWhole(d, bounded), hn::Eq(bounded, exponent));
    const V scale = PowerAt(d, hn::Add(bounded, hn::Set(d, kUnitPlace)));
    const V slope = hn::Mul(y, e);
    V bend = hn::MulAdd(TermOf(d, y, e, 3), hn::Add(TermOf(d, y, e, 4), one), one);
    bend = hn::Mul(slope, hn::Mul(TermOf(d, y, e, 2), bend));
    *high = hn::IfThenElse(is_product, *high, scale);
    *low = hn::IfThenElse(is_product, *low, hn::Mul(scale, slope));
    *rest = hn::IfThenZeroElse(is_product, hn::Mul(scale, bend));
    *error = ErrorOfRest(d, *rest);
    // The first term that is left out is below 2^-43 of the rest.
    const V most = hn::Set(d, 0x1p-14);
    const auto is_near = hn::And(hn::Lt(hn::Abs(slope), most), hn::Lt(hn::Abs(e), most));
    const auto on_line = hn::And(hn::Gt(x, hn::Zero(d)), hn::And(is_near, is_whole));
    return hn::Or(is_product, on_line);
  }

  template <class D, class V>
  HWY_INLINE V Anywhere(D d, V x, V y) const {
    const V one = hn::Set(d, 1.0);
    const V zero = hn::Zero(d);
    const V infinity = hn::Set(d, std::numeric_limits<double>::infinity());
    const V nan = hn::Set(d, std::numeric_limits<double>::quiet_NaN());
    const V a = hn::Abs(x);
    const V b = hn::Abs(y);
    const V magic = hn::Set(d, kIntegerPlace);
    const V near = hn::Min(b, hn::Set(d, kMostWhole));
    const V place = hn::Add(near, magic);
    const auto integral = hn::Eq(hn::Sub(place, magic), near);
    const auto odd =
        hn::And(integral, hn::RebindMask(d, hn::Ne(OddBit(d, place), hn::Zero(hn::RebindToUnsigned<D>()))));
    const auto grows = hn::Gt(a, one);
    const auto falls = hn::Lt(y, zero);
    // |x|^y: 0 and infinity have limits, and so has y.
    V z = (*this)(d, hn::IfThenElse(hn::And(hn::Gt(a, zero), hn::Lt(a, infinity)), a, one), y);
    const V large = hn::IfThenElse(falls, zero, infinity);
    const V small = hn::IfThenElse(falls, infinity, zero);
    z = hn::IfThenElse(hn::Eq(a, zero), small, z);
    z = hn::IfThenElse(hn::Or(hn::Eq(a, infinity), hn::And(hn::Eq(b, infinity), grows)), large, z);
    z = hn::IfThenElse(hn::And(hn::Eq(b, infinity), hn::Lt(a, one)), small, z);
    z = hn::IfThenElse(hn::Eq(a, one), one, z);
    // The sign, and NaN where there is no power.
    const auto negative = hn::Lt(hn::CopySign(one, x), zero);
    z = hn::IfThenElse(hn::And(negative, odd), hn::Neg(z), z);
    const auto none = hn::AndNot(integral, hn::And(hn::Lt(x, zero), hn::Gt(x, hn::Neg(infinity))));
    z = hn::IfThenElse(hn::And(none, hn::Lt(b, infinity)), nan, z);
    z = hn::IfThenElse(hn::Or(hn::IsNaN(x), hn::IsNaN(y)), nan, z);
    return hn::IfThenElse(hn::Or(hn::Eq(y, zero), hn::Eq(x, one)), one, z);
  }

 private:
  // By which a term of the binomial series is multiplied to give number n.
  template <class D, class V>
  static HWY_INLINE V TermOf(D d, V y, V e, double n) {
    return hn::Mul(hn::Mul(hn::Sub(y, hn::Set(d, n - 1)), e), hn::Set(d, 1 / n));
  }
  template <class D, class V>
  static HWY_INLINE hn::Vec<hn::RebindToUnsigned<D>> OddBit(D, V place) {
    const hn::RebindToUnsigned<D> du;
    return hn::And(hn::BitCast(du, place), hn::Set(du, uint64_t{1}));
  }
};

template <class T, class R>
using Pow = std::conditional_t<std::is_integral_v<T>, IntegerPow<T>,
                               FunctionRow<OperatorId::kPow, PowCurve, T, R, T, T>>;

// x^(y + z). DirectML's exponents of 32 bits come as such sums, which are exact in float64. Their product
// with the first digits of the logarithm may not be; it is off by 2^-45.8 at most. Sums that are not exact,
// or whose last digit is not seen, are elsewhere.
struct PowOfSumCurve {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x, V y, V z) const {
    return pow(d, x, hn::Add(y, z));
  }
  template <class D, class V>
  HWY_INLINE auto IsUsual(D d, V result, V x, V y, V z) const {
    return hn::And(IsExact(d, y, z), pow.IsUsual(d, result, x, hn::Add(y, z)));
  }
  template <class D, class V>
  HWY_INLINE bool IsOperation(D d, V* result, V x, V y, V z) const {
    return hn::AllTrue(d, IsExact(d, y, z)) && pow.IsOperation(d, result, x, hn::Add(y, z));
  }
  template <class D, class V>
  HWY_INLINE V Anywhere(D d, V x, V y, V z) const {
    return pow.Anywhere(d, x, hn::Add(y, z));
  }
  template <class D, class V>
  HWY_INLINE auto IsElsewhere(D d, V, V y, V z) const {
    return hn::Not(IsExact(d, y, z));
  }
  template <class D, class V>
  HWY_INLINE auto Line(D d, V* high, V* low, V* rest, V* error, V x, V y, V z) const {
    // Products with an exponent of more digits are not exact.
    const V sum = hn::Add(y, z);
    const auto is_short = hn::Eq(FirstDigits<29>(d, sum), sum);
    return hn::And(is_short, pow.Line(d, high, low, rest, error, x, sum));
  }

 private:
  template <class D, class V>
  static HWY_INLINE auto IsExact(D d, V y, V z) {
    const V sum = hn::Add(y, z);
    const auto exact = hn::Eq(RestOfSum(y, z, sum), hn::Zero(d));
    const V a = hn::Abs(sum);
    return hn::And(exact, hn::Or(hn::Lt(a, hn::Set(d, kMostWhole)), hn::Ge(a, hn::Set(d, 0x1p53))));
  }

  PowCurve pow;
};

template <class T, class R>
using PowOfSum = FunctionRow<OperatorId::kPowOfSum, PowOfSumCurve, T, R, T, T, T>;

// An integer to the power of a number that is none, truncated; 0 has no power below 0. Powers modulo 2^n are
// elsewhere.
struct PowTruncatedCurve {
  template <class D, class V>
  HWY_INLINE V Anywhere(D d, V y, V base) const {
    const auto none = hn::And(hn::Eq(base, hn::Zero(d)), hn::Lt(y, hn::Zero(d)));
    return hn::IfThenZeroElse(none, PowCurve().Anywhere(d, base, y));
  }
  template <class D, class V>
  HWY_INLINE auto IsElsewhere(D d, V y, V) const {
    return hn::And(IsWhole(d, hn::Min(hn::Abs(y), hn::Set(d, kMostWhole))), IsFinite(d, y));
  }
  // Of a tiny exponent: 1 + y log(base), where the logarithm of an integer is 0 or from 0.69 to 22.2. Of 1/2,
  // 3/2 and 5/2: of squares exactly.
  template <class D, class V>
  HWY_INLINE auto Line(D d, V* high, V* low, V* rest, V* error, V y, V base) const {
    const V one = hn::Set(d, 1.0);
    const auto near_power = PowCurve().Line(d, high, low, rest, error, base, y);
    const auto tiny = hn::And(hn::Gt(base, one), hn::Lt(hn::Abs(y), hn::Set(d, 0x1p-33)));
    const V root = hn::Sqrt(base);
    const auto is_half = hn::Eq(y, hn::Set(d, 0.5));
    const auto is_three_halves = hn::Eq(y, hn::Set(d, 1.5));
    const auto is_five_halves = hn::Eq(y, hn::Set(d, 2.5));
    const auto is_known_exponent = hn::Or(is_half, hn::Or(is_three_halves, is_five_halves));
    V power = hn::IfThenElse(is_half, root, hn::Mul(root, base));
    power = hn::IfThenElse(is_five_halves, hn::Mul(power, base), power);
    const auto is_square = hn::And(is_known_exponent, IsWhole(d, root));
    const auto is_one = hn::Eq(base, one);
    power = hn::IfThenElse(is_one, one, power);
    const auto exact = hn::Or(is_one, is_square);
    const auto known = hn::Or(tiny, exact);
    *high = hn::IfThenElse(tiny, one, hn::IfThenElse(exact, power, *high));
    *low = hn::IfThenZeroElse(known, *low);
    *rest = hn::IfThenElse(tiny, hn::Mul(y, hn::Set(d, 11.5)), hn::IfThenZeroElse(exact, *rest));
    *error = hn::IfThenElse(tiny, hn::Mul(hn::Abs(y), hn::Set(d, 10.9)), hn::IfThenZeroElse(exact, *error));
    return hn::Or(known, near_power);
  }
};

template <class T, class R>
using PowTruncated = FunctionRow<OperatorId::kPowTruncated, PowTruncatedCurve, T, R, T, R>;

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
