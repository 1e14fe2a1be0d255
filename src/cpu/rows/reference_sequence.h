// The reference function of sequences.
#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>

#include "core/params.h"
#include "cpu/rows/exact_number.h"
#include "cpu/rows/reference_compute.h"
#include "cpu/rows/reference_order.h"

namespace residue::reference {

// start + index * delta: integers modulo 2^n, floats exactly and then rounded once. A sum of 0 is that of
// IEEE 754: negative only if both are.
template <class T, class R>
R Sequence(T index, const SequenceParams& params) noexcept {
  const auto start = ElementOfBits<R>(params.start);
  const auto delta = ElementOfBits<R>(params.delta);
  if constexpr (std::integral<R>) {
    return static_cast<R>(static_cast<uint64_t>(start) + index * static_cast<uint64_t>(delta));
  } else {
    using F = FloatBits<R>;
    const float a = Widen(start);
    const float b = Widen(delta);
    const float about = a + static_cast<float>(index) * b;
    if (!std::isfinite(a) || !std::isfinite(b)) return Narrow<R>(about);
    ExactNumber sum(index, b);
    sum += ExactNumber(1, a);
    const ExactNumber::Digits leading = sum.Leading();
    if (leading.digits == 0) {
      const bool negative = std::signbit(a) && std::signbit(static_cast<float>(index) * b) && a == 0;
      return std::bit_cast<R>(static_cast<typename F::Bits>(negative ? F::kSign : 0));
    }
    const auto joined = F::Join(leading.digits, leading.exponent);
    return std::bit_cast<R>(static_cast<typename F::Bits>(joined | (sum.is_negative() ? F::kSign : 0)));
  }
}

}  // namespace residue::reference
