// The error function and what is made of it. Included once per target.

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_FUNCTION_ERROR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_FUNCTION_ERROR_INL_H_
#undef RESIDUE_CPU_ROWS_FUNCTION_ERROR_INL_H_
#else
#define RESIDUE_CPU_ROWS_FUNCTION_ERROR_INL_H_
#endif

#include <hwy/highway.h>

#include "cpu/rows/function-inl.h"
#include "cpu/rows/function_coefficients.h"
#include "cpu/rows/function_exponential-inl.h"
#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// x F(x^2), F as a polynomial about the middle of its interval: its derivatives have alternating signs, so
// that no term is much larger than the sum. From 3.92 on the result is 1 in float32.
struct ErfCurve : OfSmallNumbers<ErfCurve> {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V a = Clamp(d, x, -3.92, 3.92);
    return hn::Mul(a, Polynomial(d, kErfFit, hn::MulSub(a, a, hn::Set(d, 7.75))));
  }
};

// x Phi(x), where Phi(-a) = e^(-a^2 / 2) R((a - 4) / (a + 4)), and a^2 is exact. From -14.5 down the result
// is 0.
struct GeluCurve : OfSmallNumbers<GeluCurve> {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V four = hn::Set(d, 4.0);
    const V a = hn::Min(hn::Abs(x), hn::Set(d, 14.5));
    const V t = hn::Div(hn::Sub(a, four), hn::Add(a, four));
    const V e = ExpOf(d, hn::Mul(hn::Mul(a, a), hn::Set(d, -0.5)));
    const V tail = hn::Mul(e, Polynomial(d, kTailFit, t));
    const V phi = hn::IfThenElse(hn::Lt(x, hn::Zero(d)), tail, hn::Sub(hn::Set(d, 1.0), tail));
    return hn::Mul(hn::Max(x, hn::Set(d, -14.5)), phi);
  }
  // x/2 + (x^2 - x^4/6 + ...) / sqrt(2 pi)
  template <class D, class V>
  HWY_INLINE auto Line(D d, V* high, V* low, V* rest, V* error, V x) const {
    constexpr double kFactor = 0x1.9884533d43651p-2;  // 1 / sqrt(2 pi)
    const V square = hn::Mul(x, x);
    *high = hn::Mul(x, hn::Set(d, 0.5));
    *low = hn::Zero(d);
    *rest = hn::Mul(square, hn::MulAdd(square, hn::Set(d, -kFactor / 6), hn::Set(d, kFactor)));
    *error = ErrorOfRest(d, *rest);
    return IsNearZero(d, x);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
