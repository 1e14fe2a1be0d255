// The extension module residue._native: the ufuncs, graphs, digests, the number of threads, and what the
// library says of itself.
#define RESIDUE_LOADS_NUMPY
#include "numpy_api.h"

// NumPy's header first.
#include <cstdint>
#include <cstdlib>
#include <iterator>

#include "digest.h"
#include "element_types.h"
#include "fused.h"
#include "graph.h"
#include "rows.h"
#include "threads.h"
#include "ufuncs.h"

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

// describe_row(operator, NumPy's number of a type, inputs): the row that computes an operator of one type,
// such as "modulus_floor.f32@AVX3".
PyObject* DescribeRow(PyObject*, PyObject* arguments) {
  int op;
  int numpy_type;
  int inputs;
  if (PyArg_ParseTuple(arguments, "iii", &op, &numpy_type, &inputs) == 0) return nullptr;
  const ElementType* type = FindElementType(numpy_type);
  constexpr int kMostInputs = 3;
  if (inputs < 0 || inputs > kMostInputs) {
    PyErr_Format(PyExc_ValueError, "inputs: %d was provided, but at most %d was expected", inputs,
                 kMostInputs);
    return nullptr;
  }
  residue_operand operands[kMostInputs + 1] = {};
  for (residue_operand& operand : operands) {
    operand.type = type == nullptr ? 0 : type->type;
    operand.strides[0] = type == nullptr ? 0 : type->size;
  }
  residue_problem problem = {};
  problem.size = sizeof(problem);
  problem.op = op;
  problem.rank = 1;
  problem.operand_count = static_cast<uint32_t>(inputs) + 1;
  problem.operands = operands;
  problem.sizes[0] = 1024;
  char text[256] = "";
  residue_describe(&problem, text, sizeof(text));
  return PyUnicode_FromString(text);
}

constexpr char kSetNumThreadsDocumentation[] = R"(set_num_threads(count, /)
--

Let every call use up to `count` threads; 0 means as many as there are cores.

The default is 1, or what the environment variable RESIDUE_NUM_THREADS says: schedulers such as Dask keep all cores
busy already. Threads are used where they help, on contiguous or evenly strided arrays of 256 KiB or more, and results
do not depend on them. `threads` does the same for the calls of one thread inside a ``with`` block.

Examples
--------
>>> import residue
>>> residue.set_num_threads(2)
>>> residue.get_num_threads()
2
>>> residue.set_num_threads(1)
)";

constexpr char kGetNumThreadsDocumentation[] = R"(get_num_threads()
--

How many threads a call from this thread may use; 0 means as many as there are cores.

Examples
--------
>>> import residue
>>> residue.get_num_threads()
1
)";

PyMethodDef kMethods[] = {
    {"set_num_threads", &SetNumThreads, METH_O, kSetNumThreadsDocumentation},
    {"get_num_threads", &GetNumThreads, METH_NOARGS, kGetNumThreadsDocumentation},
    {"check_threads", &CheckThreads, METH_O, nullptr},
    {"enter_block", &Enter, METH_VARARGS, nullptr},
    {"leave_block", &Leave, METH_VARARGS, nullptr},
    {"targets", &Targets, METH_NOARGS, nullptr},
    {"describe_row", &DescribeRow, METH_VARARGS, nullptr},
    {"digest_elements", &DigestElements, METH_VARARGS, nullptr},
    {"digest_function", &DigestFunction, METH_VARARGS, nullptr},
    {},
};

// Takes over the reference to value, which may be nullptr.
bool Add(PyObject* module, const char* name, PyObject* value) {
  const bool added = value != nullptr && PyModule_AddObjectRef(module, name, value) == 0;
  Py_XDECREF(value);
  return added;
}

// What the environment says; a value that is no number of threads is told and ignored.
bool ReadEnvironment() {
  const char* text = std::getenv("RESIDUE_NUM_THREADS");
  if (text == nullptr || *text == 0) return true;
  char* end;
  const long count = std::strtol(text, &end, 10);
  if (*end == 0 && count >= 0 && count <= kMostThreads) {
    SetProcessThreads(static_cast<uint32_t>(count));
    return true;
  }
  return PyErr_WarnFormat(
             PyExc_RuntimeWarning, 1,
             "RESIDUE_NUM_THREADS is %.40s, but 0 (as many as there are cores) to %ld was expected; "
             "it is ignored",
             text, kMostThreads) == 0;
}

// {"float32": RESIDUE_FLOAT32, ...}
PyObject* MakeTypes() {
  PyObject* types = PyDict_New();
  const auto add = [&types](const ElementType& type) {
    PyObject* number = PyLong_FromLong(type.type);
    if (types != nullptr && (number == nullptr || PyDict_SetItemString(types, type.name, number) < 0))
      Py_CLEAR(types);
    Py_XDECREF(number);
  };
  for (const ElementType& type : kElementTypes) add(type);
  add(kTruth);
  return types;
}

// NumPy's macros return from the function that they are in.
bool LoadNumpy() {
  import_array1(false);
  import_umath1(false);
  return true;
}

int Fill(PyObject* module) {
  const bool filled = LoadNumpy() && Add(module, "operators", MakeUfuncs()) &&
                      Add(module, "types", MakeTypes()) && Add(module, "Graph", MakeGraphType()) &&
                      Add(module, "Program", MakeProgramType()) && Add(module, "Fused", MakeFusedType()) &&
                      Add(module, "longest_row", PyLong_FromUnsignedLongLong(Rows::kLongest)) &&
                      Add(module, "version", PyUnicode_FromString(residue_version())) && ReadEnvironment();
  return filled ? 0 : -1;
}

// What a Python that knows this slot reads there; older ones refuse it, so it is added when the module is
// loaded. (The limited interface of 3.10 has neither name.)
constexpr long kPythonWithInterpreterSlot = 0x030C0000;
constexpr int kMultipleInterpretersSlot = 3;
void* const kNotSupported = nullptr;

PyModuleDef_Slot slots[] = {
    {Py_mod_exec, reinterpret_cast<void*>(&Fill)},
#ifdef Py_GIL_DISABLED
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {},  // for kMultipleInterpretersSlot
    {},
};

void AddInterpreterSlot() {
  PyObject* version = PySys_GetObject("hexversion");
  if (version != nullptr && PyLong_AsLong(version) >= kPythonWithInterpreterSlot)
    *(std::end(slots) - 2) = {kMultipleInterpretersSlot, kNotSupported};
}

PyModuleDef kModule = {
    PyModuleDef_HEAD_INIT, "residue._native", nullptr, 0, kMethods, slots, nullptr, nullptr, nullptr};

}  // namespace
}  // namespace residue::python

PyMODINIT_FUNC PyInit__native() {
  residue::python::AddInterpreterSlot();
  return PyModuleDef_Init(&residue::python::kModule);
}
