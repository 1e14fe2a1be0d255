// The loops of a ufunc while it is made: its own, and those it takes over from one of NumPy's.
#pragma once

// NumPy's header first.
#include "numpy_api.h"

#include <vector>

namespace residue::python {

struct TypedLoop {
  PyUFuncGenericFunction function;
  void* data;
  std::vector<char> types;  // numbers of NumPy's types: inputs, then outputs
};

// NumPy's loops of a ufunc, by types.
std::vector<TypedLoop> LoopsOf(const PyUFuncObject& ufunc);

// numpy.<name>, or where NumPy keeps it; nullptr with a Python error. A borrowed reference: NumPy stays.
PyUFuncObject* FindNumpyUfunc(const char* name);

struct UfuncText {
  const char* name;
  const char* documentation;
};

// A ufunc with these loops. `peer` is NumPy's with the same meaning, whose identity and choice of types it
// has, and what it computes of other types than the loops'; or nullptr: then NumPy chooses the first loop
// that fits, and `refuse` says why none does. Text and loops are kept for the life of the process. nullptr
// with a Python error. May throw bad_alloc.
PyObject* MakeUfunc(UfuncText text, const std::vector<TypedLoop>& loops, int inputs, int outputs,
                    const PyUFuncObject* peer, PyUFunc_TypeResolutionFunc* refuse);

}  // namespace residue::python
