// What an operator is told besides its tensors.
#pragma once

namespace residue {

struct Attributes {
  // x * scale + bias before the operator itself, each operation rounded to nearest; floating-point types
  // only.
  bool has_scale_bias = false;
  float scale = 1.0f;
  float bias = 0.0f;
};

inline constexpr Attributes kNoAttributes{};

}  // namespace residue
