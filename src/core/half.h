// IEEE binary16 as a plain value, with exact conversions: half to float loses nothing, double to half rounds
// once to nearest even. Integer arithmetic only, so the floating-point environment does not matter.
#pragma once

#include <bit>
#include <cstdint>

namespace residue {

struct Float16 {
  uint16_t bits;
  friend constexpr bool operator==(Float16, Float16) = default;
};

inline constexpr Float16 kHalfNan{0x7E00};

// Every half is a float: subnormal halves become normal floats, infinities and NaN payloads are kept.
constexpr float HalfToFloat(Float16 half) noexcept {
  const uint32_t sign = static_cast<uint32_t>(half.bits & 0x8000u) << 16;
  const uint32_t exponent = (half.bits >> 10) & 0x1Fu;
  const uint32_t fraction = half.bits & 0x3FFu;
  if (exponent == 0x1F) return std::bit_cast<float>(sign | 0x7F800000u | (fraction << 13));
  if (exponent != 0) return std::bit_cast<float>(sign | ((exponent + 112u) << 23) | (fraction << 13));
  if (fraction == 0) return std::bit_cast<float>(sign);
  // Subnormal: fraction * 2^-24. Shift the leading one to the hidden place.
  const uint32_t shift = static_cast<uint32_t>(std::countl_zero(fraction)) - 21u;
  const uint32_t mantissa = (fraction << shift) & 0x3FFu;
  return std::bit_cast<float>(sign | ((113u - shift) << 23) | (mantissa << 13));
}

// Nearest half, ties to even; NaN becomes the canonical quiet NaN.
constexpr Float16 DoubleToHalf(double value) noexcept {
  const uint64_t bits = std::bit_cast<uint64_t>(value);
  const auto sign = static_cast<uint16_t>((bits >> 48) & 0x8000u);
  const uint64_t magnitude = bits & 0x7FFFFFFFFFFFFFFFu;
  if (magnitude > 0x7FF0000000000000u) return kHalfNan;
  const int exponent = static_cast<int>(magnitude >> 52) - 1023;
  if (exponent > 15) return {static_cast<uint16_t>(sign | 0x7C00u)};
  if (exponent < -25) return {sign};  // below half of the smallest subnormal
  const uint64_t significand = (magnitude & 0xFFFFFFFFFFFFFu) | 0x10000000000000u;
  // The unit of the result is 2^(exponent-10) for normal halves and 2^-24 for subnormal ones.
  const bool normal = exponent >= -14;
  const int dropped = normal ? 42 : 28 - exponent;  // significand bits below the unit
  const uint64_t kept = significand >> dropped;
  const uint64_t rest = significand & ((uint64_t{1} << dropped) - 1);
  const uint64_t tie = uint64_t{1} << (dropped - 1);
  const uint64_t rounded = kept + ((rest > tie || (rest == tie && (kept & 1) != 0)) ? 1 : 0);
  // A carry out of the fraction moves into the exponent, up to infinity, by plain addition.
  const uint64_t base = normal ? static_cast<uint64_t>(exponent + 14) << 10 : 0;
  return {static_cast<uint16_t>(sign | (base + rounded))};
}

}  // namespace residue
