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

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "cpu/rows/exponential-inl.h"
#include "cpu/rows/function-inl.h"
#include "cpu/rows/function_coefficients.h"
#include "cpu/rows/function_exponential-inl.h"
#include "cpu/rows/function_logarithm-inl.h"
#include "cpu/rows/light_row-inl.h"
#include "cpu/rows/power_int-inl.h"
#include "cpu/rows/reference.h"
#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

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

  template <class D, class V>
  HWY_INLINE V Anywhere(D d, V x, V y) const {
    const V one = hn::Set(d, 1.0);
    const V zero = hn::Zero(d);
    const V infinity = hn::Set(d, std::numeric_limits<double>::infinity());
    const V nan = hn::Set(d, std::numeric_limits<double>::quiet_NaN());
    const V a = hn::Abs(x);
    const V b = hn::Abs(y);
    // From 2^24 on, all numbers are even.
    const V magic = hn::Set(d, kIntegerPlace);
    const V near = hn::Min(b, hn::Set(d, 0x1p25));
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
  template <int kDigits, class D, class V>
  static HWY_INLINE V FirstDigits(D d, V x) {
    const hn::RebindToUnsigned<D> du;
    constexpr uint64_t kMask = ~((uint64_t{1} << (53 - kDigits)) - 1);
    return hn::BitCast(d, hn::And(hn::BitCast(du, x), hn::Set(du, kMask)));
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

// x^(y + z). DirectML's exponents of 32 bits come as such sums. Up to 2^24 they leave nothing for z, so that
// the elements are powers. Others are for the reference.
template <class R>
Exceptions RunPowOfSum(const Row& row) noexcept {
  constexpr size_t kMost = 256;
  constexpr LightCode kSizes = {{}, {}, 1, 3, {sizeof(float), sizeof(float), sizeof(float)}, sizeof(R)};
  for (size_t first = 0; first < row.count; first += kMost) {
    Row piece = PartOf(row, kSizes, first, std::min(kMost, row.count - first));
    piece.stream = false;
    const auto* z = static_cast<const uint32_t*>(piece.in[2]);
    uint32_t bits = 0;
    for (size_t i = 0; i < ((row.single >> 2 & 1) != 0 ? 1 : piece.count); ++i) bits |= LoadScalar(z + i);
    if (bits << 1 == 0) {
      RunLight<Pow<float, R>, ExceptionRule::kNone>(piece);
    } else {
      reference::FindRow(RowKey(OperatorId::kPowOfSum, DataType::kFloat32, kDataTypeOf<R>))(piece);
    }
  }
  return kNoException;
}

template <class T, class R>
struct PowOfSum {
  static constexpr RowFn kRow = &RunPowOfSum<R>;
};

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
