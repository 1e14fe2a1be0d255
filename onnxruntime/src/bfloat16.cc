#include "bfloat16.h"

#include <bit>

namespace residue::ort {

void WidenBfloat16(std::span<const uint16_t> from, float* to) noexcept {
  for (size_t i = 0; i < from.size(); ++i) to[i] = std::bit_cast<float>(static_cast<uint32_t>(from[i]) << 16);
}

void NarrowToBfloat16(std::span<const float> from, uint16_t* to) noexcept {
  constexpr uint16_t kQuietNan = 0x7FC0;
  for (size_t i = 0; i < from.size(); ++i) {
    const auto bits = std::bit_cast<uint32_t>(from[i]);
    const bool is_nan = (bits & 0x7FFFFFFFu) > 0x7F800000u;
    // Half a unit less one, and one more if the last kept bit is odd; a carry runs into the exponent, where
    // it belongs.
    const uint32_t rounded = bits + 0x7FFFu + ((bits >> 16) & 1u);
    to[i] = is_nan ? kQuietNan : static_cast<uint16_t>(rounded >> 16);
  }
}

}  // namespace residue::ort
