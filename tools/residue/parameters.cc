#include "parameters.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstring>
#include <limits>
#include <vector>

#include "failure.h"
#include "number.h"
#include "operand_text.h"
#include "suggestion.h"

namespace residue::tool {
namespace {

constexpr Parameter kScaleBias[] = {{"scale", offsetof(ScaleBiasParams, scale)},
                                    {"bias", offsetof(ScaleBiasParams, bias)}};
constexpr Parameter kBounds[] = {{"min", offsetof(BoundsParams, min), Parameter::kElement},
                                 {"max", offsetof(BoundsParams, max), Parameter::kElement}};
constexpr Parameter kMode[] = {{"mode", 0, Parameter::kMode}};
constexpr Parameter kAlpha[] = {{"alpha", offsetof(AlphaParams, alpha)}};
constexpr Parameter kAlphaBeta[] = {{"alpha", offsetof(AlphaBetaParams, alpha)},
                                    {"beta", offsetof(AlphaBetaParams, beta)}};
constexpr Parameter kAlphaGamma[] = {{"alpha", offsetof(AlphaGammaParams, alpha)},
                                     {"gamma", offsetof(AlphaGammaParams, gamma)}};
constexpr Parameter kSteepness[] = {{"steepness", offsetof(SteepnessParams, steepness)}};
constexpr Parameter kShrink[] = {{"bias", offsetof(ShrinkParams, bias)},
                                 {"threshold", offsetof(ShrinkParams, threshold)}};

float ReadFloat(const std::string& text, const std::string& name, DataType type) {
  const float value = ReadOperand<float>(text, name);
  const double wide = ReadOperand<double>(text, name);
  if (type == DataType::kFloat64 && std::isfinite(value) && static_cast<double>(value) != wide)
    Tell(fmt::format("{} is a float32: {} is used", name, ValueText(static_cast<double>(value))));
  return value;
}

void ReadInto(Params* params, const Parameter& parameter, const std::string& text, DataType type) {
  const auto put = [&](const auto& value) {
    std::memcpy(params->bytes + parameter.offset, &value, sizeof(value));
  };
  switch (parameter.kind) {
    case Parameter::kFloat:
      return put(ReadFloat(text, parameter.name, type));
    case Parameter::kMode:
      return put(ReadOperand<uint32_t>(text, parameter.name));
    case Parameter::kElement:
      return VisitType(type, [&]<class T>(T) { put(ReadOperand<T>(text, parameter.name)); });
  }
}

// A bound that nobody names is none. CLIP_GRAD cuts at its bounds too, so only NaN is none of its.
void SetNoBounds(Params* params, OperatorId op, DataType type) {
  const bool is_strict = op == OperatorId::kClipGrad;
  VisitType(type, [&]<class T>(T) {
    T bounds[2];
    if constexpr (std::integral<T>) {
      bounds[0] = std::numeric_limits<T>::min();
      bounds[1] = std::numeric_limits<T>::max();
    } else {
      bounds[0] = ReadOperand<T>(is_strict ? "nan" : "-inf", kBounds[0].name);
      bounds[1] = ReadOperand<T>(is_strict ? "nan" : "inf", kBounds[1].name);
    }
    for (size_t i = 0; i < 2; ++i) std::memcpy(params->bytes + kBounds[i].offset, &bounds[i], sizeof(T));
  });
}

}  // namespace

std::span<const Parameter> ParametersOf(OperatorId op) {
  switch (op) {
    case OperatorId::kScaleBias:
      return kScaleBias;
    case OperatorId::kClip:
    case OperatorId::kClipGrad:
      return kBounds;
    case OperatorId::kRound:
    case OperatorId::kIsInfinity:
      return kMode;
    case OperatorId::kLeakyRelu:
    case OperatorId::kThresholdedRelu:
    case OperatorId::kElu:
    case OperatorId::kCelu:
    case OperatorId::kSwish:
      return kAlpha;
    case OperatorId::kHardSwish:
    case OperatorId::kParametricSoftplus:
    case OperatorId::kScaledTanh:
      return kAlphaBeta;
    case OperatorId::kScaledElu:
      return kAlphaGamma;
    case OperatorId::kSoftplus:
      return kSteepness;
    case OperatorId::kShrink:
      return kShrink;
    default:
      return {};
  }
}

Params ReadParameters(OperatorId op, DataType type, std::span<const std::string> texts) {
  Params params = DefaultParams(op);
  if (ParametersOf(op).data() == kBounds) SetNoBounds(&params, op, type);
  std::vector<std::string> names;
  for (const Parameter& parameter : ParametersOf(op)) names.emplace_back(parameter.name);
  std::vector<std::string> missing =
      op == OperatorId::kClipGrad && !Contains(kFloats, type) ? names : std::vector<std::string>();
  std::vector<std::string> given;
  for (const std::string& text : texts) {
    const size_t end = text.find('=');
    const std::string name = text.substr(0, end);
    if (std::ranges::find(given, name) != given.end()) Fail("--param {} is given twice: name it once", name);
    given.push_back(name);
    if (end == std::string::npos) Fail("--param is '{}', but must be NAME=NUMBER", text);
    if (names.empty()) Fail("--param is '{}', but {} has no parameters", text, OperatorName(op));
    bool is_known = false;
    for (const Parameter& parameter : ParametersOf(op)) {
      if (name != parameter.name) continue;
      ReadInto(&params, parameter, text.substr(end + 1), type);
      is_known = true;
      std::erase(missing, name);
    }
    if (!is_known) {
      Fail("--param names '{}', but {} has {}{}", name, OperatorName(op), fmt::join(names, ", "),
           Suggestion(name, names));
    }
  }
  if (!missing.empty())
    Fail("--param {}=NUMBER is missing: {} of integers cuts at any bound", missing.front(), OperatorName(op));
  return params;
}

}  // namespace residue::tool
