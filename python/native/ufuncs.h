// Every ufunc of the list in ufuncs.def, made of the operator's types and NumPy's loops for the others.
#pragma once

// NumPy's header first.
#include "numpy_api.h"

namespace residue::python {

// By name, what the list says of each, and the ufunc: the number of the operator (0 if it is made of
// several), how many tensors it reads, whether it is a function that is rounded once, its params as bytes and
// their defaults, NumPy's name, the parameters that are operands, the types computed here. nullptr with a
// Python error.
PyObject* MakeUfuncs();

}  // namespace residue::python
