// What operators are told besides their tensors, by the names that `residue apply --param` takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/operator_id.h"

namespace residue::tool {

struct Parameter {
  enum Kind : uint8_t { kFloat, kMode, kElement };
  const char* name;
  size_t offset;  // in the operator's params
  Kind kind = kFloat;
};

std::span<const Parameter> ParametersOf(OperatorId op);

// The operator's defaults, and no bounds, changed by texts such as "scale=2.5". Fails if a name or a number
// is none. For wide elements it tells what float32 made of a number.
Params ReadParameters(OperatorId op, DataType type, std::span<const std::string> texts);

}  // namespace residue::tool
