// x^y. What is exactly a short number is found out first, because no number of digits tells a tie from a
// number beside it.
#include <bit>
#include <cstdint>

#include "real/functions.h"

namespace residue {
namespace {

// A finite number as odd * 2^exponent. Of one with more than 61 digits, the last digit stands for those that
// are left out; such a number is too long for what is done with it.
struct Odd {
  uint64_t odd;
  int64_t exponent;
};
Odd ToOdd(const Real& x) noexcept {
  const Real::Leading leading = x.GetLeading();
  const int zeros = std::countr_zero(leading.digits);
  return {leading.digits >> zeros, leading.exponent + zeros};
}

bool IsInteger(const Real& x) noexcept { return x.is_zero() || x.LastExponent() >= 0; }
bool IsOddInteger(const Real& x) noexcept { return !x.is_zero() && x.LastExponent() == 0; }

// True if it is a square, and the root takes its place.
bool TakeRoot(Odd& x) noexcept {
  const uint64_t root = IntegerRoot(x.odd);
  if (root * root != x.odd || (x.exponent & 1) != 0) return false;
  x = {root, x.exponent / 2};
  return true;
}

// x^y for x > 0, if it has few digits: y = n / 2^k, x is the 2^k-th power of a number whose n-th power is
// short. Others have more than 62 digits, or none that end.
bool PowIfShort(const Real& x, const Real& y, Real& result) noexcept {
  Odd base = ToOdd(x);
  const Odd exponent = ToOdd(y);
  for (int64_t k = exponent.exponent; k < 0; ++k) {
    if (base.odd == 1 && base.exponent == 0) break;
    if (!TakeRoot(base)) return false;
  }
  if (exponent.exponent > 40) return false;
  if (exponent.exponent > 0 && exponent.odd >> (63 - exponent.exponent) != 0) return false;
  const uint64_t n = exponent.exponent > 0 ? exponent.odd << exponent.exponent : exponent.odd;
  if (base.odd != 1 && (y.is_negative() || n > 62)) return false;
  if (n >> 40 != 0) return false;
  uint64_t power = 1;
  for (uint64_t i = 0; base.odd != 1 && i < n; ++i) {
    if (power > (uint64_t{1} << 62) / base.odd) return false;
    power *= base.odd;
  }
  const int64_t scale = base.exponent * static_cast<int64_t>(n);
  result = Real(power, y.is_negative() ? -scale : scale);
  return true;
}

// Zeros and infinities.
Real PowOfLimit(const Real& x, const Real& y) noexcept {
  const bool negative = x.is_negative() && y.is_finite() && IsOddInteger(y);
  const bool large = x.is_infinite() != y.is_negative();
  if (large) return Real::Infinity(negative);
  return negative ? -Real() : Real();
}

}  // namespace

Real Pow(const Real& x, const Real& y) noexcept {
  const Real one(1, 0);
  if (y.is_zero()) return one;
  if (!x.is_nan() && (x - one).is_zero()) return one;
  if (x.is_nan() || y.is_nan()) return Real::Nan();
  const Real a = Abs(x);
  if (y.is_infinite()) {
    if ((a - one).is_zero()) return one;
    return (one < a) != y.is_negative() ? Real::Infinity(false) : Real();
  }
  if (x.is_zero() || x.is_infinite()) return PowOfLimit(x, y);
  if (x.is_negative() && !IsInteger(y)) return Real::Nan();
  Real result;
  if (!PowIfShort(a, y, result)) result = Exp(y * Log(a));
  return x.is_negative() && IsOddInteger(y) ? -result : result;
}

}  // namespace residue
