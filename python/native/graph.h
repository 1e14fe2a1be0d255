// residue._native.Graph: a compiled residue_graph for arrays of known types, shapes and strides.
#pragma once

// NumPy's header first.
#include "numpy_api.h"

namespace residue::python {

// The type, for the module; nullptr with a Python error.
PyObject* MakeGraphType();

}  // namespace residue::python
