// Reference functions of what is correctly rounded: the function of the real number that an element is, by
// numbers of 320 bits, rounded once to the type of the results.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/params.h"
#include "cpu/rows/reference_arithmetic.h"
#include "cpu/rows/reference_cast.h"
#include "cpu/rows/reference_compute.h"
#include "cpu/rows/reference_float.h"
#include "real/functions.h"

namespace residue::reference {

template <class T>
Real ToReal(T x) noexcept {
  return Real(static_cast<double>(Widen(x)));
}

// To nearest, ties to even; a Real is not rounded.
template <class R>
R RoundReal(const Real& x) noexcept {
  if constexpr (std::is_same_v<R, Real>) {
    return x;
  } else {
    using F = FloatBits<R>;
    using Bits = typename F::Bits;
    if (x.is_nan()) return QuietNanElement<R>();
    Bits magnitude = 0;
    if (x.is_infinite()) magnitude = F::kInfinity;
    if (x.is_finite() && !x.is_zero()) {
      constexpr int64_t kFar = 1 << 12;  // beyond any type
      const Real::Leading leading = x.GetLeading();
      magnitude = F::Join(leading.digits, static_cast<int>(std::clamp(leading.exponent, -kFar, kFar)));
    }
    return std::bit_cast<R>(static_cast<Bits>(x.is_negative() ? magnitude | F::kSign : magnitude));
  }
}

#define RESIDUE_FUNCTION(Name)                     \
  template <class T, class R = T>                  \
  R Name(T x) noexcept {                           \
    return RoundReal<R>(residue::Name(ToReal(x))); \
  }
RESIDUE_FUNCTION(Exp)
RESIDUE_FUNCTION(Log)
RESIDUE_FUNCTION(Sin)
RESIDUE_FUNCTION(Cos)
RESIDUE_FUNCTION(Tan)
RESIDUE_FUNCTION(Asin)
RESIDUE_FUNCTION(Acos)
RESIDUE_FUNCTION(Atan)
RESIDUE_FUNCTION(Sinh)
RESIDUE_FUNCTION(Cosh)
RESIDUE_FUNCTION(Tanh)
RESIDUE_FUNCTION(Asinh)
RESIDUE_FUNCTION(Acosh)
RESIDUE_FUNCTION(Atanh)
RESIDUE_FUNCTION(Erf)
#undef RESIDUE_FUNCTION

template <class T, class R = T>
R AtanYx(T y, T x) noexcept {
  return RoundReal<R>(Atan2(ToReal(y), ToReal(x)));
}

template <class T, class R = T>
R Pow(T x, T y) noexcept {
  if constexpr (std::integral<T>) {
    return IntegerPow(x, y);
  } else {
    return RoundReal<R>(residue::Pow(ToReal(x), ToReal(y)));
  }
}
// x^(y + z)
template <class T, class R>
R PowOfSum(T x, T y, T z) noexcept {
  return RoundReal<R>(residue::Pow(ToReal(x), ToReal(y) + ToReal(z)));
}

// Truncated and saturated; 0 for NaN.
template <std::integral R>
R TruncateReal(const Real& x) noexcept {
  if (x.is_nan() || x.is_zero()) return 0;
  const Real::Leading leading = x.GetLeading();
  if (x.is_infinite() || leading.exponent >= 0) return Saturate<R>(x.is_negative(), UINT64_MAX);
  return leading.exponent < -63 ? R{0} : Saturate<R>(x.is_negative(), leading.digits >> -leading.exponent);
}

// An integer to the power of y. If y is an integer: modulo 2^n, where exponents from 2^62 on are as good as
// one that has as many zeros at its end. Else the real power, truncated; 0 has none below 0.
template <class T, class R>
R PowTruncated(T y, R base) noexcept {
  if (std::isfinite(y) && y == std::trunc(y)) {
    const int64_t exponent = y >= T{0x1p62}    ? int64_t{1} << 40
                             : y <= T{-0x1p62} ? -2
                                               : static_cast<int64_t>(y);
    return static_cast<R>(IntegerPow(static_cast<int64_t>(base), exponent));
  }
  if (base == 0 && y < 0) return 0;
  return TruncateReal<R>(residue::Pow(Real(static_cast<double>(base)), ToReal(y)));
}

inline Real Sigmoid(const Real& x) noexcept {
  const Real one(1, 0);
  return one / (one + Exp(-x));
}

// log(1 + e^x), without losing the sum of what is large and what is small.
inline Real Softplus(const Real& x) noexcept {
  if (!(x > Real())) return Log1p(Exp(x));
  return x + Log1p(Exp(-x));
}

template <class T, class R = T>
R Sigmoid(T x) noexcept {
  return RoundReal<R>(Sigmoid(ToReal(x)));
}

// At infinities the limits.
template <class T, class R = T>
R Swish(T element, const AlphaParams& params) noexcept {
  const Real x = ToReal(element);
  const Real scaled = Real(static_cast<double>(params.alpha)) * x;
  if (!x.is_infinite() || scaled.is_nan()) {
    const bool is_half = x.is_infinite() && params.alpha == 0;
    return RoundReal<R>(is_half ? x : x / (Real(1, 0) + Exp(-scaled)));
  }
  return RoundReal<R>(scaled.is_negative() ? (x.is_negative() ? -Real() : Real()) : x);
}

template <class T, class R = T>
R Gelu(T element) noexcept {
  const Real x = ToReal(element);
  if (x.is_infinite()) return RoundReal<R>(x.is_negative() ? -Real() : x);
  return RoundReal<R>((x * Erfc(-x / Sqrt(Real(1, 1)))).Times2ToThe(-1));
}

template <class T, class R = T>
R Softplus(T x, const SteepnessParams& params) noexcept {
  const Real steepness(static_cast<double>(params.steepness));
  return RoundReal<R>(Softplus(steepness * ToReal(x)) / steepness);
}

template <class T, class R = T>
R ParametricSoftplus(T x, const ScaledParams& params) noexcept {
  return RoundReal<R>(Real(static_cast<double>(params.alpha)) *
                      Softplus(Real(static_cast<double>(params.beta)) * ToReal(x)));
}

template <class T, class R = T>
R Softsign(T element) noexcept {
  const Real x = ToReal(element);
  const Real one(1, 0);
  if (x.is_infinite()) return RoundReal<R>(x.is_negative() ? -one : one);
  return RoundReal<R>(x / (one + Abs(x)));
}

template <class T, class R = T>
R Elu(T element, const AlphaParams& params) noexcept {
  const Real x = ToReal(element);
  const bool is_below = x < Real();
  return RoundReal<R>(is_below ? Real(static_cast<double>(params.alpha)) * Expm1(x) : x);
}

// max(0, x) + min(0, alpha * (e^(x / alpha) - 1))
template <class T, class R = T>
R Celu(T element, const AlphaParams& params) noexcept {
  const Real x = ToReal(element);
  const Real alpha(static_cast<double>(params.alpha));
  const Real curve = alpha * Expm1(x / alpha);
  if (x.is_nan() || curve.is_nan()) return RoundReal<R>(Real::Nan());
  const Real zero;
  return RoundReal<R>((x > zero ? x : zero) + (curve < zero ? curve : zero));
}

template <class T, class R = T>
R ScaledElu(T element, const AlphaGammaParams& params) noexcept {
  const Real x = ToReal(element);
  const Real gamma(static_cast<double>(params.gamma));
  const Real alpha(static_cast<double>(params.alpha));
  return RoundReal<R>(gamma * (x > Real() ? x : alpha * Expm1(x)));
}

template <class T, class R = T>
R ScaledTanh(T x, const ScaledParams& params) noexcept {
  return RoundReal<R>(Real(static_cast<double>(params.alpha)) *
                      Tanh(Real(static_cast<double>(params.beta)) * ToReal(x)));
}

}  // namespace residue::reference
