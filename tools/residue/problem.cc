#include "problem.h"

#include "core/operator_id.h"
#include "failure.h"

namespace residue::tool {

void RunOrFail(const residue_problem& problem, const void* const* inputs, void* out,
               const residue_options* options) {
  const residue_status status = residue_run(&problem, inputs, out, options);
  if (status == RESIDUE_OK) return;
  char text[512];
  const bool is_refused = residue_describe(&problem, text, sizeof(text)) != RESIDUE_OK;
  Fail("{}: {}", OperatorName(static_cast<OperatorId>(problem.op)),
       is_refused ? text : residue_status_text(status));
}

}  // namespace residue::tool
