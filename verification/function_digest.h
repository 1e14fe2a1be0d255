// One number for the results of all functions of one float32 number. It is the same on every machine, by
// every interface; `residue verify --digest`, `residue.verify()` of Python and the tests make it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "core/operator_id.h"
#include "verification/function_oracle.h"

namespace residue::testing {

// Of all functions, on kDigestCount numbers each.
inline constexpr uint64_t kFunctionDigest = 0x8B2AD2F268A3511D;
inline constexpr uint64_t kDigestCount = uint64_t{1} << 24;

// Number n of them, as bits: one of each 256 that follow one another, never the same of them.
inline uint32_t DigestNumber(uint64_t n) {
  return static_cast<uint32_t>(n << 8 | (n * 0x9E3779B97F4A7C15u) >> 56);
}

inline std::vector<OperatorId> FunctionsOfOne() {
  std::vector<OperatorId> functions;
  std::ranges::copy_if(kAllOperators, std::back_inserter(functions),
                       [](OperatorId op) { return FunctionOracle::Knows(op) && InputCount(op) == 1; });
  return functions;
}

// A function's digest is the sum of this, modulo 2^64, so the order of elements does not matter.
inline uint64_t DigestOf(std::span<const float> numbers, std::span<const float> results) {
  uint64_t sum = 0;
  for (size_t i = 0; i < numbers.size(); ++i) {
    uint64_t z = uint64_t{std::bit_cast<uint32_t>(numbers[i])} << 32 | std::bit_cast<uint32_t>(results[i]);
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    sum += z ^ z >> 31;
  }
  return sum;
}

// The digest of functions so far and of the next one, in the order of FunctionsOfOne.
inline uint64_t WithNextDigest(uint64_t so_far, uint64_t next) { return std::rotl(so_far, 1) + next; }

}  // namespace residue::testing
