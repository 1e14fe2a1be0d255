// What params must be, where not every value of theirs means something.
#pragma once

#include <cmath>

#include "core/operator_id.h"
#include "core/params.h"
#include "core/status.h"

namespace residue {

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
      if (Contains(kFloats, type) || (std::isfinite(given.scale) && std::isfinite(given.bias))) return {};
      const bool scale = !std::isfinite(given.scale);
      return {StatusCode::kParamsNotFinite, scale ? "params.scale" : "params.bias", -1, 0, Relation::kNone};
    }
    default:
      return {};
  }
}

}  // namespace residue
