#include "exact_quotient.h"

#include <fmt/format.h>

#include <cstdint>
#include <vector>

#include "core/data_type.h"
#include "cpu/rows/reference_float.h"

namespace residue::tool {
namespace {

// A natural number, lowest 64 bits first.
class Natural {
 public:
  Natural(uint64_t value, uint32_t shift) : limbs_(shift / 64, 0) {
    const auto wide = static_cast<unsigned __int128>(value) << shift % 64;
    limbs_.push_back(static_cast<uint64_t>(wide));
    limbs_.push_back(static_cast<uint64_t>(wide >> 64));
  }

  // Returns the remainder.
  uint64_t DivideBy(uint64_t divisor) {
    uint64_t remainder = 0;
    for (size_t i = limbs_.size(); i-- > 0;) {
      const auto part = static_cast<unsigned __int128>(remainder) << 64 | limbs_[i];
      limbs_[i] = static_cast<uint64_t>(part / divisor);
      remainder = static_cast<uint64_t>(part % divisor);
    }
    while (limbs_.size() > 1 && limbs_.back() == 0) limbs_.pop_back();
    return remainder;
  }

  void Increment() {
    for (uint64_t& limb : limbs_) {
      if (++limb != 0) return;
    }
    limbs_.push_back(1);
  }

  bool IsZero() const { return limbs_.size() == 1 && limbs_[0] == 0; }

  // Uses the number up.
  std::string ToDecimal() {
    constexpr uint64_t kBillions = 1'000'000'000'000'000'000;
    std::string text;
    do {
      const uint64_t digits = DivideBy(kBillions);
      text = IsZero() ? fmt::format("{}{}", digits, text) : fmt::format("{:018}{}", digits, text);
    } while (!IsZero());
    return text;
  }

 private:
  std::vector<uint64_t> limbs_;
};

// |x| = significand * 2^exponent
struct Parts {
  uint64_t significand;
  int exponent;
  bool negative;
};

template <class T>
Parts Split(T x) {
  if constexpr (std::integral<T>) {
    const bool negative = x < 0;
    const auto wide = static_cast<__int128>(x);  // NOLINT(bugprone-signed-char-misuse): a number
    return {static_cast<uint64_t>(negative ? -wide : wide), 0, negative};
  } else {
    using F = reference::FloatBits<T>;
    const reference::Magnitude magnitude = F::Split(F::MagnitudeBits(x));
    return {magnitude.significand, magnitude.exponent, F::SignOf(x) != 0};
  }
}

}  // namespace

template <class T>
std::string QuotientText(OperatorId op, T a, T b) {
  if constexpr (!std::integral<T>) {
    using F = reference::FloatBits<T>;
    if (F::MagnitudeBits(a) >= F::kInfinity || F::MagnitudeBits(b) > F::kInfinity) return "none";
    if (F::MagnitudeBits(b) == F::kInfinity) {
      const bool below_zero = F::MagnitudeBits(a) != 0 && F::SignOf(a) != F::SignOf(b);
      return op == OperatorId::kModulusFloor && below_zero ? "-1" : "0";
    }
  }
  const Parts x = Split(a);
  const Parts y = Split(b);
  if (y.significand == 0) return "none";
  const int shift = x.exponent - y.exponent;
  Natural quotient(x.significand, shift > 0 ? static_cast<uint32_t>(shift) : 0);
  bool is_exact = quotient.DivideBy(y.significand) == 0;
  // A smaller exponent of a divides once more, by a power of two.
  for (int left = shift; left < 0 && !quotient.IsZero(); left += 32)
    is_exact &= quotient.DivideBy(uint64_t{1} << (left <= -32 ? 32 : -left)) == 0;
  const bool negative = x.negative != y.negative;
  if (op == OperatorId::kModulusFloor && negative && !is_exact) quotient.Increment();
  const std::string digits = quotient.ToDecimal();
  return negative && digits != "0" ? "-" + digits : digits;
}

#define RESIDUE_TYPE(Name, C_NAME, value, Cpp, text) \
  template std::string QuotientText<Cpp>(OperatorId, Cpp, Cpp);
#include "core/types.def"

}  // namespace residue::tool
