// Numbers of 320 bits, and arithmetic on them: what reference functions compute in where float64 has too few
// digits. Integer instructions only, so nothing depends on a processor or on its environment.
//
// Every operation gives the exact result, cut off after 320 bits; if one was lost, the last one is set.
// So a result is off by less than one unit of its last digit, and what was exact and what was not stays
// visible: a number just beside a tie of a shorter type is never taken for the tie.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace residue {

class Real {
 public:
  static constexpr size_t kLimbs = 5;
  static constexpr int kDigits = 64 * static_cast<int>(kLimbs);
  // Exponents stay in between, so that sums of them cannot overflow: what is larger is infinite, what is
  // smaller has the smallest exponent, which is never mistaken for 0.
  static constexpr int64_t kLargestExponent = int64_t{1} << 40;

  constexpr Real() noexcept = default;  // +0
  explicit Real(double value) noexcept;
  // digits * 2^exponent
  Real(uint64_t digits, int64_t exponent) noexcept;

  static Real Infinity(bool negative) noexcept;
  static Real Nan() noexcept;

  bool is_nan() const noexcept { return kind_ == Kind::kNan; }
  bool is_infinite() const noexcept { return kind_ == Kind::kInfinite; }
  bool is_zero() const noexcept { return kind_ == Kind::kZero; }
  bool is_finite() const noexcept { return kind_ == Kind::kZero || kind_ == Kind::kFinite; }
  bool is_negative() const noexcept { return negative_; }  // of zeros and infinities too
  // A finite number that is not 0 is d * 2^exponent with 1 <= |d| < 2.
  int64_t exponent() const noexcept { return exponent_; }

  // Of a finite number that is not 0: the power of two of its last digit that is not 0.
  int64_t LastExponent() const noexcept;

  // The leading 62 digits as an integer, the last of which stands for all that follow, and its power of two.
  struct Leading {
    uint64_t digits;
    int64_t exponent;
  };
  Leading GetLeading() const noexcept;

  // Of a finite number below 2^127 in magnitude: the nearest integer, and that integer modulo 4.
  Real Nearest(uint32_t& last_two_digits) const noexcept;

  Real operator-() const noexcept;
  Real Times2ToThe(int64_t power) const noexcept;

  // As IEEE 754 has them for zeros, infinities and NaN.
  friend Real operator+(const Real& a, const Real& b) noexcept;
  friend Real operator-(const Real& a, const Real& b) noexcept { return a + -b; }
  friend Real operator*(const Real& a, const Real& b) noexcept;
  friend Real operator/(const Real& a, const Real& b) noexcept;
  Real DividedBy(uint32_t divisor) const noexcept;
  // Off by at most two units of the last digit.
  friend Real Sqrt(const Real& a) noexcept;

  // False if one is NaN.
  friend bool operator<(const Real& a, const Real& b) noexcept;
  friend bool operator>(const Real& a, const Real& b) noexcept { return b < a; }

 private:
  enum class Kind : uint8_t { kZero, kFinite, kInfinite, kNan };
  using Limbs = std::array<uint64_t, kLimbs>;  // the least comes first; the highest digit is set

  static Real Zero(bool negative) noexcept;
  // From more limbs than a number has, the least first.
  template <size_t kCount>
  static Real Normalized(bool negative, int64_t exponent_of_top, std::array<uint64_t, kCount> limbs,
                         bool more) noexcept;

  Kind kind_ = Kind::kZero;
  bool negative_ = false;
  int64_t exponent_ = 0;
  Limbs limbs_{};
};

// The largest integer whose square is at most x.
constexpr uint64_t IntegerRoot(uint64_t x) noexcept {
  uint64_t root = 0;
  for (uint64_t bit = uint64_t{1} << 31; bit != 0; bit >>= 1) {
    if ((root | bit) * (root | bit) <= x) root |= bit;
  }
  return root;
}

inline Real Abs(const Real& a) noexcept { return a.is_negative() ? -a : a; }

}  // namespace residue
