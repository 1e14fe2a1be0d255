// Reference functions of arithmetic: integers modulo 2^n, floats rounded to nearest after every operation.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>

#include "core/params.h"
#include "cpu/rows/exact_number.h"
#include "cpu/rows/reference_compute.h"

namespace residue::reference {

// One operation on two elements, which is given as a function of any numbers.
template <class T, class Operation>
T Compute(T a, T b, Operation operation) noexcept {
  if constexpr (std::integral<T>) {
    return static_cast<T>(operation(static_cast<uint64_t>(a), static_cast<uint64_t>(b)));
  } else {
    return Narrow<T>(operation(Widen(a), Widen(b)));
  }
}
inline constexpr auto kAdd = [](auto a, auto b) { return a + b; };
inline constexpr auto kSubtract = [](auto a, auto b) { return a - b; };
inline constexpr auto kMultiply = [](auto a, auto b) { return a * b; };
inline constexpr auto kDifferenceSquare = [](auto a, auto b) {
  const auto difference = a - b;
  return difference * difference;
};

template <class T>
T Add(T a, T b) noexcept {
  return Compute(a, b, kAdd);
}
template <class T>
T Subtract(T a, T b) noexcept {
  return Compute(a, b, kSubtract);
}
template <class T>
T Multiply(T a, T b) noexcept {
  return Compute(a, b, kMultiply);
}
template <class T>
T DifferenceSquare(T a, T b) noexcept {
  return Compute(a, b, kDifferenceSquare);
}

// Integers: truncated; 0 for a divisor of 0, and MIN / -1 is MIN, whose division would trap.
template <class T>
T Divide(T a, T b) noexcept {
  if constexpr (std::integral<T>) {
    if (b == 0) return 0;
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return static_cast<T>(uint64_t{0} - static_cast<uint64_t>(a));
    }
    return static_cast<T>(a / b);
  } else {
    return Narrow<T>(Widen(a) / Widen(b));
  }
}

// Integers: half the exact sum, truncated.
template <class T>
T Mean(T a, T b) noexcept {
  if constexpr (std::integral<T>) {
    // a + b = 2 * whole + odd, and odd is -1, 0 or 1: it counts if it brings the half nearer to 0.
    const auto rest = static_cast<T>(a % 2 + b % 2);
    const auto whole = static_cast<T>(a / 2 + b / 2 + rest / 2);
    const auto odd = static_cast<T>(rest % 2);
    if (odd == 0 || whole == 0 || (whole > 0) == (odd > 0)) return whole;
    return static_cast<T>(whole + odd);
  } else {
    return Narrow<T>((Widen(a) + Widen(b)) / 2);
  }
}

// x * scale + bias. Floats in T (float32 for halves), each operation rounded to nearest; integers exactly,
// truncated, modulo 2^n, for finite params.
template <class T>
T ScaleBias(T a, const ScaleBiasParams& params) noexcept {
  if constexpr (std::integral<T>) {
    return ExactScaleBias(a, params.scale, params.bias);
  } else {
    using F = decltype(Widen(a));
    const F product = Widen(a) * static_cast<F>(params.scale);
    return Narrow<T>(product + static_cast<F>(params.bias));
  }
}

template <class T>
T Recip(T x) noexcept {
  return Narrow<T>(1 / Widen(x));
}
template <class T>
T Sqrt(T x) noexcept {
  return Narrow<T>(std::sqrt(Widen(x)));
}

// Modulo 2^n. 1 and -1 have reciprocals; of other integers they are truncated to 0, and that of 0 is 0.
template <class T>
T IntegerPow(T base, T exponent) noexcept {
  if (exponent < 0) {
    const bool is_odd = exponent % 2 != 0;
    if (base == 1 || (base == static_cast<T>(-1) && !is_odd)) return 1;
    return base == static_cast<T>(-1) ? base : T{0};
  }
  uint64_t power = 1;
  uint64_t square = static_cast<uint64_t>(base);
  for (uint64_t left = static_cast<uint64_t>(exponent); left != 0; left /= 2) {
    if (left % 2 != 0) power *= square;
    square *= square;
  }
  return static_cast<T>(power);
}

}  // namespace residue::reference
