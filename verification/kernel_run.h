// Running one kernel on plain arrays, and saying exactly what went wrong when it did.
#pragma once

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "kernels/kernel.h"
#include "verification/values.h"

namespace residue::testing {

// AVX3_SPR has kernels for some types only; for the others it is AVX3.
inline Target TargetOfKernels(Target target, DataType type) {
  const bool gains = type == DataType::kFloat16 || type == DataType::kInt8 || type == DataType::kUint8;
  return target == Target::kAvx3Spr && !gains ? Target::kAvx3 : target;
}

// The targets worth testing: every supported one that has kernels of its own for the type, but for the
// reference, which is what the others are judged by.
inline std::vector<Target> VectorTargets(DataType type) {
  std::vector<Target> targets;
  for (const Target target : SupportedTargets()) {
    if (target != Target::kReference && TargetOfKernels(target, type) == target) targets.push_back(target);
  }
  return targets;
}

// A one-row tile in the given form; the scalar forms read the first element of their operand.
template <class T>
Tile MakeTile(Form form, const T* a, const T* b, T* out, size_t count) {
  constexpr auto kSize = static_cast<ptrdiff_t>(sizeof(T));
  Tile tile{};
  tile.a = reinterpret_cast<const std::byte*>(a);
  tile.b = reinterpret_cast<const std::byte*>(b);
  tile.out = reinterpret_cast<std::byte*>(out);
  tile.rows = 1;
  tile.columns = count;
  tile.column_stride = {form == Form::kScalarVector ? 0 : kSize, form == Form::kVectorScalar ? 0 : kSize,
                        kSize};
  return tile;
}

template <class T>
std::string Describe(T value) {
  char text[96];
  const auto bits = static_cast<uint64_t>(ToBits(value));
  if constexpr (std::is_same_v<T, Float16>) {
    std::snprintf(text, sizeof(text), "0x%04" PRIx64 " (%.9g)", bits,
                  static_cast<double>(HalfToFloat(value)));
  } else if constexpr (std::floating_point<T>) {
    std::snprintf(text, sizeof(text), "0x%" PRIx64 " (%.17g)", bits, static_cast<double>(value));
  } else if constexpr (std::is_signed_v<T>) {
    std::snprintf(text, sizeof(text), "0x%" PRIx64 " (%" PRId64 ")", bits, static_cast<int64_t>(value));
  } else {
    std::snprintf(text, sizeof(text), "0x%" PRIx64 " (%" PRIu64 ")", bits, static_cast<uint64_t>(value));
  }
  return text;
}

// "modulus_floor.f32.vs@AVX3 index 3: a=... b=... expected=... got=... seed=1"
template <class T>
std::string DescribeDifference(OperatorId op, Form form, Target target, size_t index, T a, T b, T expected,
                               T got, uint64_t seed) {
  char name[64];
  FormatKernelName({op, kDataTypeOf<T>, form}, target, name, sizeof(name));
  return std::string(name) + " index " + std::to_string(index) + ": a=" + Describe(a) + " b=" + Describe(b) +
         " expected=" + Describe(expected) + " got=" + Describe(got) + " seed=" + std::to_string(seed);
}

template <class T>
size_t FirstDifference(const T* expected, const T* got, size_t count) {
  if (std::memcmp(expected, got, count * sizeof(T)) == 0) return count;
  for (size_t i = 0; i < count; ++i) {
    if (ToBits(expected[i]) != ToBits(got[i])) return i;
  }
  return count;
}

}  // namespace residue::testing
