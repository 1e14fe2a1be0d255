// Exponentials, logarithms and what is made of them.
#include <bit>
#include <cstdint>

#include "real/functions.h"
#include "real/series.h"

namespace residue {
namespace {

Real AtanhSeries(const Real& s) noexcept { return SumOfOddPowers(s, s * s); }

// An integer below 2^62.
int64_t ToInteger(const Real& x) noexcept {
  if (x.is_zero()) return 0;
  const Real::Leading leading = x.GetLeading();
  const auto magnitude = static_cast<int64_t>(leading.digits >> -leading.exponent);
  return x.is_negative() ? -magnitude : magnitude;
}

// e^x = 2^power * (1 + rest), |rest| < 0.42.
struct Split {
  int64_t power;
  Real rest;
};

// By Taylor's series for x / 2^16, of which 17 terms are enough, and e^2t - 1 = (e^t - 1)(e^t - 1 + 2).
Split SplitExp(const Real& x) noexcept {
  const Real one(1, 0);
  const Real two(1, 1);
  uint32_t ignored = 0;
  static const Real inverse = Real(1, 0) / LogOf2();
  const Real power = (x * inverse).Nearest(ignored);
  const Real t = (x - power * LogOf2()).Times2ToThe(-16);
  Real sum = one;
  for (uint32_t n = 17; n > 1; --n) sum = one + (t * sum).DividedBy(n);
  Real rest = t * sum;
  for (int i = 0; i < 16; ++i) rest = rest * (rest + two);
  return {ToInteger(power), rest};
}

// Exponentials of what is below have exponents that can still be multiplied by three.
bool IsHuge(const Real& x) noexcept { return !x.is_zero() && x.exponent() >= 36; }
Real Tiny() noexcept { return Real(1, -(int64_t{1} << 37)); }

}  // namespace

Real LogOf2() noexcept {
  static const Real value = AtanhSeries(Real(1, 0).DividedBy(3)).Times2ToThe(1);
  return value;
}

Real Exp(const Real& x) noexcept {
  if (x.is_nan()) return x;
  if (x.is_infinite()) return x.is_negative() ? Real() : x;
  if (IsHuge(x)) return x.is_negative() ? Tiny() : Real::Infinity(false);
  const Split split = SplitExp(x);
  return (Real(1, 0) + split.rest).Times2ToThe(split.power);
}

Real Expm1(const Real& x) noexcept {
  const Real one(1, 0);
  if (x.is_nan() || x.is_zero()) return x;
  if (x.is_infinite()) return x.is_negative() ? -one : x;
  if (IsHuge(x)) return x.is_negative() ? Tiny() - one : Real::Infinity(false);
  const Split split = SplitExp(x);
  return split.rest.Times2ToThe(split.power) + (one.Times2ToThe(split.power) - one);
}

Real Log(const Real& x) noexcept {
  if (x.is_nan()) return x;
  if (x.is_zero()) return Real::Infinity(true);
  if (x.is_negative()) return Real::Nan();
  if (x.is_infinite()) return x;
  const Real one(1, 0);
  int64_t power = x.exponent();
  Real m = x.Times2ToThe(-power);
  if (m > Real(1.4142)) {
    m = m.Times2ToThe(-1);
    ++power;
  }
  return AtanhSeries((m - one) / (m + one)).Times2ToThe(1) + Real(static_cast<double>(power)) * LogOf2();
}

Real Log1p(const Real& x) noexcept {
  const Real two(1, 1);
  if (x.is_finite() && x < Real(0.4)) return AtanhSeries(x / (x + two)).Times2ToThe(1);
  return Log(Real(1, 0) + x);
}

Real Sinh(const Real& x) noexcept {
  if (!x.is_finite() || x.is_zero()) return x;
  const Real e = Expm1(Abs(x));
  if (e.is_infinite()) return x.is_negative() ? -e : e;
  const Real y = (e + e / (e + Real(1, 0))).Times2ToThe(-1);
  return x.is_negative() ? -y : y;
}

Real Cosh(const Real& x) noexcept { return (Exp(x) + Exp(-x)).Times2ToThe(-1); }

Real Tanh(const Real& x) noexcept {
  if (x.is_nan() || x.is_zero()) return x;
  const Real one(1, 0);
  const Real e = x.is_infinite() ? x : Expm1(Abs(x).Times2ToThe(1));
  const Real y = x.is_infinite() ? one : e.is_infinite() ? one - Tiny() : e / (e + Real(1, 1));
  return x.is_negative() ? -y : y;
}

// log(|x| + sqrt(x^2 + 1)), where what is above 1 is not lost.
Real Asinh(const Real& x) noexcept {
  if (!x.is_finite() || x.is_zero()) return x;
  const Real one(1, 0);
  const Real square = x * x;
  const Real y = Log1p(Abs(x) + square / (one + Sqrt(one + square)));
  return x.is_negative() ? -y : y;
}

Real Acosh(const Real& x) noexcept {
  const Real above = x - Real(1, 0);
  if (x.is_nan() || (above.is_negative() && !above.is_zero())) return Real::Nan();
  if (x.is_infinite()) return x;
  return Log1p(above + Sqrt(above * (above + Real(1, 1))));
}

Real Atanh(const Real& x) noexcept {
  if (x.is_nan() || x.is_zero()) return x;
  const Real one(1, 0);
  const Real a = Abs(x);
  if (one < a) return Real::Nan();
  const Real y = a < Real(0.17) ? AtanhSeries(a) : Log((one + a) / (one - a)).Times2ToThe(-1);
  return x.is_negative() ? -y : y;
}

}  // namespace residue
