// The extension module residue._native: two ufuncs, the number of threads, and what the library says of
// itself.
#define RESIDUE_LOADS_NUMPY
#include "numpy_api.h"

// NumPy's header first.
#include "documentation.h"
#include "loops.h"
#include "threads.h"

namespace residue::python {
namespace {

constexpr long kMostThreads = 4096;

// A number of threads, 0 for all, or -1 with a Python error.
long ReadThreads(PyObject* number) {
  const long count = PyLong_AsLong(number);
  if (count == -1 && PyErr_Occurred() != nullptr) {
    if (PyErr_ExceptionMatches(PyExc_OverflowError) == 0) return -1;
    PyErr_Clear();
  } else if (count >= 0 && count <= kMostThreads) {
    return count;
  }
  PyErr_Format(PyExc_ValueError,
               "the number of threads must be 0 (as many as there are cores) to %ld, not %R", kMostThreads,
               number);
  return -1;
}

PyObject* SetNumThreads(PyObject*, PyObject* number) {
  const long count = ReadThreads(number);
  if (count < 0) return nullptr;
  SetProcessThreads(static_cast<uint32_t>(count));
  Py_RETURN_NONE;
}

PyObject* GetNumThreads(PyObject*, PyObject*) { return PyLong_FromUnsignedLong(NumThreads()); }

// These three are for the context manager.
PyObject* CheckThreads(PyObject*, PyObject* number) {
  const long count = ReadThreads(number);
  return count < 0 ? nullptr : PyLong_FromLong(count);
}

PyObject* Enter(PyObject*, PyObject* arguments) {
  PyObject* object;
  unsigned count;
  PyObject* frame;
  int suspends;
  if (PyArg_ParseTuple(arguments, "OIOp", &object, &count, &frame, &suspends) == 0) return nullptr;
  if (!EnterBlock(object, count, frame, suspends != 0)) return nullptr;
  Py_RETURN_NONE;
}

PyObject* Leave(PyObject*, PyObject* arguments) {
  PyObject* object;
  PyObject* frame;
  if (PyArg_ParseTuple(arguments, "OO", &object, &frame) == 0 || !LeaveBlock(object, frame)) return nullptr;
  Py_RETURN_NONE;
}

PyObject* Targets(PyObject*, PyObject*) {
  PyObject* names = PyList_New(0);
  for (uint32_t i = 0; names != nullptr && residue_target_name(i) != nullptr; ++i) {
    PyObject* name = PyUnicode_FromString(residue_target_name(i));
    if (name == nullptr || PyList_Append(names, name) < 0) Py_CLEAR(names);
    Py_XDECREF(name);
  }
  return names;
}

// {"int8": "modulus_floor.i8@AVX3", ...}
PyObject* Kernels(PyObject*, PyObject*) {
  PyObject* kernels = PyDict_New();
  for (const ElementType& type : kElementTypes) {
    if (kernels == nullptr) break;
    residue_operand operands[3] = {};
    for (residue_operand& operand : operands) {
      operand.type = type.type;
      operand.strides[0] = type.size;
    }
    residue_problem problem = {};
    problem.size = sizeof(problem);
    problem.op = RESIDUE_MODULUS_FLOOR;
    problem.rank = 1;
    problem.operand_count = 3;
    problem.operands = operands;
    problem.sizes[0] = 1024;
    char text[128] = "";
    residue_describe(&problem, text, sizeof(text));
    PyObject* name = PyUnicode_FromString(text);
    if (name == nullptr || PyDict_SetItemString(kernels, type.name, name) < 0) Py_CLEAR(kernels);
    Py_XDECREF(name);
  }
  return kernels;
}

PyMethodDef kMethods[] = {
    {"set_num_threads", &SetNumThreads, METH_O, kSetNumThreadsDocumentation},
    {"get_num_threads", &GetNumThreads, METH_NOARGS, kGetNumThreadsDocumentation},
    {"check_threads", &CheckThreads, METH_O, nullptr},
    {"enter_block", &Enter, METH_VARARGS, nullptr},
    {"leave_block", &Leave, METH_VARARGS, nullptr},
    {"targets", &Targets, METH_NOARGS, nullptr},
    {"kernels", &Kernels, METH_NOARGS, nullptr},
    {},
};

// Takes over the reference to value, which may be nullptr.
bool Add(PyObject* module, const char* name, PyObject* value) {
  const bool added = value != nullptr && PyModule_AddObjectRef(module, name, value) == 0;
  Py_XDECREF(value);
  return added;
}

bool Fill(PyObject* module) {
  return Add(module, "floor", MakeUfunc(RESIDUE_MODULUS_FLOOR, "mod_floor", kModFloorDocumentation)) &&
         Add(module, "trunc", MakeUfunc(RESIDUE_MODULUS_TRUNCATE, "mod_trunc", kModTruncDocumentation)) &&
         Add(module, "version", PyUnicode_FromString(residue_version()));
}

PyModuleDef kModule = {
    PyModuleDef_HEAD_INIT, "residue._native", nullptr, -1, kMethods, nullptr, nullptr, nullptr, nullptr};

}  // namespace
}  // namespace residue::python

PyMODINIT_FUNC PyInit__native() {
  import_array();
  import_umath();
  PyObject* module = PyModule_Create(&residue::python::kModule);
  if (module != nullptr && !residue::python::Fill(module)) Py_CLEAR(module);
  return module;
}
