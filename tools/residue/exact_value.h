// The exact value of a function, in as many decimal digits as one wants to read, and what the C library makes
// of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/operator_id.h"
#include "core/params.h"

namespace residue::tool {

// The first 18 digits, "2.71828182845904523..."; nothing if the operator is no function, or the value is 0 or
// no number.
std::optional<std::string> ExactValueText(OperatorId op, const std::vector<float>& inputs,
                                          const Params& params);

// What the float function of the C library gives, if it has one of that name.
std::optional<float> AskCLibrary(OperatorId op, const std::vector<float>& inputs);

}  // namespace residue::tool
