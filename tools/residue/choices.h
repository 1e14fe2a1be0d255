// What users choose from: the two moduli by their short names, element types by theirs.
#pragma once

#include <string>

#include "core/operator_id.h"
#include "failure.h"
#include "number.h"

namespace residue::tool {

inline constexpr OperatorId kModuli[] = {OperatorId::kModulusFloor, OperatorId::kModulusTruncate};

inline OperatorId ReadModulus(const std::string& name) {
  if (name == "floor") return OperatorId::kModulusFloor;
  if (name == "trunc") return OperatorId::kModulusTruncate;
  Fail("the operator is '{}', but must be floor or trunc", name);
}

inline DataType ReadTypeName(const std::string& name) {
  if (const std::optional<DataType> type = ParseType(name)) return *type;
  Fail("the type is '{}', which does not exist; `residue list` shows those that do", name);
}

}  // namespace residue::tool
