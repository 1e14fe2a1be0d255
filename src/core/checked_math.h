// Arithmetic on numbers that come from outside: every function answers false on overflow and leaves the
// result unspecified then.
#pragma once

#include <cstdint>

namespace residue {

template <class A, class B, class T>
[[nodiscard]] constexpr bool CheckedAdd(A a, B b, T* sum) noexcept {
  return !__builtin_add_overflow(a, b, sum);
}

template <class T>
[[nodiscard]] constexpr bool CheckedSubtract(T a, T b, T* difference) noexcept {
  return !__builtin_sub_overflow(a, b, difference);
}

template <class T>
[[nodiscard]] constexpr bool CheckedMultiply(T a, T b, T* product) noexcept {
  return !__builtin_mul_overflow(a, b, product);
}

// a / b rounded up, without the overflow of (a + b - 1) / b. b must not be 0.
constexpr uint64_t DivideRoundingUp(uint64_t a, uint64_t b) noexcept { return a / b + (a % b != 0 ? 1 : 0); }

}  // namespace residue
