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

// Every operator, by its name and by the short ones; and those of the moduli alone.
std::vector<std::string> OperatorNames();
std::vector<std::string> ModulusNames();
std::vector<std::string> TypeNames(TypeSet types = kNumbers);
std::vector<std::string> TargetNames();  // all, whatever this machine has: completions are made elsewhere

// Fail, with the name that is nearest, if nothing has this name.
OperatorId ReadOperator(const std::string& name);
OperatorId ReadModulus(const std::string& name);
DataType ReadTypeName(const std::string& name);
Target ReadTargetName(const std::string& name);

inline constexpr OperatorId kModuli[] = {OperatorId::kModulusFloor, OperatorId::kModulusTruncate};

}  // namespace residue::tool
