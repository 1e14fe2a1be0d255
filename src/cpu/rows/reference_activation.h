// Reference functions of activations, and of elements that are chosen.
#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstdint>

#include "core/params.h"
#include "cpu/rows/reference_arithmetic.h"
#include "cpu/rows/reference_cast.h"
#include "cpu/rows/reference_order.h"

namespace residue::reference {

template <class T>
T LeakyRelu(T x, const AlphaParams& params) noexcept {
  using F = decltype(Widen(x));
  return Widen(x) >= 0 ? x : Narrow<T>(static_cast<F>(params.alpha) * Widen(x));
}

template <class T>
T ThresholdedRelu(T x, const AlphaParams& params) noexcept {
  using F = decltype(Widen(x));
  return Widen(x) > static_cast<F>(params.alpha) ? x : T{};
}

template <class T>
T ParameterizedRelu(T x, T slope) noexcept {
  return Widen(x) >= 0 ? x : Multiply(slope, x);
}

template <class T>
T HardSwish(T x, const AlphaBetaParams& params) noexcept {
  using F = decltype(Widen(x));
  const F product = static_cast<F>(params.alpha) * Widen(x);
  const F line = product + static_cast<F>(params.beta);
  return Narrow<T>(Widen(x) * Max(F(0), Min(line, F(1))));
}

// x - amount as real numbers, truncated, for an integer of at most 32 bits.
inline int64_t SubtractReal(int64_t x, float amount) noexcept {
  using F = FloatBits<float>;
  const Magnitude split = F::Split(F::MagnitudeBits(amount));
  const int sign = F::SignOf(amount) != 0 ? -1 : 1;
  const int64_t significand = static_cast<int64_t>(split.significand) * sign;
  // From 2^38 on, all is far outside.
  if (split.exponent >= 0) return x - significand * (int64_t{1} << std::min(split.exponent, 38));
  const int places = -split.exponent;
  if (places < 24) return (x * (int64_t{1} << places) - significand) / (int64_t{1} << places);
  // Less than 1: it matters only if it brings x nearer to 0.
  if (significand == 0 || x == 0 || (x > 0) != (sign > 0)) return x;
  return x - sign;
}

template <class T>
T Shrink(T x, const ShrinkParams& params) noexcept {
  if constexpr (std::integral<T>) {
    const auto number = static_cast<double>(x);
    const auto threshold = static_cast<double>(params.threshold);
    const bool above = number > threshold;
    if (!above && !(number < -threshold)) return 0;
    const float amount = above ? params.bias : -params.bias;
    if (std::isnan(amount)) return 0;
    if (std::isinf(amount)) return amount > 0 ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
    return Saturate<T>(SubtractReal(static_cast<int64_t>(x), amount));
  } else {
    using F = decltype(Widen(x));
    const auto bias = static_cast<F>(params.bias);
    const auto threshold = static_cast<F>(params.threshold);
    if (Widen(x) > threshold) return Narrow<T>(Widen(x) - bias);
    if (Widen(x) < -threshold) return Narrow<T>(Widen(x) + bias);
    return T{};
  }
}

template <class T>
T ReluGrad(T x, T gradient) noexcept {
  return Widen(x) > 0 ? gradient : T{};
}

template <class T>
T ClipGrad(T x, T gradient, const BoundsParams& params) noexcept {
  const auto least = Widen(ElementOfBits<T>(params.min));
  const auto most = Widen(ElementOfBits<T>(params.max));
  return Widen(x) <= least || Widen(x) >= most ? T{} : gradient;
}

template <class T, class R>
R If(T condition, R a, R b) noexcept {
  return condition != 0 ? a : b;
}

}  // namespace residue::reference
