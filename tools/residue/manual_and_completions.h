// residue manual and residue completion: the manual page and what shells complete, made from the same command
// line that
// --help is made from.
#pragma once

#include "command_line.h"

namespace residue::tool {

void AddDocuments(CommandLine* line);

}  // namespace residue::tool
