// Functions made of exponentials. Included once per target.

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_FUNCTION_EXPONENTIAL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_FUNCTION_EXPONENTIAL_INL_H_
#undef RESIDUE_CPU_ROWS_FUNCTION_EXPONENTIAL_INL_H_
#else
#define RESIDUE_CPU_ROWS_FUNCTION_EXPONENTIAL_INL_H_
#endif

#include <hwy/highway.h>

#include <cmath>
#include <cstdint>

#include "core/params.h"
#include "cpu/rows/exponential-inl.h"
#include "cpu/rows/function-inl.h"
#include "cpu/rows/function_coefficients.h"
#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class D, class V>
HWY_INLINE V Clamp(D d, V x, double least, double most) {
  return hn::Max(hn::Min(x, hn::Set(d, most)), hn::Set(d, least));
}

// Results are normal below 87 in magnitude; at 120 they are 0 and infinity.
struct ExpCurve {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return ExpOf(d, x);
  }
  template <class D, class V>
  HWY_INLINE auto IsUsual(D d, V, V x) const {
    return hn::Lt(hn::Abs(x), hn::Set(d, 87.0));
  }
  template <class D, class V>
  HWY_INLINE V Anywhere(D d, V x) const {
    return KeepNan(d, x, ExpOf(d, Clamp(d, x, -120.0, 120.0)));
  }
  // 1 and e^x - 1
  template <class D, class V>
  HWY_INLINE auto Line(D d, V* high, V* low, V* rest, V* error, V x) const {
    *high = hn::Set(d, 1.0);
    *low = hn::Zero(d);
    *rest = Expm1Of(d, Clamp(d, x, -1.0, 1.0));
    *error = ErrorOfRest(d, *rest);
    return IsNearZero(d, x);
  }
};

// 1 / (1 + e^-x)
struct SigmoidCurve {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V one = hn::Set(d, 1.0);
    return hn::Div(one, hn::Add(one, ExpOf(d, hn::Neg(x))));
  }
  template <class D, class V>
  HWY_INLINE auto IsUsual(D d, V, V x) const {
    return hn::Lt(hn::Abs(x), hn::Set(d, 87.0));
  }
  template <class D, class V>
  HWY_INLINE V Anywhere(D d, V x) const {
    return KeepNan(d, x, (*this)(d, Clamp(d, x, -120.0, 120.0)));
  }
  // 1/2 + x/4 - x^3/48 + x^5/480 ...
  template <class D, class V>
  HWY_INLINE auto Line(D d, V* high, V* low, V* rest, V* error, V x) const {
    const V square = hn::Mul(x, x);
    const V factor = hn::MulAdd(square, hn::Set(d, 1.0 / 480), hn::Set(d, -1.0 / 48));
    *high = hn::Set(d, 0.5);
    *low = hn::Mul(x, hn::Set(d, 0.25));
    *rest = hn::Mul(hn::Mul(square, x), factor);
    *error = ErrorOfRest(d, *rest);
    return IsNearZero(d, x);
  }
};

// x / (1 + e^-(scale x)); the limits at infinity.
struct SwishCurve {
  explicit HWY_INLINE SwishCurve(const void* params)
      : scale(static_cast<double>(ReadParams<AlphaParams>(params).alpha)) {}
  HWY_INLINE bool IsOrdinary() const { return std::isfinite(scale); }

  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V one = hn::Set(d, 1.0);
    const V t = Clamp(d, hn::Mul(x, hn::Set(d, -scale)), -600.0, 600.0);
    return hn::Div(x, hn::Add(one, ExpOf(d, t)));
  }
  template <class D, class V>
  HWY_INLINE auto IsUsual(D d, V y, V x) const {
    const auto finite = hn::Lt(hn::Abs(x), hn::Set(d, std::numeric_limits<double>::infinity()));
    return hn::And(finite, IsNormalOrZero(d, y, x));
  }
  template <class D, class V>
  HWY_INLINE V Anywhere(D d, V x) const {
    const auto infinite = hn::Eq(hn::Abs(x), hn::Set(d, std::numeric_limits<double>::infinity()));
    const auto falls = hn::Lt(hn::Mul(x, hn::Set(d, scale)), hn::Zero(d));
    const V limit = hn::IfThenElse(falls, hn::CopySign(hn::Zero(d), x), x);
    return KeepNan(d, x, hn::IfThenElse(infinite, limit, (*this)(d, x)));
  }
  // x/2 + x t/4 - x t^3/48 + x t^5/480 ..., where t = scale x is exact.
  template <class D, class V>
  HWY_INLINE auto Line(D d, V* high, V* low, V* rest, V* error, V x) const {
    const V t = hn::Mul(x, hn::Set(d, scale));
    const V square = hn::Mul(t, t);
    const V factor = hn::MulAdd(square, hn::Set(d, 1.0 / 480), hn::Set(d, -1.0 / 48));
    V exact_rest;
    MultiplyExactly(d, t, hn::Mul(x, hn::Set(d, 0.25)), low, &exact_rest);
    const V others = hn::Mul(hn::Mul(square, t), hn::Mul(x, factor));
    *high = hn::Mul(x, hn::Set(d, 0.5));
    *rest = hn::Add(exact_rest, others);
    *error = hn::Add(ErrorOfRest(d, exact_rest), ErrorOfRest(d, others));
    return IsNearZero(d, t);
  }
  double scale;
};

// e / (e + 2) with e = e^2|x| - 1; from 20 on it is 1.
template <class D, class V>
HWY_INLINE V TanhOf(D d, V x) {
  const V a = hn::Min(hn::Abs(x), hn::Set(d, 20.0));
  const V e = Expm1Of(d, hn::Add(a, a));
  return hn::CopySign(hn::Div(e, hn::Add(e, hn::Set(d, 2.0))), x);
}

struct TanhCurve : OfNumbers<TanhCurve> {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return TanhOf(d, x);
  }
};

// The params of alpha * f(beta * x).
struct Scaled {
  explicit HWY_INLINE Scaled(const void* params) {
    const auto given = ReadParams<ScaledParams>(params);
    alpha = static_cast<double>(given.alpha);
    beta = static_cast<double>(given.beta);
  }
  HWY_INLINE bool IsOrdinary() const {
    return std::isfinite(alpha) && std::isfinite(beta) && alpha != 0 && beta != 0;
  }
  double alpha;
  double beta;
};

struct ScaledTanhCurve : OfSmallNumbers<ScaledTanhCurve>, Scaled {
  explicit HWY_INLINE ScaledTanhCurve(const void* params) : Scaled(params) {}
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return hn::Mul(hn::Set(d, alpha), TanhOf(d, hn::Mul(x, hn::Set(d, beta))));
  }
  // alpha (t - t^3/3 + 2 t^5/15 ...), where t = beta x is exact, and so is alpha beta.
  template <class D, class V>
  HWY_INLINE auto Line(D d, V* high, V* low, V* rest, V* error, V x) const {
    const V t = hn::Mul(x, hn::Set(d, beta));
    const V square = hn::Mul(t, t);
    const V factor = hn::MulAdd(square, hn::Set(d, 2.0 / 15), hn::Set(d, -1.0 / 3));
    MultiplyExactly(d, hn::Set(d, alpha * beta), x, high, low);
    *rest = hn::Mul(hn::Mul(hn::Mul(square, t), factor), hn::Set(d, alpha));
    *error = ErrorOfRest(d, *rest);
    return IsNearZero(d, t);
  }
};

// factor * (e^(x / width) - 1) below 0, slope * x above. Below -60 the exponential is lost.
template <class D, class V>
HWY_INLINE V EluOf(D d, V x, double factor, double inverse_width) {
  const V scaled = hn::Mul(x, hn::Set(d, inverse_width));
  return hn::Mul(Expm1Of(d, Clamp(d, scaled, -60.0, 600.0)), hn::Set(d, factor));
}

// (e^t - 1 - t) / t = t/2 + t^2/6 + ..., near 0.
template <class D, class V>
HWY_INLINE V BendOf(D d, V t) {
  const V one = hn::Set(d, 1.0);
  V factor = hn::MulAdd(t, hn::Set(d, 1.0 / 5), one);
  factor = hn::MulAdd(hn::Mul(t, hn::Set(d, 1.0 / 4)), factor, one);
  factor = hn::MulAdd(hn::Mul(t, hn::Set(d, 1.0 / 3)), factor, one);
  return hn::Mul(hn::Mul(t, hn::Set(d, 0.5)), factor);
}

struct EluCurve : OfSmallNumbers<EluCurve> {
  explicit HWY_INLINE EluCurve(const void* params)
      : alpha(static_cast<double>(ReadParams<AlphaParams>(params).alpha)) {}
  HWY_INLINE bool IsOrdinary() const { return std::isfinite(alpha); }
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), EluOf(d, x, alpha, 1.0), x);
  }
  // Below 0: alpha x and a rest.
  template <class D, class V>
  HWY_INLINE auto Line(D d, V* high, V* low, V* rest, V* error, V x) const {
    *high = hn::Mul(x, hn::Set(d, alpha));
    *low = hn::Zero(d);
    *rest = hn::Mul(*high, BendOf(d, x));
    *error = ErrorOfRest(d, *rest);
    return hn::And(hn::Lt(x, hn::Zero(d)), IsNearZero(d, x));
  }
  double alpha;
};

// A negative width turns the curve around: the reference has it.
struct CeluCurve : OfSmallNumbers<CeluCurve> {
  explicit HWY_INLINE CeluCurve(const void* params)
      : alpha(static_cast<double>(ReadParams<AlphaParams>(params).alpha)), inverse(1 / alpha) {}
  HWY_INLINE bool IsOrdinary() const { return std::isfinite(alpha) && alpha > 0; }
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V below = hn::Add(EluOf(d, x, alpha, inverse), hn::Zero(d));  // -0 becomes 0
    return hn::IfThenElse(hn::Gt(x, hn::Zero(d)), x, below);
  }
  // Below 0: x and a rest.
  template <class D, class V>
  HWY_INLINE auto Line(D d, V* high, V* low, V* rest, V* error, V x) const {
    const V t = hn::Mul(x, hn::Set(d, inverse));
    *high = x;
    *low = hn::Zero(d);
    *rest = hn::Mul(x, BendOf(d, t));
    *error = ErrorOfRest(d, *rest);
    return hn::And(hn::Lt(x, hn::Zero(d)), IsNearZero(d, t));
  }
  double alpha;
  double inverse;
};

struct ScaledEluCurve : OfSmallNumbers<ScaledEluCurve> {
  explicit HWY_INLINE ScaledEluCurve(const void* params) {
    const auto given = ReadParams<AlphaGammaParams>(params);
    slope = static_cast<double>(given.gamma);
    factor = slope * static_cast<double>(given.alpha);  // exact
  }
  HWY_INLINE bool IsOrdinary() const { return std::isfinite(slope) && std::isfinite(factor); }
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V above = hn::Mul(x, hn::Set(d, slope));
    const V zero = hn::Mul(x, hn::Set(d, factor));  // with its sign, which e^-0 - 1 loses
    const V below = hn::IfThenElse(hn::Lt(x, hn::Zero(d)), EluOf(d, x, factor, 1.0), zero);
    return hn::IfThenElse(hn::Gt(x, hn::Zero(d)), above, below);
  }
  // Above 0 nothing but gamma x; below, alpha gamma x and a rest.
  template <class D, class V>
  HWY_INLINE auto Line(D d, V* high, V* low, V* rest, V* error, V x) const {
    const auto above = hn::Gt(x, hn::Zero(d));
    MultiplyExactly(d, hn::IfThenElse(above, hn::Set(d, slope), hn::Set(d, factor)), x, high, low);
    *rest = hn::IfThenZeroElse(above, hn::Mul(*high, BendOf(d, x)));
    *error = ErrorOfRest(d, *rest);
    return hn::Or(above, hn::And(hn::Lt(x, hn::Zero(d)), IsNearZero(d, x)));
  }
  double slope;
  double factor;
};

// (e + e / (e + 1)) / 2 with e = e^|x| - 1.
struct SinhCurve : OfNumbers<SinhCurve> {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V one = hn::Set(d, 1.0);
    const V e = Expm1Of(d, hn::Min(hn::Abs(x), hn::Set(d, 120.0)));
    const V twice = hn::Add(e, hn::Div(e, hn::Add(e, one)));
    return hn::CopySign(hn::Mul(twice, hn::Set(d, 0.5)), x);
  }
};

struct CoshCurve : OfNumbers<CoshCurve> {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V half = hn::Set(d, 0.5);
    const V e = ExpOf(d, hn::Min(hn::Abs(x), hn::Set(d, 120.0)));
    return hn::MulAdd(half, e, hn::Div(half, e));
  }
};

// log(1 + e^-t) = 2 atanh(w / (2 + w)), where w = e^-t. From t = 600 on it is that of 600, which is still far
// from the digits of anything. What is too small to change the polynomial is not squared: it would be
// subnormal, which takes long.
template <class D, class V>
HWY_INLINE V SoftTailOf(D d, V t) {
  const V w = ExpOf(d, hn::Neg(hn::Min(t, hn::Set(d, 600.0))));
  const V s = hn::Div(w, hn::Add(w, hn::Set(d, 2.0)));
  const V seen = hn::Max(s, hn::Set(d, 0x1p-60));
  return hn::Mul(s, Polynomial(d, kLog1pFit, hn::Mul(seen, seen)));
}

// factor * log(1 + e^(scale x)) = factor * (max(t, 0) + log(1 + e^-|t|)).
template <class D, class V>
HWY_INLINE V SoftplusOf(D d, V x, double scale, double factor) {
  const V t = hn::Mul(x, hn::Set(d, scale));
  return hn::Mul(hn::Add(hn::Max(t, hn::Zero(d)), SoftTailOf(d, hn::Abs(t))), hn::Set(d, factor));
}

struct SoftplusCurve : OfSmallResults<SoftplusCurve> {
  explicit HWY_INLINE SoftplusCurve(const void* params)
      : steepness(static_cast<double>(ReadParams<SteepnessParams>(params).steepness)),
        inverse(1 / steepness) {}
  HWY_INLINE bool IsOrdinary() const { return std::isfinite(steepness) && steepness != 0; }
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return SoftplusOf(d, x, steepness, inverse);
  }
  double steepness;
  double inverse;
};

struct ParametricSoftplusCurve : OfSmallResults<ParametricSoftplusCurve>, Scaled {
  explicit HWY_INLINE ParametricSoftplusCurve(const void* params) : Scaled(params) {}
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    return SoftplusOf(d, x, beta, alpha);
  }
  // From t = 8 on: alpha t, where t = beta x and alpha beta are exact, and a rest.
  template <class D, class V>
  HWY_INLINE auto Line(D d, V* high, V* low, V* rest, V* error, V x) const {
    const V t = hn::Mul(x, hn::Set(d, beta));
    MultiplyExactly(d, hn::Set(d, alpha * beta), x, high, low);
    *rest = hn::Mul(SoftTailOf(d, hn::Abs(t)), hn::Set(d, alpha));
    *error = ErrorOfRest(d, *rest);
    return hn::Ge(t, hn::Set(d, 8.0));
  }
};

// x / (1 + |x|); from 2^100 on it is 1.
struct SoftsignCurve : OfNumbers<SoftsignCurve> {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V x) const {
    const V a = hn::Min(hn::Abs(x), hn::Set(d, 0x1p100));
    return hn::CopySign(hn::Div(a, hn::Add(a, hn::Set(d, 1.0))), x);
  }
  // x - x |x| + x x^2 / (1 + |x|)
  template <class D, class V>
  HWY_INLINE auto Line(D d, V* high, V* low, V* rest, V* error, V x) const {
    const V a = hn::Abs(x);
    *high = x;
    *low = hn::Neg(hn::Mul(x, a));
    *rest = hn::Div(hn::Mul(hn::Mul(a, a), x), hn::Add(a, hn::Set(d, 1.0)));
    *error = ErrorOfRest(d, *rest);
    return IsNearZero(d, x);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
