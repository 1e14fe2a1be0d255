// One element of any type as people write it: its type's name, its value, its bits.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/data_type.h"
#include "core/half.h"

namespace residue::tool {

// "float32", as the command names types.
std::string TypeText(DataType type);

// That, "f32", "FLOAT32" or "DML_TENSOR_DATA_TYPE_FLOAT32", in any case.
std::optional<DataType> ParseType(std::string_view name);

// A decimal or (0x) hexadecimal number, "inf", "nan"; floats are rounded to nearest, integers must fit.
template <class T>
std::optional<T> ParseNumber(const std::string& text);

// The number whose bits are these hexadecimal digits, with or without 0x.
template <class T>
std::optional<T> ParseBits(std::string_view text);

template <class T>
bool IsInfinite(T value) {
  if constexpr (std::is_same_v<T, Float16>)
    return std::isinf(HalfToFloat(value));
  else if constexpr (std::floating_point<T>)
    return std::isinf(value);
  else
    return false;
}

// The fewest digits that give the same number back.
template <class T>
std::string ValueText(T value);

// "0x7fc00000": as many digits as the type has.
template <class T>
std::string BitsText(T value);

}  // namespace residue::tool
