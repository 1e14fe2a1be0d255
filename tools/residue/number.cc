#include "number.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cfenv>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "text.h"
#include "verification/values.h"

namespace residue::tool {
namespace {

using residue::testing::BitsOf;
using residue::testing::FromBits;
using residue::testing::ToBits;

std::optional<double> ParseDouble(const std::string& text) {
  if (text.empty() || std::isspace(static_cast<unsigned char>(text[0])) != 0) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end != text.c_str() + text.size()) return std::nullopt;
  return value;
}

// One of the two doubles that enclose the number of the text: itself if it is one, else the one with an odd
// last digit. What is rounded from there to a shorter type is as if rounded from the text.
double RoundToOdd(const std::string& text) {
  const int before = std::fegetround();
  std::fesetround(FE_DOWNWARD);
  const double below = std::strtod(text.c_str(), nullptr);
  std::fesetround(FE_UPWARD);
  const double above = std::strtod(text.c_str(), nullptr);
  std::fesetround(before);
  return (ToBits(below) & 1) != 0 ? below : above;
}

template <class T>
std::optional<T> ParseInteger(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  if (hexadecimal) text.remove_prefix(2);
  uint64_t magnitude = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), magnitude, hexadecimal ? 16 : 10);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  const auto value = static_cast<__int128>(magnitude) * (negative ? -1 : 1);
  if (value < std::numeric_limits<T>::min() || value > std::numeric_limits<T>::max()) return std::nullopt;
  return static_cast<T>(value);
}

}  // namespace

std::string TypeText(DataType type) { return Lower(DirectMlName(type)); }

std::optional<DataType> ParseType(std::string_view name) {
  std::string lower = Lower(name);
  constexpr std::string_view kPrefix = "dml_tensor_data_type_";
  if (lower.starts_with(kPrefix)) lower.erase(0, kPrefix.size());
  for (const DataType type : kAllDataTypes) {
    if (lower == TypeText(type) || lower == ShortName(type)) return type;
  }
  return std::nullopt;
}

template <class T>
std::optional<T> ParseNumber(const std::string& text) {
  if constexpr (std::integral<T>) {
    return ParseInteger<T>(text);
  } else {
    const std::optional<double> value = ParseDouble(text);
    if (!value) return std::nullopt;
    // From the text, so that it is rounded once.
    if constexpr (std::is_same_v<T, float>) {
      return std::strtof(text.c_str(), nullptr);
    } else if constexpr (std::is_same_v<T, Float16>) {
      return DoubleToHalf(RoundToOdd(text));
    } else {
      return value;
    }
  }
}

template <class T>
std::optional<T> ParseBits(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
  BitsOf<T> bits = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bits, 16);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return FromBits<T>(bits);
}

template <class T>
std::string ValueText(T value) {
  if constexpr (std::is_same_v<T, Float16>) {
    const float wide = HalfToFloat(value);
    // Five digits are enough for every half; those that are integers are shorter in full.
    const double number = static_cast<double>(wide);
    if (std::abs(number) >= 1 && number == std::floor(number)) return fmt::format("{:.0f}", number);
    for (int digits = 1; digits < 5; ++digits) {
      std::string text = fmt::format("{:.{}g}", number, digits);
      if (DoubleToHalf(std::strtod(text.c_str(), nullptr)) == value) return text;
    }
    return fmt::format("{:.5g}", number);
  } else if constexpr (std::floating_point<T>) {
    return fmt::format("{}", value);
  } else {
    return fmt::format("{:d}", value);
  }
}

template <class T>
std::string BitsText(T value) {
  return fmt::format("0x{:0{}x}", static_cast<uint64_t>(ToBits(value)), 2 * sizeof(T));
}

#define RESIDUE_TYPE(Name, C_NAME, value, Cpp, text)                \
  template std::optional<Cpp> ParseNumber<Cpp>(const std::string&); \
  template std::optional<Cpp> ParseBits<Cpp>(std::string_view);     \
  template std::string ValueText<Cpp>(Cpp);                         \
  template std::string BitsText<Cpp>(Cpp);
#include "core/types.def"

}  // namespace residue::tool
