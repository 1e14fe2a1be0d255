// Params worth trying with an operator: those that mean something, the odd ones among them.
#pragma once

#include <bit>
#include <limits>
#include <vector>

#include "core/operator_id.h"
#include "core/params.h"
#include "verification/random.h"
#include "verification/values.h"

namespace residue::testing {

inline std::vector<float> OddFloats(DataType type) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  std::vector<float> floats = {0.0f,   -0.0f,     1.0f,     -1.0f,   0.5f,     -2.5f,      3.0f, 127.5f,
                               1e-40f, 0x1p-149f, 0x1p-30f, 0x1p31f, -0x1p62f, 0x1.8p100f, 0.2f, 65504.0f};
  if (Contains(kFloats, type))
    floats.insert(floats.end(), {kInfinity, -kInfinity, std::numeric_limits<float>::quiet_NaN()});
  return floats;
}

// Another one each time.
inline Params SampleParams(OperatorId op, DataType type, DataType result, Random* random) {
  const std::vector<float> floats = OddFloats(op == OperatorId::kScaleBias ? type : DataType::kFloat32);
  const auto pick = [&] { return floats[random->Below(floats.size())]; };
  const auto pick_element = [&] {
    return VisitType(result, [&]<class T>(T) -> uint64_t {
      const std::vector<T> edges = EdgeValues<T>();
      return ToBits(edges[random->Below(edges.size())]);
    });
  };
  switch (op) {
    case OperatorId::kScaleBias:
      return Params::Of(ScaleBiasParams{pick(), pick()});
    case OperatorId::kClip:
    case OperatorId::kClipGrad:
      return Params::Of(BoundsParams{pick_element(), pick_element()});
    case OperatorId::kRound:
      return Params::Of(RoundParams{static_cast<uint32_t>(random->Below(3))});
    case OperatorId::kIsInfinity:
      return Params::Of(InfinityParams{static_cast<uint32_t>(random->Below(3))});
    case OperatorId::kSequence:
      if (random->OneIn(2)) return Params::Of(SequenceParams{random->Next(), random->Next()});
      return Params::Of(SequenceParams{pick_element(), pick_element()});
    case OperatorId::kLeakyRelu:
    case OperatorId::kThresholdedRelu:
    case OperatorId::kElu:
    case OperatorId::kCelu:
    case OperatorId::kSwish:
      return Params::Of(AlphaParams{pick()});
    case OperatorId::kSoftplus:
      return Params::Of(SteepnessParams{pick()});
    case OperatorId::kParametricSoftplus:
    case OperatorId::kScaledTanh:
      return Params::Of(ScaledParams{pick(), pick()});
    case OperatorId::kScaledElu:
      return Params::Of(AlphaGammaParams{pick(), pick()});
    case OperatorId::kHardSwish:
      return Params::Of(AlphaBetaParams{pick(), pick()});
    case OperatorId::kShrink:
      return Params::Of(ShrinkParams{pick(), pick()});
    default:
      return DefaultParams(op);  // none
  }
}

}  // namespace residue::testing
