// IDMLDevice::CheckFeatureSupport.
#include <algorithm>
#include <cstring>

#include "directml/device.h"
#include "directml/operator_schema.h"
#include "directml/tensor_desc.h"

namespace residue {
namespace {

constexpr auto kInvalid = RefusalCode::kInvalidArgument;

template <class Query, class Answer>
Refusal CheckSizes(UINT query_size, const void* query, UINT answer_size, const void* answer) noexcept {
  if (query_size != sizeof(Query) || query == nullptr) {
    return Refuse(kInvalid, "the query is %s with %u bytes, but must have %zu",
                  query == nullptr ? "null" : "set", query_size, sizeof(Query));
  }
  if (answer_size != sizeof(Answer) || answer == nullptr) {
    return Refuse(kInvalid, "the place for the answer is %s with %u bytes, but must have %zu",
                  answer == nullptr ? "null" : "set", answer_size, sizeof(Answer));
  }
  return {};
}

Refusal AnswerType(const void* query, FeatureLevel level, void* answer) noexcept {
  int32_t type;
  std::memcpy(&type, query, sizeof(type));
  if (type <= DML_TENSOR_DATA_TYPE_UNKNOWN || type > DML_TENSOR_DATA_TYPE_INT4) {
    return Refuse(kInvalid, "the DataType is %d, but must be between 1 and %d", type,
                  DML_TENSOR_DATA_TYPE_INT4);
  }
  const DML_FEATURE_DATA_TENSOR_DATA_TYPE_SUPPORT support = {IsTypeSupported(type, level) ? TRUE : FALSE};
  std::memcpy(answer, &support, sizeof(support));
  return {};
}

Refusal AnswerLevels(const void* query, FeatureLevel level, void* answer) noexcept {
  DML_FEATURE_QUERY_FEATURE_LEVELS levels;
  std::memcpy(&levels, query, sizeof(levels));
  if (levels.RequestedFeatureLevelCount == 0 || levels.RequestedFeatureLevels == nullptr) {
    return Refuse(
        kInvalid, "RequestedFeatureLevelCount is %u and RequestedFeatureLevels is %s, but both must be set",
        levels.RequestedFeatureLevelCount, levels.RequestedFeatureLevels == nullptr ? "null" : "set");
  }
  uint32_t best = 0;
  for (UINT i = 0; i < levels.RequestedFeatureLevelCount; ++i) {
    const auto requested = static_cast<uint32_t>(NumberOf(levels.RequestedFeatureLevels[i]));
    const bool known = std::find(std::begin(kAllFeatureLevels), std::end(kAllFeatureLevels),
                                 static_cast<FeatureLevel>(requested)) != std::end(kAllFeatureLevels);
    if (known && requested <= static_cast<uint32_t>(level)) best = std::max(best, requested);
  }
  if (best == 0) {
    return Refuse(RefusalCode::kUnsupported,
                  "none of the requested feature levels is supported; the highest is 0x%x",
                  static_cast<uint32_t>(level));
  }
  std::memcpy(answer, &best, sizeof(best));
  return {};
}

}  // namespace

HRESULT DmlDevice::CheckFeatureSupport(DML_FEATURE feature, UINT query_size, const void* query,
                                       UINT answer_size, void* answer) noexcept {
  if (state()->IsRemoved()) return DXGI_ERROR_DEVICE_REMOVED;
  const FeatureLevel level = state()->level();
  Refusal refusal;
  if (NumberOf(feature) == DML_FEATURE_TENSOR_DATA_TYPE_SUPPORT) {
    refusal =
        CheckSizes<DML_FEATURE_QUERY_TENSOR_DATA_TYPE_SUPPORT, DML_FEATURE_DATA_TENSOR_DATA_TYPE_SUPPORT>(
            query_size, query, answer_size, answer);
    if (refusal.ok()) refusal = AnswerType(query, level, answer);
  } else if (NumberOf(feature) == DML_FEATURE_FEATURE_LEVELS && level >= FeatureLevel::k2_0) {
    refusal = CheckSizes<DML_FEATURE_QUERY_FEATURE_LEVELS, DML_FEATURE_DATA_FEATURE_LEVELS>(
        query_size, query, answer_size, answer);
    if (refusal.ok()) refusal = AnswerLevels(query, level, answer);
  } else {
    refusal = Refuse(RefusalCode::kUnsupported, "feature %d is not known at feature level 0x%x",
                     NumberOf(feature), static_cast<uint32_t>(level));
  }
  return state()->Report(refusal);
}

}  // namespace residue
