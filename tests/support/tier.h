// How much a test run should do, and the seed it starts from. Both come from the environment, so that one
// binary serves the commit gate, the merge gate and the night:
//   RESIDUE_TIER=quick|full|nightly   (default quick)
//   RESIDUE_SEED=<number>             (default 1; printed with every failure)
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace residue::testing {

enum class Tier { kQuick, kFull, kNightly };

inline Tier CurrentTier() {
  const char* text = std::getenv("RESIDUE_TIER");
  const std::string_view name = text == nullptr ? "quick" : text;
  if (name == "nightly") return Tier::kNightly;
  return name == "full" ? Tier::kFull : Tier::kQuick;
}

inline uint64_t ByTier(uint64_t quick, uint64_t full, uint64_t nightly) {
  switch (CurrentTier()) {
    case Tier::kQuick:
      return quick;
    case Tier::kFull:
      return full;
    case Tier::kNightly:
      return nightly;
  }
  return quick;
}

inline uint64_t Seed() {
  const char* text = std::getenv("RESIDUE_SEED");
  return text == nullptr ? 1 : std::strtoull(text, nullptr, 0);
}

}  // namespace residue::testing
