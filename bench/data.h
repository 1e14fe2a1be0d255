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

#include "base/data_type.h"
#include "base/half.h"

namespace residue::bench {

enum class DataSet { kTypical, kSmallQuotients, kRandomBits, kHugeQuotients, kSubnormals, kZeroDivisors };

struct NamedDataSet {
  DataSet set;
  const char* name;
};
inline constexpr NamedDataSet kDataSets[] = {
    {DataSet::kTypical, "typical"},       // quotients up to a thousand
    {DataSet::kSmallQuotients, "small"},  // quotients up to four
    {DataSet::kRandomBits, "wide"},       // random bit patterns: every exponent, some NaN and infinity
    {DataSet::kHugeQuotients, "huge"},    // the largest dividends by the smallest normal divisors
    {DataSet::kSubnormals, "subnormal"},  // both operands
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
