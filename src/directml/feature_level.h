// DirectML's feature levels. Each is a strict superset of the one before.
#pragma once

#include <cstdint>
#include <string_view>

namespace residue {

enum class FeatureLevel : uint32_t {
  k1_0 = 0x1000,
  k2_0 = 0x2000,
  k2_1 = 0x2100,
  k3_0 = 0x3000,
  k3_1 = 0x3100,
  k4_0 = 0x4000,
  k4_1 = 0x4100,
  k5_0 = 0x5000,
  k5_1 = 0x5100,
  k5_2 = 0x5200,
  k6_0 = 0x6000,
  k6_1 = 0x6100,
  k6_2 = 0x6200,
  k6_3 = 0x6300,
  k6_4 = 0x6400,
};

inline constexpr FeatureLevel kAllFeatureLevels[] = {
    FeatureLevel::k1_0, FeatureLevel::k2_0, FeatureLevel::k2_1, FeatureLevel::k3_0, FeatureLevel::k3_1,
    FeatureLevel::k4_0, FeatureLevel::k4_1, FeatureLevel::k5_0, FeatureLevel::k5_1, FeatureLevel::k5_2,
    FeatureLevel::k6_0, FeatureLevel::k6_1, FeatureLevel::k6_2, FeatureLevel::k6_3, FeatureLevel::k6_4,
};
inline constexpr FeatureLevel kHighestFeatureLevel = FeatureLevel::k6_4;

// The most dimensions a tensor may have, whatever the operator.
constexpr uint32_t MostDimensions(FeatureLevel level) noexcept { return level >= FeatureLevel::k3_0 ? 8 : 5; }

// Reads "2_1"; false if there is no such level.
constexpr bool ParseFeatureLevel(std::string_view text, FeatureLevel* level) noexcept {
  if (text.size() != 3 || text[1] != '_') return false;
  for (const FeatureLevel known : kAllFeatureLevels) {
    const auto number = static_cast<uint32_t>(known);
    if (text[0] == static_cast<char>('0' + (number >> 12)) &&
        text[2] == static_cast<char>('0' + (number >> 8) % 16)) {
      *level = known;
      return true;
    }
  }
  return false;
}

}  // namespace residue
