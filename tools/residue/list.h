// residue list: what this build has, from the registry: operators, types, feature levels, instruction sets.
#pragma once

namespace residue::tool {

int List(bool json);

}  // namespace residue::tool
