// Elementary functions of numbers of 320 bits, by series whose every step is plain. Errors are below 2^-150
// of the result, where results of a type with 24 digits are decided by the first 100 or are exact; exact
// results come out exact. Zeros, infinities and NaN are as in IEEE 754 and the C library.
#pragma once

#include "real/real.h"

namespace residue {

Real Pi() noexcept;
Real LogOf2() noexcept;

Real Exp(const Real& x) noexcept;
Real Expm1(const Real& x) noexcept;
Real Log(const Real& x) noexcept;
Real Log1p(const Real& x) noexcept;  // of numbers that are not negative

Real Sin(const Real& x) noexcept;
Real Cos(const Real& x) noexcept;
Real Tan(const Real& x) noexcept;
Real Asin(const Real& x) noexcept;
Real Acos(const Real& x) noexcept;
Real Atan(const Real& x) noexcept;
Real Atan2(const Real& y, const Real& x) noexcept;

Real Sinh(const Real& x) noexcept;
Real Cosh(const Real& x) noexcept;
Real Tanh(const Real& x) noexcept;
Real Asinh(const Real& x) noexcept;
Real Acosh(const Real& x) noexcept;
Real Atanh(const Real& x) noexcept;

Real Erf(const Real& x) noexcept;
Real Erfc(const Real& x) noexcept;

// x has at most 61 digits.
Real Pow(const Real& x, const Real& y) noexcept;

}  // namespace residue
