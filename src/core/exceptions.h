// What is worth telling about the elements of a run: IEEE 754's exceptions. Results are defined whatever
// happens; a caller may want to know that it did.
#pragma once

#include <cstdint>

namespace residue {

// A set of bits.
using Exceptions = uint32_t;
inline constexpr Exceptions kNoException = 0;
inline constexpr Exceptions kDivisionByZero = 1;    // a divisor of 0, of integers or of a finite number
inline constexpr Exceptions kInvalidOperation = 2;  // NaN from operands that are none; a signalling NaN
inline constexpr Exceptions kOverflow = 4;          // infinity from finite operands

}  // namespace residue
