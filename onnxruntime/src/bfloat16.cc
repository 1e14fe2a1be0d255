#include "bfloat16.h"

#include <bit>

namespace residue::ort {

void WidenBfloat16(std::span<const uint16_t> from, float* to) noexcept {
  for (size_t i = 0; i < from.size(); ++i) to[i] = std::bit_cast<float>(static_cast<uint32_t>(from[i]) << 16);
}

void NarrowToBfloat16(std::span<const float> from, uint16_t* to) noexcept {
  for (size_t i = 0; i < from.size(); ++i) {
    const auto bits = std::bit_cast<uint32_t>(from[i]);
    // Half a unit less one, and one more if the last kept bit is odd; a carry runs into the exponent, where
    // it belongs.
    to[i] = static_cast<uint16_t>((bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16);
  }
}

}  // namespace residue::ort
