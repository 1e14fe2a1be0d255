// What an operator is told besides its tensors: a plain value of at most 32 bytes, whose meaning is the
// operator's.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace residue {

inline constexpr size_t kMostParamsBytes = 32;

struct Params {
  alignas(8) std::byte bytes[kMostParamsBytes] = {};

  template <class P>
  static constexpr Params Of([[maybe_unused]] const P& value) noexcept {
    static_assert(std::is_trivially_copyable_v<P> && sizeof(P) <= kMostParamsBytes);
    Params params;
    if constexpr (!std::is_empty_v<P>) {
      const auto bytes = std::bit_cast<std::array<std::byte, sizeof(P)>>(value);
      std::copy(bytes.begin(), bytes.end(), params.bytes);
    }
    return params;
  }
};

template <class P>
P ReadParams(const void* from) noexcept {
  P value;
  std::memcpy(static_cast<void*>(&value), from, sizeof(P));
  return value;
}

struct NoParams {};

// x * scale + bias, each operation rounded to nearest.
struct ScaleBiasParams {
  float scale = 1.0f;
  float bias = 0.0f;
};

// Elements of any type as bits, the first bytes of each. A bound that is NaN is none.
struct BoundsParams {
  uint64_t min = 0;
  uint64_t max = 0;
};

// Elements of the results' type, as bits.
struct SequenceParams {
  uint64_t start = 0;
  uint64_t delta = 1;
};

struct RoundParams {
  static constexpr uint32_t kHalvesToEven = 0;
  static constexpr uint32_t kTowardZero = 1;
  static constexpr uint32_t kHalvesAwayFromZero = 2;
  uint32_t mode = kHalvesToEven;
};

struct InfinityParams {
  static constexpr uint32_t kEither = 0;
  static constexpr uint32_t kPositive = 1;
  static constexpr uint32_t kNegative = 2;
  uint32_t mode = kEither;
};

struct AlphaParams {
  float alpha = 1.0f;
};

// The slope below 0.
struct LeakyReluParams : AlphaParams {
  constexpr LeakyReluParams() : AlphaParams{0.01f} {}
};

// alpha * x + beta
struct AlphaBetaParams {
  float alpha = 1.0f / 6.0f;
  float beta = 0.5f;
};

// alpha * f(beta * x)
struct ScaledParams {
  float alpha = 1.0f;
  float beta = 1.0f;
};

struct AlphaGammaParams {
  float alpha = 1.67326319217681884765625f;
  float gamma = 1.05070102214813232421875f;
};

struct SteepnessParams {
  float steepness = 1.0f;
};

struct ShrinkParams {
  float bias = 0.0f;
  float threshold = 0.5f;
};

}  // namespace residue
