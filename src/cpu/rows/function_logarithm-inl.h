// Logarithms, and the inverses of hyperbolic functions, which are logarithms. Included once per target.

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_FUNCTION_LOGARITHM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_FUNCTION_LOGARITHM_INL_H_
#undef RESIDUE_CPU_ROWS_FUNCTION_LOGARITHM_INL_H_
#else
#define RESIDUE_CPU_ROWS_FUNCTION_LOGARITHM_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>
#include <limits>

#include "cpu/rows/function-inl.h"
#include "cpu/rows/function_coefficients.h"
#include "cpu/rows/logarithm-inl.h"
#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

struct LogCurve {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return LogOf(d, x);
  }
  template <class D, class V>
  HWY_INLINE auto IsUsual(D d, V, V x) const {
    const V infinity = hn::Set(d, std::numeric_limits<double>::infinity());
    return hn::And(hn::Gt(x, hn::Zero(d)), hn::Lt(x, infinity));
  }
  template <class D, class V>
  HWY_INLINE V Anywhere(D d, V x) const {
    const V infinity = hn::Set(d, std::numeric_limits<double>::infinity());
    const V nan = hn::Set(d, std::numeric_limits<double>::quiet_NaN());
    const V edge = hn::IfThenElse(hn::Eq(x, hn::Zero(d)), hn::Neg(infinity),
                                  hn::IfThenElse(hn::Eq(x, infinity), infinity, nan));
    return hn::IfThenElse(IsUsual(d, x, x), (*this)(d, x), edge);
  }
};

// log(1 + w) with w = |x| + x^2 / (1 + root), root = sqrt(1 + x^2); numerator and denominator are multiplied
// by 1 + root, so that there is one division.
struct AsinhCurve {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const hn::RebindToUnsigned<D> du;
    const V one = hn::Set(d, 1.0);
    const V a = hn::Abs(x);
    const V square = hn::Mul(a, a);
    const V root = hn::Sqrt(hn::Add(square, one));
    const auto bits = NearestPower(du, hn::BitCast(du, hn::Add(a, root)));
    const V power = hn::BitCast(d, bits);
    const V scale = hn::Add(root, one);
    const V w = hn::MulAdd(a, scale, square);
    const V numerator = hn::NegMulAdd(hn::Sub(power, one), scale, w);
    const V denominator = hn::MulAdd(hn::Add(power, one), scale, w);
    return hn::CopySign(LogOfQuotient(d, ExponentOf(d, bits), numerator, denominator, kLogFit), x);
  }
  template <class D, class V>
  HWY_INLINE auto IsUsual(D d, V, V x) const {
    return hn::Lt(hn::Abs(x), hn::Set(d, std::numeric_limits<double>::infinity()));
  }
  template <class D, class V>
  HWY_INLINE V Anywhere(D d, V x) const {
    return hn::IfThenElse(IsUsual(d, x, x), (*this)(d, x), x);
  }
};

// log(1 + w) with w = t + sqrt(t (t + 2)), t = x - 1.
struct AcoshCurve {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const hn::RebindToUnsigned<D> du;
    const V one = hn::Set(d, 1.0);
    const V t = hn::Sub(x, one);
    const V w = hn::Add(t, hn::Sqrt(hn::Mul(t, hn::Add(x, one))));
    const auto bits = NearestPower(du, hn::BitCast(du, hn::Add(w, one)));
    const V power = hn::BitCast(d, bits);
    return LogOfQuotient(d, ExponentOf(d, bits), hn::Sub(w, hn::Sub(power, one)),
                         hn::Add(w, hn::Add(power, one)), kLogFit);
  }
  template <class D, class V>
  HWY_INLINE auto IsUsual(D d, V, V x) const {
    const V infinity = hn::Set(d, std::numeric_limits<double>::infinity());
    return hn::And(hn::Ge(x, hn::Set(d, 1.0)), hn::Lt(x, infinity));
  }
  template <class D, class V>
  HWY_INLINE V Anywhere(D d, V x) const {
    const V infinity = hn::Set(d, std::numeric_limits<double>::infinity());
    const V nan = hn::Set(d, std::numeric_limits<double>::quiet_NaN());
    return hn::IfThenElse(IsUsual(d, x, x), (*this)(d, x), hn::IfThenElse(hn::Eq(x, infinity), x, nan));
  }
};

// Half of log((1 + a) / (1 - a)) = k log 2 + 2 atanh(s), s = (1 + a - 2^k (1 - a)) / (1 + a + 2^k (1 - a)).
// The bits of a quotient are nearly the difference of bits, so 2^k may be farther from it, and s as large as
// 1/4.
struct AtanhCurve {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const hn::RebindToUnsigned<D> du;
    const V one = hn::Set(d, 1.0);
    const V a = hn::Abs(x);
    const auto above = hn::BitCast(du, hn::Add(one, a));
    const auto below = hn::BitCast(du, hn::Sub(one, a));
    const auto bits = NearestPower(du, hn::Add(hn::Sub(above, below), hn::Set(du, kBitsOfOne)));
    const V power = hn::BitCast(d, bits);
    const V sum = hn::Add(one, power);
    const V difference = hn::Sub(one, power);
    const V log = LogOfQuotient(d, ExponentOf(d, bits), hn::MulAdd(a, sum, difference),
                                hn::MulAdd(a, difference, sum), kLog1pFit);
    return hn::CopySign(hn::Mul(log, hn::Set(d, 0.5)), x);
  }
  template <class D, class V>
  HWY_INLINE auto IsUsual(D d, V, V x) const {
    return hn::Lt(hn::Abs(x), hn::Set(d, 1.0));
  }
  template <class D, class V>
  HWY_INLINE V Anywhere(D d, V x) const {
    const V infinity = hn::CopySign(hn::Set(d, std::numeric_limits<double>::infinity()), x);
    const V nan = hn::Set(d, std::numeric_limits<double>::quiet_NaN());
    const V edge = hn::IfThenElse(hn::Eq(hn::Abs(x), hn::Set(d, 1.0)), infinity, nan);
    return hn::IfThenElse(IsUsual(d, x, x), (*this)(d, x), edge);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
