#include "fused.h"

#include <structmember.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

#include "graph.h"
#include "rows.h"

namespace residue::python {
namespace {

// An input or an output of the graph.
struct Port {
  Py_ssize_t which;  // the number of the argument; of a result, whether it is a row
  int type;          // NumPy's number
};

struct ProgramObject {
  PyObject_HEAD PyObject* graph;
  std::vector<Port>* arguments;  // in the order of the graph's inputs
  std::vector<Port>* results;
  bool is_tuple;  // whether the function returns one, and so do calls
};

// One for each process, as the module has no more.
PyTypeObject* program_type = nullptr;

// References that are let go together.
class References {
 public:
  References() = default;
  References(const References&) = delete;
  References& operator=(const References&) = delete;
  ~References() {
    for (PyArrayObject* array : arrays_) Py_DECREF(array);
  }
  // May throw bad_alloc; before that, takes over the reference.
  void Add(PyArrayObject* array) {
    try {
      arrays_.push_back(array);
    } catch (...) {
      Py_DECREF(array);
      throw;
    }
  }
  PyArrayObject* operator[](size_t index) const noexcept { return arrays_[index]; }

 private:
  std::vector<PyArrayObject*> arrays_;
};

// One call of a program. Steps answer false with a Python error, or without one if the program cannot do it.
class ProgramCall {
 public:
  ProgramCall(const ProgramObject& program, const Rows& rows) noexcept : program_(program), rows_(rows) {}

  bool ReadArguments() {
    for (const Port& port : *program_.arguments) {
      PyArrayObject* array = rows_.ArgumentAs(static_cast<size_t>(port.which), port.type);
      if (array == nullptr) return false;
      held_.Add(array);
      inputs_.push_back(PyArray_DATA(array));
    }
    return true;
  }

  bool MakeResults() {
    for (const Port& port : *program_.results) {
      PyArrayObject* array = port.which != 0
                                 ? rows_.MakeArray(port.type)
                                 : reinterpret_cast<PyArrayObject*>(PyArray_SimpleNew(0, nullptr, port.type));
      if (array == nullptr) return false;
      AddResult(array);
    }
    return true;
  }

  // Arrays that were given: one, or a tuple.
  bool TakeResults(PyObject* out) {
    const bool is_tuple = PyTuple_CheckExact(out) != 0;
    if ((is_tuple ? static_cast<size_t>(PyTuple_Size(out)) : 1) != program_.results->size()) return false;
    for (size_t i = 0; i < program_.results->size(); ++i) {
      PyObject* object = is_tuple ? PyTuple_GetItem(out, static_cast<Py_ssize_t>(i)) : out;
      if (!Takes((*program_.results)[i], object)) return false;
      Py_INCREF(object);
      AddResult(reinterpret_cast<PyArrayObject*>(object));
    }
    return true;
  }

  // The exceptions, or -1 with a Python error.
  int64_t Run(const residue_graph* graph) noexcept {
    return RunGraph(graph, {inputs_.data(), outputs_.data(), output_bytes_, rows_.length()});
  }

  // What the function returns; arrays that were given are returned as they are.
  PyObject* Result(bool were_given) const {
    if (!program_.is_tuple) return ResultAt(0, were_given);
    PyObject* tuple = PyTuple_New(static_cast<Py_ssize_t>(program_.results->size()));
    for (size_t i = 0; tuple != nullptr && i < program_.results->size(); ++i) {
      PyObject* result = ResultAt(i, were_given);
      if (result == nullptr) {
        Py_CLEAR(tuple);
      } else {
        PyTuple_SetItem(tuple, static_cast<Py_ssize_t>(i), result);
      }
    }
    return tuple;
  }

 private:
  void AddResult(PyArrayObject* array) {
    results_.Add(array);
    outputs_.push_back(PyArray_DATA(array));
    output_bytes_ += static_cast<uint64_t>(PyArray_NBYTES(array));
  }

  bool Takes(const Port& port, PyObject* object) const noexcept {
    if (!PyArray_CheckExact(object)) return false;
    auto* array = reinterpret_cast<PyArrayObject*>(object);
    return PyArray_TYPE(array) == port.type && PyArray_ISNOTSWAPPED(array) && PyArray_ISWRITEABLE(array) &&
           (port.which != 0 ? rows_.Takes(array) : PyArray_NDIM(array) == 0);
  }

  PyObject* ResultAt(size_t index, bool was_given) const {
    PyArrayObject* array = results_[index];
    Py_INCREF(array);
    return was_given ? reinterpret_cast<PyObject*>(array) : PyArray_Return(array);
  }

  const ProgramObject& program_;
  const Rows& rows_;
  References held_;
  References results_;
  std::vector<const void*> inputs_;
  std::vector<void*> outputs_;
  uint64_t output_bytes_ = 0;
};

bool ReadPorts(PyObject* list, std::vector<Port>* ports) {
  for (Py_ssize_t i = 0; i < PyList_Size(list); ++i) {
    Port port;
    if (PyArg_ParseTuple(PyList_GetItem(list, i), "ni", &port.which, &port.type) == 0) return false;
    ports->push_back(port);
  }
  return true;
}

// Program(graph, [(argument, type), ...], [(is_row, type), ...], is_tuple)
PyObject* NewProgram(PyTypeObject* type, PyObject* arguments, PyObject*) {
  PyObject* graph;
  PyObject* readings;
  PyObject* writings;
  int is_tuple;
  if (PyArg_ParseTuple(arguments, "OO!O!p", &graph, &PyList_Type, &readings, &PyList_Type, &writings,
                       &is_tuple) == 0 ||
      GraphOf(graph) == nullptr)
    return nullptr;
  PyObject* made = PyType_GenericAlloc(type, 0);
  if (made == nullptr) return nullptr;
  auto* program = reinterpret_cast<ProgramObject*>(made);
  Py_INCREF(graph);
  program->graph = graph;
  program->is_tuple = is_tuple != 0;
  try {
    program->arguments = new std::vector<Port>;
    program->results = new std::vector<Port>;
    if (ReadPorts(readings, program->arguments) && ReadPorts(writings, program->results)) return made;
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  }
  Py_DECREF(made);
  return nullptr;
}

void DeallocProgram(PyObject* self) {
  auto* program = reinterpret_cast<ProgramObject*>(self);
  PyTypeObject* type = Py_TYPE(self);
  Py_XDECREF(program->graph);
  delete program->arguments;
  delete program->results;
  PyObject_Free(self);
  Py_DECREF(type);
}

PyMemberDef kProgramMembers[] = {
    {"graph", T_OBJECT, offsetof(ProgramObject, graph), READONLY, nullptr},
    {},
};

PyType_Slot kProgramSlots[] = {
    {Py_tp_new, reinterpret_cast<void*>(&NewProgram)},
    {Py_tp_dealloc, reinterpret_cast<void*>(&DeallocProgram)},
    {Py_tp_members, kProgramMembers},
    {},
};

PyType_Spec kProgramSpec = {"residue._native.Program", sizeof(ProgramObject), 0, Py_TPFLAGS_DEFAULT,
                            kProgramSlots};

struct FusedObject {
  PyObject_HEAD PyObject* programs;  // a dict, by Rows::MakeKey; None where the shape matters
  PyObject* parameters;              // a tuple of the names that arguments may be given by, or None
  Py_ssize_t positional;             // how many of them need no name
};

// Names that every call looks for.
PyObject* call_slowly_name = nullptr;
PyObject* out_name = nullptr;

// What a call gives, in the order of the parameters. Names are needed behind one that is left out, and where
// the function wants them.
struct Given {
  std::array<PyObject*, Rows::kMostArguments> objects;
  size_t count = 0;
  uint64_t named = 0;  // bit i: parameter i, by name
  PyObject* out = nullptr;
};

// False if Python has to sort them, or with a Python error.
bool ReadNamed(const FusedObject& self, PyObject* options, Given* given) {
  given->out = PyDict_GetItemWithError(options, out_name);
  if (given->out == nullptr && PyErr_Occurred() != nullptr) return false;
  Py_ssize_t left = PyDict_Size(options) - (given->out == nullptr ? 0 : 1);
  if (given->out == Py_None) given->out = nullptr;
  if (left == 0) return true;
  if (self.parameters == Py_None) return false;
  const auto parameters = static_cast<size_t>(PyTuple_Size(self.parameters));
  if (given->count > static_cast<size_t>(self.positional) || parameters > Rows::kMostArguments) return false;
  for (size_t i = given->count; i < parameters; ++i) {
    PyObject* object =
        PyDict_GetItemWithError(options, PyTuple_GetItem(self.parameters, static_cast<Py_ssize_t>(i)));
    if (object == nullptr && PyErr_Occurred() != nullptr) return false;
    if (object == nullptr) continue;
    if (i != given->count || i >= static_cast<size_t>(self.positional)) given->named |= uint64_t{1} << i;
    given->objects[given->count++] = object;
    --left;
  }
  return left == 0;
}

bool ReadCall(const FusedObject& self, PyObject* arguments, PyObject* options, Given* given) {
  const Py_ssize_t count = PyTuple_Size(arguments);
  if (count > static_cast<Py_ssize_t>(Rows::kMostArguments)) return false;
  for (; given->count < static_cast<size_t>(count); ++given->count)
    given->objects[given->count] = PyTuple_GetItem(arguments, static_cast<Py_ssize_t>(given->count));
  return options == nullptr || PyDict_Size(options) == 0 || ReadNamed(self, options, given);
}

// The names that the last of the arguments have, from Python.
bool ReadNames(const FusedObject& self, PyObject* names, Given* given) {
  if (PyTuple_Size(names) == 0) return true;
  if (self.parameters == Py_None || PyTuple_Size(self.parameters) > 64) return false;
  for (Py_ssize_t i = 0; i < PyTuple_Size(names); ++i) {
    const Py_ssize_t index = PySequence_Index(self.parameters, PyTuple_GetItem(names, i));
    if (index < 0) {
      PyErr_Clear();
      return false;
    }
    given->named |= uint64_t{1} << index;
  }
  return true;
}

// A new reference to the program, or nullptr; with a Python error only if there is no memory.
ProgramObject* FindProgram(const FusedObject& self, const Rows& rows, uint64_t named) {
  PyObject* key = rows.MakeKey(named);
  if (key == nullptr) return nullptr;
  PyObject* found;
#ifdef Py_GIL_DISABLED
  PyDict_GetItemRef(self.programs, key, &found);
#else
  found = PyDict_GetItemWithError(self.programs, key);
  Py_XINCREF(found);
#endif
  Py_DECREF(key);
  if (found != nullptr && Py_TYPE(found) == program_type) return reinterpret_cast<ProgramObject*>(found);
  Py_XDECREF(found);
  return nullptr;
}

// The result, or nullptr: with a Python error, or without one if Python has to do it.
PyObject* RunRows(PyObject* self, const Given& given) {
  Rows rows;
  if (!rows.Read(given.objects.data(), given.count)) return nullptr;
  ProgramObject* program = FindProgram(*reinterpret_cast<FusedObject*>(self), rows, given.named);
  if (program == nullptr) return nullptr;
  PyObject* result = nullptr;
  try {
    ProgramCall call(*program, rows);
    if (call.ReadArguments() && (given.out == nullptr ? call.MakeResults() : call.TakeResults(given.out))) {
      const int64_t exceptions = call.Run(GraphOf(program->graph));
      PyObject* reported = exceptions > 0
                               ? PyObject_CallMethod(self, "_report", "L", static_cast<long long>(exceptions))
                               : nullptr;
      Py_XDECREF(reported);
      if (exceptions == 0 || reported != nullptr) result = call.Result(given.out != nullptr);
    }
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  }
  Py_DECREF(program);
  return result;
}

PyObject* Call(PyObject* self, PyObject* arguments, PyObject* options) {
  Given given;
  if (ReadCall(*reinterpret_cast<FusedObject*>(self), arguments, options, &given)) {
    PyObject* result = RunRows(self, given);
    if (result != nullptr) return result;
  }
  if (PyErr_Occurred() != nullptr) return nullptr;
  PyObject* method = PyObject_GetAttr(self, call_slowly_name);
  PyObject* result = method == nullptr ? nullptr : PyObject_Call(method, arguments, options);
  Py_XDECREF(method);
  return result;
}

// From Python: (arguments, names of the last of them, ...)
bool ReadMethod(PyObject* self, PyObject* arguments, PyObject* names, Given* given) {
  return ReadCall(*reinterpret_cast<FusedObject*>(self), arguments, nullptr, given) &&
         ReadNames(*reinterpret_cast<FusedObject*>(self), names, given);
}

// The key of the program for these, or None.
PyObject* RowsKey(PyObject* self, PyObject* arguments) {
  PyObject* objects;
  PyObject* names;
  if (PyArg_ParseTuple(arguments, "O!O!", &PyTuple_Type, &objects, &PyTuple_Type, &names) == 0)
    return nullptr;
  Given given;
  Rows rows;
  if (ReadMethod(self, objects, names, &given) && rows.Read(given.objects.data(), given.count))
    return rows.MakeKey(given.named);
  if (PyErr_Occurred() != nullptr) return nullptr;
  Py_RETURN_NONE;
}

// The result, or NotImplemented.
PyObject* RunRowsOf(PyObject* self, PyObject* arguments) {
  PyObject* objects;
  PyObject* names;
  PyObject* out;
  if (PyArg_ParseTuple(arguments, "O!O!O", &PyTuple_Type, &objects, &PyTuple_Type, &names, &out) == 0)
    return nullptr;
  Given given;
  PyObject* result = nullptr;
  if (ReadMethod(self, objects, names, &given)) {
    given.out = out == Py_None ? nullptr : out;
    result = RunRows(self, given);
  }
  if (result != nullptr || PyErr_Occurred() != nullptr) return result;
  Py_RETURN_NOTIMPLEMENTED;
}

PyObject* NewFused(PyTypeObject* type, PyObject*, PyObject*) {
  PyObject* made = PyType_GenericAlloc(type, 0);
  if (made == nullptr) return nullptr;
  auto* fused = reinterpret_cast<FusedObject*>(made);
  Py_INCREF(Py_None);
  fused->parameters = Py_None;
  fused->programs = PyDict_New();
  if (fused->programs == nullptr) Py_CLEAR(made);
  return made;
}

int TraverseFused(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(reinterpret_cast<FusedObject*>(self)->programs);
  Py_VISIT(reinterpret_cast<FusedObject*>(self)->parameters);
  return 0;
}

int ClearFused(PyObject* self) {
  // A call may still come: with nothing kept.
  PyDict_Clear(reinterpret_cast<FusedObject*>(self)->programs);
  return 0;
}

void DeallocFused(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  Py_XDECREF(reinterpret_cast<FusedObject*>(self)->programs);
  Py_XDECREF(reinterpret_cast<FusedObject*>(self)->parameters);
  PyObject_GC_Del(self);
  Py_DECREF(type);
}

PyObject* Programs(PyObject* self, void*) {
  PyObject* programs = reinterpret_cast<FusedObject*>(self)->programs;
  Py_INCREF(programs);
  return programs;
}

// _take_names(names, positional): by which names arguments may be given, and how many of them need none.
PyObject* TakeNames(PyObject* self, PyObject* arguments) {
  PyObject* names;
  Py_ssize_t positional;
  if (PyArg_ParseTuple(arguments, "O!n", &PyTuple_Type, &names, &positional) == 0) return nullptr;
  auto* fused = reinterpret_cast<FusedObject*>(self);
  PyObject* before = fused->parameters;
  Py_INCREF(names);
  fused->parameters = names;
  fused->positional = positional;
  Py_DECREF(before);
  Py_RETURN_NONE;
}

PyMethodDef kFusedMethods[] = {
    {"_rows_key", &RowsKey, METH_VARARGS, nullptr},
    {"_run_rows", &RunRowsOf, METH_VARARGS, nullptr},
    {"_take_names", &TakeNames, METH_VARARGS, nullptr},
    {},
};

PyGetSetDef kFusedAttributes[] = {
    {"_programs", &Programs, nullptr, nullptr, nullptr},
    {},
};

PyType_Slot kFusedSlots[] = {
    {Py_tp_new, reinterpret_cast<void*>(&NewFused)},
    {Py_tp_dealloc, reinterpret_cast<void*>(&DeallocFused)},
    {Py_tp_traverse, reinterpret_cast<void*>(&TraverseFused)},
    {Py_tp_clear, reinterpret_cast<void*>(&ClearFused)},
    {Py_tp_call, reinterpret_cast<void*>(&Call)},
    {Py_tp_methods, kFusedMethods},
    {Py_tp_getset, kFusedAttributes},
    {},
};

PyType_Spec kFusedSpec = {"residue._native.Fused", sizeof(FusedObject), 0,
                          Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, kFusedSlots};

}  // namespace

PyObject* MakeProgramType() {
  PyObject* type = PyType_FromSpec(&kProgramSpec);
  program_type = reinterpret_cast<PyTypeObject*>(type);
  return type;
}

PyObject* MakeFusedType() {
  call_slowly_name = PyUnicode_InternFromString("_call_slowly");
  out_name = PyUnicode_InternFromString("out");
  if (call_slowly_name == nullptr || out_name == nullptr) return nullptr;
  return PyType_FromSpec(&kFusedSpec);
}

}  // namespace residue::python
