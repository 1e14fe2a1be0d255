#include "parameters.h"

#include <cmath>
#include <cstring>
#include <vector>

#include "failure.h"
#include "number.h"
#include "operand_text.h"
#include "suggestion.h"

namespace residue::tool {
namespace {

constexpr Parameter kScaleBias[] = {{"scale", offsetof(ScaleBiasParams, scale)},
                                    {"bias", offsetof(ScaleBiasParams, bias)}};

}  // namespace

std::span<const Parameter> ParametersOf(OperatorId op) {
  return op == OperatorId::kScaleBias ? std::span<const Parameter>(kScaleBias) : std::span<const Parameter>();
}

Params ReadParameters(OperatorId op, DataType type, std::span<const std::string> texts) {
  Params params = DefaultParams(op);
  std::vector<std::string> names;
  for (const Parameter& parameter : ParametersOf(op)) names.emplace_back(parameter.name);
  for (const std::string& text : texts) {
    const size_t end = text.find('=');
    const std::string name = text.substr(0, end);
    if (end == std::string::npos) Fail("--param is '{}', but must be NAME=NUMBER", text);
    if (names.empty()) Fail("--param is '{}', but {} has no parameters", text, OperatorName(op));
    bool is_known = false;
    for (const Parameter& parameter : ParametersOf(op)) {
      if (name != parameter.name) continue;
      const float value = ReadOperand<float>(text.substr(end + 1), name);
      const double wide = ReadOperand<double>(text.substr(end + 1), name);
      if (type == DataType::kFloat64 && std::isfinite(value) && static_cast<double>(value) != wide)
        Tell(fmt::format("{} is a float32: {} is used", name, ValueText(static_cast<double>(value))));
      std::memcpy(params.bytes + parameter.offset, &value, sizeof(value));
      is_known = true;
    }
    if (!is_known) {
      Fail("--param names '{}', but {} has {}{}", name, OperatorName(op), fmt::join(names, ", "),
           Suggestion(name, names));
    }
  }
  return params;
}

}  // namespace residue::tool
