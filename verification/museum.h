// Reading the museum: real modulus bugs of other runtimes and our own, each with the right answer.
#pragma once

#include <rapidjson/document.h>

#include <cstdlib>
#include <string>
#include <type_traits>
#include <vector>

#include "cpu/rows/reference_float.h"
#include "verification/values.h"

namespace residue::testing {

// The museum from the text of bug-museum.json.
inline rapidjson::Document ParseMuseum(const std::string& text) {
  rapidjson::Document museum;
  museum.Parse(text.data(), text.size());
  return museum;
}

template <class T>
T ParseElement(const std::string& text) {
  if constexpr (std::is_same_v<T, Float16>) {
    return DoubleToHalf(std::strtod(text.c_str(), nullptr));
  } else if constexpr (std::is_same_v<T, float>) {
    return std::strtof(text.c_str(), nullptr);
  } else if constexpr (std::is_same_v<T, double>) {
    return std::strtod(text.c_str(), nullptr);
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<T>(std::strtoll(text.c_str(), nullptr, 10));
  } else {
    return static_cast<T>(std::strtoull(text.c_str(), nullptr, 10));
  }
}

// The numbers of a field, from its bit patterns where the entry gives them.
template <class T>
std::vector<T> ReadNumbers(const rapidjson::Value& object, const std::string& field) {
  std::vector<T> numbers;
  const std::string bits_field = field + "_bits";
  if (object.HasMember(bits_field.c_str())) {
    for (const auto& item : object[bits_field.c_str()].GetArray()) {
      numbers.push_back(FromBits<T>(std::strtoull(item.GetString(), nullptr, 16)));
    }
  } else if (object.HasMember(field.c_str())) {
    for (const auto& item : object[field.c_str()].GetArray()) {
      numbers.push_back(ParseElement<T>(item.GetString()));
    }
  }
  return numbers;
}

// "NaN equals NaN regardless of payload": our results are canonical, so the expectation is made so too.
template <class T>
T Canonical(T value) {
  if constexpr (!std::integral<T>) {
    using F = reference::FloatBits<T>;
    if (F::MagnitudeBits(value) > F::kInfinity) return FromBits<T>(F::kNan);
  }
  return value;
}

// One entry's operands and right results for an operator; empty if it has none.
template <class T>
struct MuseumNumbers {
  std::vector<T> a;
  std::vector<T> b;
  std::vector<T> expected;
};

template <class T>
MuseumNumbers<T> ReadMuseumNumbers(const rapidjson::Value& entry, const char* result_field) {
  MuseumNumbers<T> numbers;
  numbers.expected = ReadNumbers<T>(entry["right"], result_field);
  if (numbers.expected.empty()) return {};
  numbers.a = ReadNumbers<T>(entry["inputs"], "a");
  const std::vector<T> b = ReadNumbers<T>(entry["inputs"], "b");
  for (size_t i = 0; i < numbers.a.size(); ++i) numbers.b.push_back(b[b.size() == 1 ? 0 : i]);
  for (T& value : numbers.expected) value = Canonical(value);
  return numbers;
}

}  // namespace residue::testing
