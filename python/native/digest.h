// Numbers that say whether two arrays have the same bits, on any machine.
#pragma once

// NumPy's header first.
#include "numpy_api.h"

namespace residue::python {

// digest_elements(array, first): the sum, modulo 2^64, of a number for each element that depends on its bits
// and its place; the array is contiguous, and `first` the place of its first element.
PyObject* DigestElements(PyObject* module, PyObject* arguments);

// digest_function(x, y): the same for pairs of float32 numbers, whatever their order: what `residue verify
// --digest` has for each function.
PyObject* DigestFunction(PyObject* module, PyObject* arguments);

}  // namespace residue::python
