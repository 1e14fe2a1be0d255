// What an operator is told besides its tensors: a plain value of at most 32 bytes, whose meaning is the
// operator's.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
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

}  // namespace residue
