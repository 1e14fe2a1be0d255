// residue._native.Program: a graph of rows with the arguments it reads and the results it gives.
// residue._native.Fused: what FusedFunction is made of; it finds the program of a call by the arguments'
// kinds and types, and asks Python where there is none.
#pragma once

// NumPy's header first.
#include "numpy_api.h"

namespace residue::python {

// The types, for the module; nullptr with a Python error.
PyObject* MakeProgramType();
PyObject* MakeFusedType();

}  // namespace residue::python
