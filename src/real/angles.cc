// Sines, cosines, tangents and their inverses.
#include <cstdint>

#include "real/functions.h"
#include "real/series.h"

namespace residue {
namespace {

Real AtanSeries(const Real& x) noexcept { return SumOfOddPowers(x, -(x * x)); }

// The terms x^n / n! of every second n from `first` on, with changing signs.
Real Series(const Real& x, uint32_t first) noexcept {
  const Real square = -(x * x);
  Real term = first == 0 ? Real(1, 0) : x;
  Real sum = term;
  for (uint32_t n = first + 2; !term.is_zero() && term.exponent() > sum.exponent() - kNegligible; n += 2) {
    term = (term * square).DividedBy(n * (n - 1));
    sum = sum + term;
  }
  return sum;
}

// x less a multiple of pi / 2, and that multiple modulo 4. Of a number below 2^128 the rest is off by less
// than 2^-190, and is never so small that this matters.
struct Reduced {
  Real rest;
  uint32_t quarter;
};
Reduced Reduce(const Real& x) noexcept {
  static const Real half_pi = Pi().Times2ToThe(-1);
  static const Real inverse = Real(1, 0) / half_pi;
  uint32_t quarter = 0;
  const Real multiple = (x * inverse).Nearest(quarter);
  return {x - multiple * half_pi, quarter};
}

Real SinOf(const Reduced& x) noexcept {
  const Real y = Series(x.rest, x.quarter % 2 == 0 ? 1 : 0);
  return x.quarter >= 2 ? -y : y;
}

}  // namespace

// Machin: pi / 4 = 4 atan(1/5) - atan(1/239).
Real Pi() noexcept {
  static const Real value = AtanSeries(Real(1, 0).DividedBy(5)).Times2ToThe(4) -
                            AtanSeries(Real(1, 0).DividedBy(239)).Times2ToThe(2);
  return value;
}

Real Sin(const Real& x) noexcept {
  if (!x.is_finite()) return Real::Nan();
  return x.is_zero() ? x : SinOf(Reduce(x));
}

Real Cos(const Real& x) noexcept {
  if (!x.is_finite()) return Real::Nan();
  Reduced reduced = Reduce(x);
  reduced.quarter = (reduced.quarter + 1) % 4;
  return SinOf(reduced);
}

Real Tan(const Real& x) noexcept {
  if (!x.is_finite()) return Real::Nan();
  return x.is_zero() ? x : Sin(x) / Cos(x);
}

// tan(t / 2) = tan t / (1 + sqrt(1 + tan^2 t)), three times.
Real Atan(const Real& x) noexcept {
  if (x.is_nan() || x.is_zero()) return x;
  static const Real half_pi = Pi().Times2ToThe(-1);
  const Real one(1, 0);
  const Real a = Abs(x);
  const bool large = one < a;
  Real t = large ? one / a : a;
  int halved = 0;
  for (; halved < 3 && !t.is_zero() && t.exponent() >= -4; ++halved) t = t / (one + Sqrt(one + t * t));
  const Real angle = AtanSeries(t).Times2ToThe(halved);
  const Real y = large ? half_pi - angle : angle;
  return x.is_negative() ? -y : y;
}

Real Asin(const Real& x) noexcept {
  if (x.is_nan() || x.is_zero()) return x;
  const Real one(1, 0);
  if (one < Abs(x)) return Real::Nan();
  return Atan(x / Sqrt((one - x) * (one + x)));
}

Real Acos(const Real& x) noexcept {
  const Real one(1, 0);
  if (x.is_nan() || one < Abs(x)) return Real::Nan();
  return Atan(Sqrt((one - x) / (one + x))).Times2ToThe(1);
}

Real Atan2(const Real& y, const Real& x) noexcept {
  if (x.is_nan() || y.is_nan()) return Real::Nan();
  const Real one(1, 0);
  Real angle;
  if (x.is_infinite() && y.is_infinite()) {
    angle = Atan(one);
  } else if (!y.is_zero() || !x.is_zero()) {
    angle = Atan(Abs(y) / Abs(x));
  }
  if (x.is_negative()) angle = Pi() - angle;
  return y.is_negative() ? -angle : angle;
}

}  // namespace residue
