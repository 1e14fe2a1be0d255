// What params must be, where not every value of theirs means something, and what is made of them before rows
// see them.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

#include "core/operator_id.h"
#include "core/params.h"
#include "core/status.h"

namespace residue {

// By its bits: a comparison may raise flags of the caller's floating-point environment, or trap in it.
constexpr bool IsFinite(float param) noexcept {
  return (std::bit_cast<uint32_t>(param) & 0x7F800000) != 0x7F800000;
}

// The params of an operator that takes the type.
inline Status CheckParams(OperatorId op, DataType type, const void* params) noexcept {
  const auto check_mode = [](uint32_t mode, uint32_t last) -> Status {
    if (mode <= last) return {};
    return {StatusCode::kInvalidParams, "params.mode", -1, mode, Relation::kAtMost, last};
  };
  switch (op) {
    case OperatorId::kRound:
      return check_mode(ReadParams<RoundParams>(params).mode, RoundParams::kHalvesAwayFromZero);
    case OperatorId::kIsInfinity:
      return check_mode(ReadParams<InfinityParams>(params).mode, InfinityParams::kNegative);
    case OperatorId::kScaleBias: {
      const auto given = ReadParams<ScaleBiasParams>(params);
      if (Contains(kFloats, type) || (IsFinite(given.scale) && IsFinite(given.bias))) return {};
      const bool scale = !IsFinite(given.scale);
      return {StatusCode::kParamsNotFinite, scale ? "params.scale" : "params.bias", -1, 0, Relation::kNone};
    }
    default:
      return {};
  }
}

constexpr float Quiet(float param) noexcept {
  const uint32_t magnitude = std::bit_cast<uint32_t>(param) & 0x7FFFFFFF;
  const bool is_signalling = magnitude > 0x7F800000 && magnitude < 0x7FC00000;
  return is_signalling ? std::numeric_limits<float>::quiet_NaN() : param;
}

// A param is no operand, so it has no exceptions. Chains read theirs from the processor's flags, which a
// signalling NaN in a param would raise.
inline Params QuietParams(OperatorId op, const Params& params) noexcept {
  if (op != OperatorId::kScaleBias) return params;
  const auto given = ReadParams<ScaleBiasParams>(params.bytes);
  return Params::Of(ScaleBiasParams{Quiet(given.scale), Quiet(given.bias)});
}

}  // namespace residue
