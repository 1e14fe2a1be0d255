// What users choose from: operators by their names and short names, element types, instruction sets. The same
// lists are checked against, suggested from, and completed by shells.
#pragma once

#include <string>
#include <vector>

#include "core/data_type.h"
#include "core/operator_id.h"
#include "core/type_set.h"
#include "cpu/rows/target.h"

namespace residue::tool {

// Every operator whose inputs have one type and whose result has one for it, by its name and by the short
// ones.
std::vector<std::string> OperatorNames();
std::vector<std::string> TypeNames(TypeSet types = kNumbers);
std::vector<std::string> TargetNames();  // all, whatever this machine has: completions are made elsewhere

// Fail, with the name that is nearest, if nothing has this name.
// A short name is a modulus' if there are two inputs: "floor" of one number is another operator.
OperatorId ReadOperator(const std::string& name, size_t inputs = 2);
DataType ReadTypeName(const std::string& name);
Target ReadTargetName(const std::string& name);

inline constexpr OperatorId kModuli[] = {OperatorId::kModulusFloor, OperatorId::kModulusTruncate};

// Those operators.
std::vector<OperatorId> OperatorsOfOneType();

}  // namespace residue::tool
