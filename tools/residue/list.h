// residue list: what this build has, from the registry: operators, types, feature levels, kernels per target.
#pragma once

namespace residue::tool {

int List(bool json);

}  // namespace residue::tool
