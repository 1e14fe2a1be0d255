// The error function: erf x = 2 x e^(-x^2) / sqrt(pi) * (1 + 2x^2 / 3 + (2x^2)^2 / (3 * 5) + ...).
#include <cstdint>

#include "real/functions.h"

namespace residue {
namespace {

// Where the rest to 1 is below 2^-500.
bool IsFar(const Real& magnitude) noexcept { return Real(20.0) < magnitude; }

// All terms are positive, and their number grows with x^2.
Real ErfSeries(const Real& x) noexcept {
  static const Real factor = Real(1, 1) / Sqrt(Pi());
  const Real square = x * x;
  const Real twice = square.Times2ToThe(1);
  Real term(1, 0);
  Real sum = term;
  for (uint32_t n = 3; !term.is_zero() && term.exponent() > sum.exponent() - Real::kDigits; n += 2) {
    term = (term * twice).DividedBy(n);
    sum = sum + term;
  }
  return factor * x * Exp(-square) * sum;
}

}  // namespace

Real Erf(const Real& x) noexcept {
  if (x.is_nan() || x.is_zero()) return x;
  if (!IsFar(Abs(x))) return ErfSeries(x);
  const Real y = Real(1, 0) - Erfc(Abs(x));
  return x.is_negative() ? -y : y;
}

// Far from 0 a bound of it is given: results of any type are the same.
Real Erfc(const Real& x) noexcept {
  const Real one(1, 0);
  if (x.is_nan()) return x;
  if (!IsFar(Abs(x))) return one - ErfSeries(x);
  const Real rest = Exp(-(x * x));
  return x.is_negative() ? Real(1, 1) - rest : rest;
}

}  // namespace residue
