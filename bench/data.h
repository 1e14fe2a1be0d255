// The numbers that the benchmarks run on: the same in every run and for every peer.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <span>
#include <type_traits>

#include "core/data_type.h"
#include "core/half.h"

namespace residue::bench {

enum class DataSet {
  kTypical,
  kSmallQuotients,
  kRandomBits,
  kHugeQuotients,
  kAllQuotients,
  kBorderBelow,
  kBorderAbove,
  kTinyDivisors,
  kTinyDividends,
  kSubnormals,
  kLargestDivisors,
  kZeroDivisors
};

struct NamedDataSet {
  DataSet set;
  const char* name;
};
inline constexpr NamedDataSet kDataSets[] = {
    {DataSet::kTypical, "typical"},       // quotients up to a thousand
    {DataSet::kSmallQuotients, "small"},  // quotients up to four
    {DataSet::kRandomBits, "wide"},       // random bit patterns: every exponent, some NaN and infinity
    {DataSet::kHugeQuotients, "huge"},    // the largest dividends by the smallest normal divisors
    {DataSet::kAllQuotients, "all"},      // as many quotients of one size as of another, any exponents
    {DataSet::kBorderBelow,
     "below"},  // the largest dividends by the two largest binades of subnormal divisors
    {DataSet::kBorderAbove, "above"},     // dividends up to a thousand times the smallest normal divisors
    {DataSet::kTinyDivisors, "tiny_b"},   // the largest dividends by subnormal divisors of any size
    {DataSet::kTinyDividends, "tiny_a"},  // subnormal dividends by typical divisors
    {DataSet::kSubnormals, "subnormal"},  // both operands
    {DataSet::kLargestDivisors,
     "top"},  // any dividends by the largest divisors, whose reciprocals are subnormal
    {DataSet::kZeroDivisors, "zeros"},
};

constexpr bool IsFloat(DataType type) noexcept {
  return type == DataType::kFloat16 || type == DataType::kFloat32 || type == DataType::kFloat64;
}

// Integers know no exponents.
constexpr bool HasDataSet(DataType type, DataSet set) noexcept {
  return IsFloat(type) || set == DataSet::kTypical || set == DataSet::kSmallQuotients ||
         set == DataSet::kZeroDivisors;
}

// Exponents of the smallest subnormal and of the largest number.
template <class T>
inline constexpr int kLowestExponent = std::is_same_v<T, double>  ? -1074
                                       : std::is_same_v<T, float> ? -149
                                                                  : -24;
template <class T>
inline constexpr int kHighestExponent = std::is_same_v<T, double>  ? 1023
                                        : std::is_same_v<T, float> ? 127
                                                                   : 15;

template <class T>
inline constexpr int kSignificantBits = std::is_same_v<T, double>  ? 53
                                        : std::is_same_v<T, float> ? 24
                                                                   : 11;

// Of the smallest normal number.
template <class T>
inline constexpr int kNormalExponent = kLowestExponent<T> + kSignificantBits<T> - 1;

template <class T>
T FromDouble(double value) {
  if constexpr (std::is_same_v<T, Float16>) {
    return DoubleToHalf(value);
  } else {
    return static_cast<T>(std::is_unsigned_v<T> ? std::fabs(value) : value);
  }
}

template <class T>
void Fill(DataSet set, std::span<T> a, std::span<T> b) {
  std::mt19937_64 random(20240607);
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  const auto sign = [&] { return (random() & 1) != 0 ? 1.0 : -1.0; };
  const double largest = sizeof(T) == 1 ? 127 : 1000;
  for (size_t i = 0; i < a.size(); ++i) {
    double x = sign() * uniform(0, largest);
    double y = sign() * uniform(1, largest / 10);
    switch (set) {
      case DataSet::kTypical:
        break;
      case DataSet::kSmallQuotients:
        y = sign() * uniform(largest / 4, largest);
        break;
      case DataSet::kRandomBits:
        for (T* to : {&a[i], &b[i]}) {
          const uint64_t bits = random();
          std::memcpy(to, &bits, sizeof(T));
        }
        continue;
      case DataSet::kHugeQuotients:
        x = sign() * std::ldexp(uniform(1, 2), kHighestExponent<T>);
        y = sign() * std::ldexp(uniform(1, 2), kLowestExponent<T> + kSignificantBits<T>);
        break;
      case DataSet::kAllQuotients: {
        const double lowest = uniform(kLowestExponent<T>, kHighestExponent<T>);
        x = sign() * std::exp2(uniform(lowest, kHighestExponent<T>));
        y = sign() * std::exp2(lowest);
        break;
      }
      case DataSet::kBorderBelow:
        x = sign() * std::ldexp(uniform(1, 2), kHighestExponent<T>);
        y = sign() * std::ldexp(uniform(0.25, 1), kNormalExponent<T>);
        break;
      case DataSet::kBorderAbove:
        y = sign() * std::ldexp(uniform(1, 4), kNormalExponent<T>);
        x = y * sign() * uniform(0, 1000);
        break;
      case DataSet::kTinyDivisors:
        x = sign() * std::ldexp(uniform(1, 2), kHighestExponent<T>);
        y = sign() * std::exp2(uniform(kLowestExponent<T>, kNormalExponent<T>));
        break;
      case DataSet::kTinyDividends:
        x = sign() * std::ldexp(uniform(0, 1), kNormalExponent<T>);
        break;
      case DataSet::kLargestDivisors:
        x = sign() * std::exp2(uniform(kLowestExponent<T>, kHighestExponent<T> + 0.99));
        y = sign() * std::ldexp(uniform(1, 4), kHighestExponent<T> - 1);
        break;
      case DataSet::kSubnormals:
        x = sign() * std::ldexp(std::floor(uniform(1, 1000)), kLowestExponent<T>);
        y = sign() * std::ldexp(std::floor(uniform(1, 100)), kLowestExponent<T>);
        break;
      case DataSet::kZeroDivisors:
        y = 0;
        break;
    }
    a[i] = FromDouble<T>(x);
    b[i] = FromDouble<T>(y);
  }
}

}  // namespace residue::bench
