// Fast oracles, written differently from both the rows and the reference: integers on magnitudes, floats
// by modular exponentiation on significands, many bits a step. The only floating-point instruction is FLOOR's
// final addition.
#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/data_type.h"
#include "core/half.h"
#include "core/operator_id.h"

namespace residue::oracle {

// The operators these oracles know.
inline constexpr OperatorId kOperators[] = {OperatorId::kModulusFloor, OperatorId::kModulusTruncate};

template <class T>
struct Pair {
  T floor;
  T truncate;
  T Get(OperatorId op) const { return op == OperatorId::kModulusFloor ? floor : truncate; }
};

template <std::integral T>
Pair<T> Modulus(T a, T b) {
  using U = std::make_unsigned_t<T>;
  if (b == 0) return {0, 0};
  const bool a_negative = a < 0;
  const bool b_negative = b < 0;
  const U x = a_negative ? static_cast<U>(U{0} - static_cast<U>(a)) : static_cast<U>(a);
  const U y = b_negative ? static_cast<U>(U{0} - static_cast<U>(b)) : static_cast<U>(b);
  const U r = static_cast<U>(x % y);
  const U up = r != 0 && a_negative != b_negative ? static_cast<U>(y - r) : r;
  return {static_cast<T>(b_negative ? static_cast<U>(U{0} - up) : up),
          static_cast<T>(a_negative ? static_cast<U>(U{0} - r) : r)};
}

// significand * 2^shift mod divisor, for divisor < 2^53.
inline uint64_t ShiftModulus(uint64_t significand, int shift, uint64_t divisor) {
  uint64_t r = significand % divisor;
  const int step = std::countl_zero(divisor);  // r << step does not overflow, because r < divisor
  for (; shift > step; shift -= step) r = (r << step) % divisor;
  return (r << shift) % divisor;
}

// The same for any divisor, one digit a step.
inline uint64_t ShiftModulusWide(uint64_t significand, int shift, uint64_t divisor) {
  uint64_t r = significand % divisor;
  for (; shift > 0; --shift) {
    const uint64_t rest = divisor - r;  // 2 * r itself may be beyond 64 bits
    r = r >= rest ? r - rest : r + r;
  }
  return r;
}

// value * 2^exponent, which must be exact.
inline double Scale(double value, int exponent) {
  if (exponent < -1022) return std::ldexp(value, exponent);
  return value * std::bit_cast<double>(static_cast<uint64_t>(exponent + 1023) << 52);
}

// |a| mod |b| of finite numbers, b != 0, exact. Works on doubles that hold the operands of any float type.
inline double RemainderOfMagnitudes(double a, double b, bool wide) {
  const double x = std::fabs(a);
  const double y = std::fabs(b);
  if (x < y) return x;
  const auto split = [](double v, int* exponent) {
    const uint64_t bits = std::bit_cast<uint64_t>(v);
    const int field = static_cast<int>(bits >> 52);
    const uint64_t fraction = bits & 0xFFFFFFFFFFFFFu;
    *exponent = field == 0 ? -1074 : field - 1075;
    return field == 0 ? fraction : fraction | 0x10000000000000u;
  };
  int ex;
  int ey;
  uint64_t mx = split(x, &ex);
  uint64_t my = split(y, &ey);
  const int zeros = std::countr_zero(my);  // an odd divisor is the shortest
  my >>= zeros;
  ey += zeros;
  uint64_t r;
  if (ex < ey) {  // x >= y, so only trailing zeros of y can lie above x's unit
    const int down = ey - ex;
    r = mx % (my << down);
    return Scale(static_cast<double>(r), ex);
  }
  r = wide ? ShiftModulusWide(mx, ex - ey, my) : ShiftModulus(mx, ex - ey, my);
  return Scale(static_cast<double>(r), ey);
}

template <class T>
requires(!std::integral<T>) Pair<T> Modulus(T a, T b) {
  double x;
  double y;
  T nan;
  if constexpr (std::is_same_v<T, Float16>) {
    x = static_cast<double>(HalfToFloat(a));
    y = static_cast<double>(HalfToFloat(b));
    nan = kHalfNan;
  } else {
    x = static_cast<double>(a);
    y = static_cast<double>(b);
    nan = std::numeric_limits<T>::quiet_NaN();
  }
  if (std::isnan(x) || std::isnan(y) || std::isinf(x) || y == 0) return {nan, nan};
  const double r = std::isinf(y) ? std::fabs(x) : RemainderOfMagnitudes(x, y, sizeof(T) == 8);
  const double truncated = std::copysign(r, x);
  const bool fix = r != 0 && std::signbit(x) != std::signbit(y);
  if constexpr (std::is_same_v<T, Float16>) {
    // A half spans 2^-24 to 2^16: the sum is exact in double, and rounded once.
    const double floored = fix ? truncated + y : std::copysign(r, y);
    return {DoubleToHalf(floored), DoubleToHalf(truncated)};
  } else {
    const T t = static_cast<T>(truncated);  // exact: a remainder of T's is a T
    const T floored = fix ? static_cast<T>(t + b) : static_cast<T>(std::copysign(r, y));
    return {floored, t};
  }
}

}  // namespace residue::oracle
