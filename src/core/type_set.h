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
inline constexpr TypeSet kIntegers = kSignedIntegers | kUnsignedIntegers;
inline constexpr TypeSet kNumbers = kFloats | kIntegers;
inline constexpr TypeSet kSignedNumbers = kFloats | kSignedIntegers;
// Integers that float64 holds, and with them what can be shrunk.
inline constexpr TypeSet kNarrowIntegers = kIntegers & ~(SetOf(DataType::kInt64) | SetOf(DataType::kUint64));
inline constexpr TypeSet kShrinkable = kFloats | kNarrowIntegers;
inline constexpr TypeSet kBytes = SetOf(DataType::kUint8);
inline constexpr TypeSet kTruths = kBytes | SetOf(DataType::kUint32);
inline constexpr TypeSet kCodes = kBytes | SetOf(DataType::kInt8);
// What functions are correctly rounded for.
inline constexpr TypeSet kShortFloats = SetOf(DataType::kFloat16) | SetOf(DataType::kFloat32);
inline constexpr TypeSet kPowers = kShortFloats | kIntegers;
inline constexpr TypeSet kFloat32Only = SetOf(DataType::kFloat32);
inline constexpr TypeSet kIndices = SetOf(DataType::kUint64);
// What sequences are made of: float64 would need more digits than there are.
inline constexpr TypeSet kCountable = kNumbers & ~SetOf(DataType::kFloat64);
// Of results: that of the first input.
inline constexpr TypeSet kSameType = 0;
// The same, or halves of FLOAT32 numbers, rounded once, if somebody says so.
inline constexpr TypeSet kSameOrHalf = TypeSet{1} << 31;

}  // namespace residue
