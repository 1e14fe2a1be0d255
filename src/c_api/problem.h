// Reading a residue_problem: what the caller gave becomes an owned request, or a refusal that names the
// field.
#pragma once

#include "core/status.h"
#include "cpu/engine/plan.h"
#include "residue/residue.h"

namespace residue {

inline residue_status ToC(const Status& status) noexcept { return static_cast<residue_status>(status.code); }

// The planner still has to check the request. `target` is lowered to the problem's cap.
Status ReadProblem(const residue_problem* given, OpRequest* request, Target* target) noexcept;

}  // namespace residue
