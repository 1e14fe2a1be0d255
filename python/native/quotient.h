// floor_divide and divmod: the quotients that go with mod_floor, of the exact remainders.
#pragma once

// NumPy's header first.
#include "numpy_api.h"

namespace residue::python {

// The ufuncs, with NumPy's loops for other types; nullptr with a Python error. May throw bad_alloc.
PyObject* MakeFloorDivide();
PyObject* MakeDivmod();

}  // namespace residue::python
