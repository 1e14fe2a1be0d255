// An addition in the library's own loops: what a layout costs whatever is computed on it.
#pragma once

#include "cpu/rows/row.h"

namespace residue::bench {

// For the key's type (the operator does not matter), on this target or the next one below that has it;
// nullptr for types that no benchmark needs.
RowFn FindAddRow(RowKey key, Target target) noexcept;

}  // namespace residue::bench
