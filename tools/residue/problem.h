// Running one problem of the C interface for a command.
#pragma once

#include "residue/residue.h"

namespace residue::tool {

// Fails with the operator's name and the reason if it is refused.
void RunOrFail(const residue_problem& problem, const void* const* inputs, void* out,
               const residue_options* options = nullptr);

}  // namespace residue::tool
