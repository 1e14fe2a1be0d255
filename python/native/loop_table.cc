#include "loop_table.h"

#include <cstddef>

namespace residue::python {
namespace {

// Pairs: a tuple of types, and what NumPy does with operands of these. For most types that is a loop of the
// table that a ufunc is made with; others are entered afterwards: comparisons with Python's integers of any
// size, strings, and truth values of operands that have no common type. NumPy keeps the pairs in a list, and
// since 2.5 in a dict by their types. It documents neither: where there is none, there is nothing to take
// over.
bool IsPair(PyObject* entry) noexcept { return PyTuple_Check(entry) != 0 && PyTuple_Size(entry) == 2; }

// The types that a list has pairs for, as a new set; nullptr with a Python error.
PyObject* TypesOfPairs(PyObject* list) {
  PyObject* types = PySet_New(nullptr);
  for (Py_ssize_t i = 0; types != nullptr && i < PyList_Size(list); ++i) {
    PyObject* entry = PyList_GetItem(list, i);
    if (IsPair(entry) && PySet_Add(types, PyTuple_GetItem(entry, 0)) < 0) Py_CLEAR(types);
  }
  return types;
}

// Appends the pairs whose types the list lacks. False with a Python error.
bool MergeLists(PyObject* list, PyObject* others) {
  PyObject* known = TypesOfPairs(list);
  bool merged = known != nullptr;
  for (Py_ssize_t i = 0; merged && i < PyList_Size(others); ++i) {
    PyObject* entry = PyList_GetItem(others, i);
    if (!IsPair(entry)) continue;
    const int is_known = PySet_Contains(known, PyTuple_GetItem(entry, 0));
    merged = is_known > 0 || (is_known == 0 && PyList_Append(list, entry) == 0);
  }
  Py_XDECREF(known);
  return merged;
}

// What the peer computes of types that the ufunc has no loop for. False with a Python error.
bool TakeOverOtherTypes(const PyUFuncObject& ufunc, const PyUFuncObject& peer) {
  PyObject* pairs = ufunc._loops;
  PyObject* others = peer._loops;
  if (pairs == nullptr || others == nullptr) return true;
  if (PyDict_Check(pairs) != 0 && PyDict_Check(others) != 0) return PyDict_Merge(pairs, others, 0) == 0;
  if (PyList_Check(pairs) != 0 && PyList_Check(others) != 0) return MergeLists(pairs, others);
  return true;
}

}  // namespace

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
  if (peer != nullptr && !TakeOverOtherTypes(*ufunc, *peer)) {
    Py_DECREF(made);
    return nullptr;
  }
  if (peer != nullptr && peer->type_resolver != nullptr) ufunc->type_resolver = peer->type_resolver;
  if (peer == nullptr && refuse != nullptr) ufunc->type_resolver = refuse;
  return made;
}

}  // namespace residue::python
