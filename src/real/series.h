// What several functions of src/real share.
#pragma once

#include <cstdint>

#include "real/real.h"

namespace residue {

// Terms so far below a sum do not reach its digits.
inline constexpr int64_t kNegligible = Real::kDigits + 10;

// x + x^3 / 3 + x^5 / 5 + ... for a square of x^2, with changing signs for -x^2; |x| is below a half.
inline Real SumOfOddPowers(const Real& x, const Real& square) noexcept {
  Real power = x;
  Real sum = x;
  for (uint32_t n = 3; !power.is_zero() && power.exponent() > sum.exponent() - kNegligible; n += 2) {
    power = power * square;
    sum = sum + power.DividedBy(n);
  }
  return sum;
}

}  // namespace residue
