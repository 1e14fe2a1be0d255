#include "real/real.h"

#include <algorithm>
#include <bit>

namespace residue {
namespace {

struct Wide {
  uint64_t low;
  uint64_t high;
};

Wide Multiply(uint64_t a, uint64_t b) noexcept {
#ifdef __SIZEOF_INT128__
  __extension__ using Product = unsigned __int128;
  const Product product = static_cast<Product>(a) * b;
  return {static_cast<uint64_t>(product), static_cast<uint64_t>(product >> 64)};
#else
  const uint64_t a0 = a & UINT32_MAX;
  const uint64_t a1 = a >> 32;
  const uint64_t b0 = b & UINT32_MAX;
  const uint64_t b1 = b >> 32;
  const uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
  const uint64_t other = a0 * b1 + (middle & UINT32_MAX);
  return {a * b, a1 * b1 + (middle >> 32) + (other >> 32)};
#endif
}

// a += b + carry; returns the next carry.
uint64_t AddTo(uint64_t& a, uint64_t b, uint64_t carry) noexcept {
  const uint64_t sum = a + b;
  const uint64_t all = sum + carry;
  const uint64_t out = (sum < b ? 1u : 0u) + (all < carry ? 1u : 0u);
  a = all;
  return out;
}
// a -= b + borrow; returns the next borrow.
uint64_t TakeFrom(uint64_t& a, uint64_t b, uint64_t borrow) noexcept {
  const uint64_t difference = a - b;
  const uint64_t out = (a < b ? 1u : 0u) + (difference < borrow ? 1u : 0u);
  a = difference - borrow;
  return out;
}

template <size_t kCount>
void ShiftLeft(std::array<uint64_t, kCount>& limbs, uint32_t places) noexcept {
  const size_t whole = places / 64;
  const uint32_t part = places % 64;
  for (size_t i = kCount; i-- > 0;) {
    const uint64_t high = i >= whole ? limbs[i - whole] : 0;
    const uint64_t low = i > whole ? limbs[i - whole - 1] : 0;
    limbs[i] = part == 0 ? high : high << part | low >> (64 - part);
  }
}

// Returns whether a digit was lost.
template <size_t kCount>
bool ShiftRight(std::array<uint64_t, kCount>& limbs, uint32_t places) noexcept {
  const size_t whole = places / 64;
  const uint32_t part = places % 64;
  uint64_t lost = 0;
  for (size_t i = 0; i < whole; ++i) lost |= limbs[i];
  if (part != 0) lost |= limbs[whole] << (64 - part);
  for (size_t i = 0; i < kCount; ++i) {
    const uint64_t low = i + whole < kCount ? limbs[i + whole] : 0;
    const uint64_t high = i + whole + 1 < kCount ? limbs[i + whole + 1] : 0;
    limbs[i] = part == 0 ? low : low >> part | high << (64 - part);
  }
  return lost != 0;
}

template <size_t kCount>
bool IsLess(const std::array<uint64_t, kCount>& a, const std::array<uint64_t, kCount>& b) noexcept {
  return std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(), b.rend());
}

template <size_t kCount>
void Take(std::array<uint64_t, kCount>& a, const std::array<uint64_t, kCount>& b) noexcept {
  uint64_t borrow = 0;
  for (size_t i = 0; i < kCount; ++i) borrow = TakeFrom(a[i], b[i], borrow);
}

// Long division of a * 2^352 by b in digits of 32 bits; returns whether a rest is left. A digit is estimated
// from the two highest of the rest and the highest of b, whose first bit is set, so that it is too large by
// two at most (Knuth, The Art of Computer Programming, 4.3.1, algorithm D).
bool Divide(const std::array<uint64_t, 5>& a, const std::array<uint64_t, 5>& b,
            std::array<uint64_t, 6>& quotient) noexcept {
  constexpr size_t kDivisorDigits = 10;
  constexpr size_t kQuotientDigits = 12;
  constexpr uint64_t kBase = uint64_t{1} << 32;
  std::array<uint32_t, kDivisorDigits> divisor{};
  std::array<uint32_t, kDivisorDigits + kQuotientDigits> rest{};
  for (size_t i = 0; i < kDivisorDigits; ++i) {
    divisor[i] = static_cast<uint32_t>(b[i / 2] >> (32 * (i % 2)));
    rest[i + kQuotientDigits - 1] = static_cast<uint32_t>(a[i / 2] >> (32 * (i % 2)));
  }
  for (size_t j = kQuotientDigits; j-- > 0;) {
    const uint64_t high = uint64_t{rest[j + kDivisorDigits]} << 32 | rest[j + kDivisorDigits - 1];
    uint64_t digit = std::min(high / divisor.back(), kBase - 1);
    // rest -= digit * divisor
    uint64_t carry = 0;
    uint64_t borrow = 0;
    for (size_t i = 0; i <= kDivisorDigits; ++i) {
      carry += i < kDivisorDigits ? digit * divisor[i] : 0;
      const uint64_t difference = uint64_t{rest[i + j]} - (carry & UINT32_MAX) - borrow;
      rest[i + j] = static_cast<uint32_t>(difference);
      borrow = difference >> 63;
      carry >>= 32;
    }
    while (borrow != 0) {  // at most twice
      --digit;
      uint64_t sum = 0;
      for (size_t i = 0; i <= kDivisorDigits; ++i) {
        sum += uint64_t{rest[i + j]} + (i < kDivisorDigits ? divisor[i] : 0);
        rest[i + j] = static_cast<uint32_t>(sum);
        sum >>= 32;
      }
      borrow -= sum;
    }
    quotient[j / 2] |= digit << (32 * (j % 2));
  }
  return std::any_of(rest.begin(), rest.end(), [](uint32_t digit) { return digit != 0; });
}

}  // namespace

Real Real::Zero(bool negative) noexcept {
  Real zero;
  zero.negative_ = negative;
  return zero;
}

Real Real::Infinity(bool negative) noexcept {
  Real infinity;
  infinity.kind_ = Kind::kInfinite;
  infinity.negative_ = negative;
  return infinity;
}

Real Real::Nan() noexcept {
  Real nan;
  nan.kind_ = Kind::kNan;
  return nan;
}

template <size_t kCount>
Real Real::Normalized(bool negative, int64_t exponent_of_top, std::array<uint64_t, kCount> limbs,
                      bool more) noexcept {
  size_t top = kCount;
  while (top > 0 && limbs[top - 1] == 0) --top;
  if (top == 0) return Zero(negative);
  const auto places =
      static_cast<uint32_t>(64 * (kCount - top)) + static_cast<uint32_t>(std::countl_zero(limbs[top - 1]));
  ShiftLeft(limbs, places);
  Real result;
  result.kind_ = Kind::kFinite;
  result.negative_ = negative;
  result.exponent_ = exponent_of_top - static_cast<int64_t>(places);
  for (size_t i = 0; i < kCount; ++i) {
    if (i + kLimbs < kCount) {
      more = more || limbs[i] != 0;
    } else {
      result.limbs_[i + kLimbs - kCount] = limbs[i];
    }
  }
  if (more) result.limbs_[0] |= 1;
  if (result.exponent_ > kLargestExponent) return Infinity(negative);
  result.exponent_ = std::max(result.exponent_, -kLargestExponent);
  return result;
}

Real::Real(uint64_t digits, int64_t exponent) noexcept {
  std::array<uint64_t, kLimbs> limbs{};
  limbs[kLimbs - 1] = digits;
  *this = Normalized(false, exponent + 63, limbs, false);
}

Real::Real(double value) noexcept {
  const auto bits = std::bit_cast<uint64_t>(value);
  const bool negative = (bits >> 63) != 0;
  const auto field = static_cast<int64_t>(bits >> 52 & 0x7FF);
  const uint64_t fraction = bits & 0xFFFFFFFFFFFFF;
  if (field == 0x7FF) {
    *this = fraction != 0 ? Nan() : Infinity(negative);
    return;
  }
  *this = field == 0 ? Real(fraction, -1074) : Real(fraction | uint64_t{1} << 52, field - 1075);
  negative_ = negative;
}

Real::Leading Real::GetLeading() const noexcept {
  if (kind_ != Kind::kFinite) return {0, 0};
  const uint64_t top = limbs_[kLimbs - 1];
  uint64_t rest = top & 7;
  for (size_t i = 0; i + 1 < kLimbs; ++i) rest |= limbs_[i];
  return {top >> 3 << 1 | (rest != 0 ? 1 : 0), exponent_ - 61};
}

int64_t Real::LastExponent() const noexcept {
  size_t i = 0;
  while (i + 1 < kLimbs && limbs_[i] == 0) ++i;
  return exponent_ - (kDigits - 1) + static_cast<int64_t>(64 * i) + std::countr_zero(limbs_[i]);
}

Real Real::Nearest(uint32_t& last_two_digits) const noexcept {
  last_two_digits = 0;
  if (kind_ != Kind::kFinite || exponent_ < -1) return Zero(negative_);
  Real half(1, -1);
  half.negative_ = negative_;
  Real sum = *this + half;
  // Digits of the fraction are cleared.
  const auto kept = static_cast<uint32_t>(sum.exponent_ + 1);
  for (uint32_t digit = 0; digit < static_cast<uint32_t>(kDigits) - kept; ++digit) {
    sum.limbs_[digit / 64] &= ~(uint64_t{1} << (digit % 64));
  }
  for (uint32_t power = 0; power < 2 && power < kept; ++power) {
    const uint32_t digit = static_cast<uint32_t>(kDigits) - kept + power;
    last_two_digits |= static_cast<uint32_t>(sum.limbs_[digit / 64] >> (digit % 64) & 1) << power;
  }
  if (negative_) last_two_digits = (4 - last_two_digits) & 3;
  return kept == 0 ? Zero(negative_) : sum;
}

Real Real::operator-() const noexcept {
  Real result = *this;
  result.negative_ = !negative_;
  return result;
}

Real Real::Times2ToThe(int64_t power) const noexcept {
  Real result = *this;
  if (kind_ != Kind::kFinite) return result;
  result.exponent_ = std::max(exponent_ + power, -kLargestExponent);
  return result.exponent_ > kLargestExponent ? Infinity(negative_) : result;
}

// With one limb more, of which a digit that is lost below is too small to reach the result.
Real operator+(const Real& a, const Real& b) noexcept {
  using Kind = Real::Kind;
  if (a.is_nan() || b.is_nan()) return Real::Nan();
  if (a.is_infinite()) return b.is_infinite() && a.negative_ != b.negative_ ? Real::Nan() : a;
  if (b.is_infinite()) return b;
  if (a.kind_ == Kind::kZero && b.kind_ == Kind::kZero) return Real::Zero(a.negative_ && b.negative_);
  if (a.kind_ == Kind::kZero) return b;
  if (b.kind_ == Kind::kZero) return a;
  const bool a_is_larger =
      a.exponent_ != b.exponent_ ? a.exponent_ > b.exponent_ : !IsLess(a.limbs_, b.limbs_);
  const Real& large = a_is_larger ? a : b;
  const Real& small = a_is_larger ? b : a;
  constexpr size_t kCount = Real::kLimbs + 2;  // one below, one above
  std::array<uint64_t, kCount> sum{};
  std::array<uint64_t, kCount> other{};
  std::copy(large.limbs_.begin(), large.limbs_.end(), sum.begin() + 1);
  std::copy(small.limbs_.begin(), small.limbs_.end(), other.begin() + 1);
  const int64_t distance = large.exponent_ - small.exponent_;
  constexpr int64_t kFar = 64 * (Real::kLimbs + 1);
  if (distance >= kFar) {
    other = {1};
  } else if (ShiftRight(other, static_cast<uint32_t>(distance))) {
    other[0] |= 1;
  }
  if (large.negative_ == small.negative_) {
    uint64_t carry = 0;
    for (size_t i = 0; i < kCount; ++i) carry = AddTo(sum[i], other[i], carry);
  } else {
    Take(sum, other);
  }
  const Real result = Real::Normalized(large.negative_, large.exponent_ + 64, sum, false);
  return result.is_zero() ? Real::Zero(false) : result;
}

Real operator*(const Real& a, const Real& b) noexcept {
  using Kind = Real::Kind;
  const bool negative = a.negative_ != b.negative_;
  if (a.is_nan() || b.is_nan()) return Real::Nan();
  if (a.is_infinite() || b.is_infinite()) {
    return a.is_zero() || b.is_zero() ? Real::Nan() : Real::Infinity(negative);
  }
  if (a.kind_ == Kind::kZero || b.kind_ == Kind::kZero) return Real::Zero(negative);
  std::array<uint64_t, 2 * Real::kLimbs> product{};
  for (size_t i = 0; i < Real::kLimbs; ++i) {
    if (a.limbs_[i] == 0) continue;
    uint64_t high = 0;
    for (size_t j = 0; j < Real::kLimbs; ++j) {
      const Wide wide = Multiply(a.limbs_[i], b.limbs_[j]);
      const uint64_t carry = AddTo(product[i + j], wide.low, 0) + AddTo(product[i + j], high, 0);
      high = wide.high + carry;  // cannot overflow: the whole is below 2^128
    }
    product[i + Real::kLimbs] = high;
  }
  return Real::Normalized(negative, a.exponent_ + b.exponent_ + 1, product, false);
}

Real operator/(const Real& a, const Real& b) noexcept {
  using Kind = Real::Kind;
  const bool negative = a.negative_ != b.negative_;
  if (a.is_nan() || b.is_nan() || (a.is_infinite() && b.is_infinite()) || (a.is_zero() && b.is_zero())) {
    return Real::Nan();
  }
  if (a.is_infinite() || b.is_zero()) return Real::Infinity(negative);
  if (a.kind_ == Kind::kZero || b.is_infinite()) return Real::Zero(negative);
  std::array<uint64_t, Real::kLimbs + 1> quotient{};
  const bool more = Divide(a.limbs_, b.limbs_, quotient);
  // The quotient is that of a * 2^352 and b, so digit 352 of 384 is the one of a quotient of 1.
  return Real::Normalized(negative, a.exponent_ - b.exponent_ + 31, quotient, more);
}

Real Real::DividedBy(uint32_t divisor) const noexcept {
  if (kind_ != Kind::kFinite) return *this;
  std::array<uint64_t, kLimbs + 1> quotient{};
  uint64_t rest = 0;
  for (size_t i = kLimbs + 1; i-- > 0;) {
    const uint64_t limb = i > 0 ? limbs_[i - 1] : 0;
    const uint64_t upper = rest << 32 | limb >> 32;
    const uint64_t lower = (upper % divisor) << 32 | (limb & UINT32_MAX);
    quotient[i] = (upper / divisor) << 32 | lower / divisor;
    rest = lower % divisor;
  }
  return Normalized(negative_, exponent_, quotient, rest != 0);
}

// By Newton's method, r = (r + a / r) / 2, which doubles the number of digits that are right. The first 31
// are those of the root of an integer.
Real Sqrt(const Real& a) noexcept {
  if (a.is_nan() || a.is_zero()) return a;
  if (a.negative_) return Real::Nan();
  if (a.is_infinite()) return a;
  const int64_t even = a.exponent_ & ~int64_t{1};
  const Real scaled = a.Times2ToThe(62 - even);  // in [2^62, 2^64)
  const uint64_t radicand = scaled.limbs_.back() >> (63 - scaled.exponent_);
  Real root(IntegerRoot(radicand), 0);
  for (int i = 0; i < 4; ++i) root = (root + scaled / root).Times2ToThe(-1);
  return root.Times2ToThe((even - 62) / 2);
}

bool operator<(const Real& a, const Real& b) noexcept {
  if (a.is_nan() || b.is_nan()) return false;
  const Real difference = a - b;          // the sign is never lost
  if (difference.is_nan()) return false;  // equal infinities
  return !difference.is_zero() && difference.negative_;
}

}  // namespace residue
