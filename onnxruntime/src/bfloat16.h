// bfloat16: the upper half of a float32. libresidue has no such type, and needs none: widening is exact, and
// so is a truncated remainder, which is a bfloat16 itself. The sum of remainder and divisor that a floored
// one may need is rounded to 24 bits by libresidue and then to 8 by us, which gives what one rounding to 8
// would: 24 is at least 2 * 8 + 2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace residue::ort {

void WidenBfloat16(std::span<const uint16_t> from, float* to) noexcept;

// To nearest even. A NaN must be the quiet one, as libresidue's are.
void NarrowToBfloat16(std::span<const float> from, uint16_t* to) noexcept;

}  // namespace residue::ort
