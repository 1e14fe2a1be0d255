#include "loop_table.h"

#include <cstddef>

namespace residue::python {

std::vector<TypedLoop> LoopsOf(const PyUFuncObject& ufunc) {
  std::vector<TypedLoop> loops;
  for (int i = 0; i < ufunc.ntypes; ++i) {
    const char* types = ufunc.types + static_cast<ptrdiff_t>(i) * ufunc.nargs;
    // What has no function is chosen by NumPy in another way.
    if (ufunc.functions[i] == nullptr) continue;
    loops.push_back({ufunc.functions[i], ufunc.data == nullptr ? nullptr : ufunc.data[i],
                     std::vector<char>(types, types + ufunc.nargs)});
  }
  return loops;
}

PyUFuncObject* FindNumpyUfunc(const char* name) {
  // np.clip is a function; its ufunc is elsewhere, under another name in NumPy 2.
  for (const char* module_name : {"numpy", "numpy._core.umath", "numpy.core.umath"}) {
    PyErr_Clear();
    PyObject* module = PyImport_ImportModule(module_name);
    if (module == nullptr) continue;
    PyObject* found = PyObject_GetAttrString(module, name);
    Py_DECREF(module);
    if (found == nullptr) continue;
    const bool is_ufunc = PyObject_TypeCheck(found, &PyUFunc_Type);
    Py_DECREF(found);
    if (is_ufunc) return reinterpret_cast<PyUFuncObject*>(found);
  }
  PyErr_Format(PyExc_ImportError, "NumPy has no ufunc %s", name);
  return nullptr;
}

PyObject* MakeUfunc(UfuncText text, const std::vector<TypedLoop>& loops, int inputs, int outputs,
                    const PyUFuncObject* peer, PyUFunc_TypeResolutionFunc* refuse) {
  const size_t operands = static_cast<size_t>(inputs) + static_cast<size_t>(outputs);
  auto* functions = new PyUFuncGenericFunction[loops.size()];
  auto* data = new void*[loops.size()];
  auto* types = new char[loops.size() * operands];
  for (size_t i = 0; i < loops.size(); ++i) {
    functions[i] = loops[i].function;
    data[i] = loops[i].data;
    for (size_t k = 0; k < operands; ++k) types[i * operands + k] = loops[i].types[k];
  }
  PyObject* made = PyUFunc_FromFuncAndDataAndSignatureAndIdentity(
      functions, data, types, static_cast<int>(loops.size()), inputs, outputs,
      peer == nullptr ? PyUFunc_None : peer->identity, text.name, text.documentation, 0, nullptr,
      peer == nullptr ? nullptr : peer->identity_value);
  if (made == nullptr) return nullptr;
  auto* ufunc = reinterpret_cast<PyUFuncObject*>(made);
  if (peer != nullptr && peer->type_resolver != nullptr) ufunc->type_resolver = peer->type_resolver;
  if (peer == nullptr && refuse != nullptr) ufunc->type_resolver = refuse;
  return made;
}

}  // namespace residue::python
