// Sets of element types, one bit for each.
#pragma once

#include <cstdint>

#include "core/data_type.h"

namespace residue {

using TypeSet = uint32_t;

constexpr TypeSet SetOf(DataType type) noexcept { return TypeSet{1} << static_cast<uint32_t>(type); }

// False for a number that is not a type.
constexpr bool Contains(TypeSet set, DataType type) noexcept {
  const auto number = static_cast<uint32_t>(type);
  return number < 32 && (set >> number & 1) != 0;
}

inline constexpr TypeSet kFloats =
    SetOf(DataType::kFloat16) | SetOf(DataType::kFloat32) | SetOf(DataType::kFloat64);
inline constexpr TypeSet kSignedIntegers =
    SetOf(DataType::kInt8) | SetOf(DataType::kInt16) | SetOf(DataType::kInt32) | SetOf(DataType::kInt64);
inline constexpr TypeSet kUnsignedIntegers =
    SetOf(DataType::kUint8) | SetOf(DataType::kUint16) | SetOf(DataType::kUint32) | SetOf(DataType::kUint64);
inline constexpr TypeSet kNumbers = kFloats | kSignedIntegers | kUnsignedIntegers;

}  // namespace residue
