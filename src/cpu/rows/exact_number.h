// Sums of integers times floats, as real numbers: all digits are there.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstdint>

namespace residue {

// Two's complement, in units of the smallest float, 2^-149. Products of 64-bit integers and floats have at
// most 64 + 24 + 253 bits.
class ExactNumber {
 public:
  // value * factor; the factor is finite.
  template <std::integral T>
  ExactNumber(T value, float factor) noexcept {
    const bool negative = value < 0;
    const auto magnitude =
        negative ? uint64_t{0} - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
    const auto bits = std::bit_cast<uint32_t>(factor);
    const uint32_t field = bits >> 23 & 0xFF;
    const uint64_t significand = (bits & 0x7FFFFF) | (field == 0 ? 0 : 0x800000);
    const uint32_t shift = field == 0 ? 0 : field - 1;  // from 2^-149 on
    AddShifted((magnitude & UINT32_MAX) * significand, shift);
    AddShifted((magnitude >> 32) * significand, shift + 32);
    if (negative != ((bits >> 31) != 0)) Negate();
  }

  ExactNumber& operator+=(const ExactNumber& other) noexcept {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < kLimbs; ++i) {
      sum += uint64_t{limbs_[i]} + other.limbs_[i];
      limbs_[i] = static_cast<uint32_t>(sum);
      sum >>= 32;
    }
    return *this;
  }

  bool is_negative() const noexcept { return (limbs_[kLimbs - 1] >> 31) != 0; }

  // The magnitude's highest 62 digits that are not 0, a last one that stands for those below, and the power
  // of two of that.
  struct Digits {
    uint64_t digits;
    int exponent;
  };
  Digits Leading() const noexcept {
    ExactNumber magnitude = *this;
    if (is_negative()) magnitude.Negate();
    uint32_t top = kLimbs;
    while (top > 0 && magnitude.limbs_[top - 1] == 0) --top;
    if (top == 0) return {0, 0};
    const uint32_t length = 32 * top - static_cast<uint32_t>(std::countl_zero(magnitude.limbs_[top - 1]));
    const uint32_t dropped = length > 62 ? length - 62 : 0;
    uint64_t digits = 0;
    bool sticky = false;
    for (uint32_t bit = 0; bit < length; ++bit) {
      const uint64_t digit = magnitude.limbs_[bit / 32] >> (bit % 32) & 1;
      if (bit < dropped) sticky = sticky || digit != 0;
      if (bit >= dropped) digits |= digit << (bit - dropped);
    }
    return {digits << 1 | (sticky ? 1 : 0), static_cast<int>(dropped) - 1 - 149};
  }

  // Toward zero, modulo 2^64.
  uint64_t Truncate() const noexcept {
    constexpr uint32_t kPoint = 149;
    constexpr uint32_t kLimb = kPoint / 32;
    constexpr uint32_t kBit = kPoint % 32;
    uint32_t below = limbs_[kLimb] & ((1u << kBit) - 1);
    for (uint32_t i = 0; i < kLimb; ++i) below |= limbs_[i];
    const uint64_t low = uint64_t{limbs_[kLimb]} | uint64_t{limbs_[kLimb + 1]} << 32;
    const uint64_t floor = low >> kBit | uint64_t{limbs_[kLimb + 2]} << (64 - kBit);
    return floor + (is_negative() && below != 0 ? 1 : 0);
  }

 private:
  static constexpr uint32_t kLimbs = 12;

  void AddShifted(uint64_t value, uint32_t shift) noexcept {
    uint64_t carry = 0;
    const uint64_t parts[] = {(value & UINT32_MAX) << (shift % 32), (value >> 32) << (shift % 32)};
    for (uint32_t i = shift / 32; i < kLimbs; ++i) {
      const uint32_t at = i - shift / 32;
      carry += limbs_[i];
      if (at < 2) carry += parts[at] & UINT32_MAX;
      if (at > 0 && at < 3) carry += parts[at - 1] >> 32;
      limbs_[i] = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
  }

  void Negate() noexcept {
    uint64_t carry = 1;
    for (uint32_t& limb : limbs_) {
      carry += uint32_t{~limb};
      limb = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
  }

  std::array<uint32_t, kLimbs> limbs_{};
};

template <std::integral T>
T ExactScaleBias(T x, float scale, float bias) noexcept {
  ExactNumber number(x, scale);
  number += ExactNumber(1, bias);
  return static_cast<T>(number.Truncate());
}

}  // namespace residue
