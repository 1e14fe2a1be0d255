// Moduli of an int64 and a uint64, in either order. NumPy would convert both to float64, which cannot hold
// them.
#pragma once

// NumPy's header first.
#include "numpy_api.h"

#include <vector>

#include "loop_table.h"
#include "residue/residue.h"

namespace residue::python {

// Adds the loops to those of a modulus, before the first that takes floats; to others nothing. A remainder
// that has the sign of an operand fits that operand's type, so it has it.
void AddMixedModulus(residue_operator op, std::vector<TypedLoop>* loops);

}  // namespace residue::python
