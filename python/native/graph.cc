#include "graph.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "residue/residue.h"
#include "threads.h"

namespace residue::python {
namespace {

// Below this many bytes of outputs it is not worth while to let go of the GIL, nor to ask for threads.
constexpr uint64_t kFewBytes = 16384;

// What an array must be, to be given to a run.
struct Layout {
  int type;
  std::vector<npy_intp> shape;
  std::vector<npy_intp> strides;
  npy_intp lowest = 0;  // how far before the first element the memory begins, in bytes; not positive

  bool Fits(PyArrayObject* array) const noexcept {
    const auto rank = static_cast<size_t>(PyArray_NDIM(array));
    return PyArray_TYPE(array) == type && PyArray_ISNOTSWAPPED(array) && rank == shape.size() &&
           std::equal(shape.begin(), shape.end(), PyArray_DIMS(array)) &&
           std::equal(strides.begin(), strides.end(), PyArray_STRIDES(array));
  }
};

struct Compiled {
  residue_graph* graph = nullptr;
  std::vector<Layout> inputs;
  std::vector<Layout> outputs;
  uint64_t output_bytes = 0;

  Compiled() = default;
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;
  ~Compiled() { residue_graph_destroy(graph); }
};

struct GraphObject {
  PyObject_HEAD Compiled* compiled;
};

// Why the library refused what Python had made: a mistake of this package, or memory.
void SetError(const Compiled& compiled, residue_status status) {
  if (status == RESIDUE_OUT_OF_MEMORY) {
    PyErr_NoMemory();
    return;
  }
  char text[512] = "";
  if (compiled.graph != nullptr) residue_graph_describe(compiled.graph, text, sizeof(text));
  PyErr_Format(PyExc_ValueError, "%s%s%s", residue_status_text(status), *text == 0 ? "" : ": ", text);
}

struct Extent {
  npy_intp lowest = 0;
  npy_intp bytes = 0;
};

Extent ExtentOf(PyArrayObject* array) noexcept {
  if (PyArray_SIZE(array) == 0) return {};
  Extent extent = {0, PyArray_ITEMSIZE(array)};
  for (int i = 0; i < PyArray_NDIM(array); ++i) {
    const npy_intp reach = (PyArray_DIM(array, i) - 1) * PyArray_STRIDE(array, i);
    if (reach < 0) extent.lowest += reach;
    extent.bytes += reach < 0 ? -reach : reach;
  }
  return extent;
}

Layout LayoutOf(PyArrayObject* array) {
  const int rank = PyArray_NDIM(array);
  return {PyArray_TYPE(array), std::vector<npy_intp>(PyArray_DIMS(array), PyArray_DIMS(array) + rank),
          std::vector<npy_intp>(PyArray_STRIDES(array), PyArray_STRIDES(array) + rank),
          ExtentOf(array).lowest};
}

residue_tensor_kind KindOf(const char* name) noexcept {
  if (std::strcmp(name, "input") == 0) return RESIDUE_TENSOR_INPUT;
  if (std::strcmp(name, "output") == 0) return RESIDUE_TENSOR_OUTPUT;
  return std::strcmp(name, "temporary") == 0 ? RESIDUE_TENSOR_TEMPORARY : RESIDUE_TENSOR_CONSTANT;
}

// One tensor of the description: ("input" | "output" | "constant" | "temporary", array or bytes). Constants
// are arrays; a graph with inputs or outputs of which only the bytes are known is run as one of rows.
residue_status AddTensor(Compiled* compiled, const char* name, PyObject* what) {
  uint32_t number;
  const residue_tensor_kind kind = KindOf(name);
  if (PyArray_Check(what) == 0) {
    const uint64_t bytes = PyLong_AsUnsignedLongLong(what);
    if (PyErr_Occurred() != nullptr) return RESIDUE_INVALID_SIZE;
    return residue_graph_add_tensor(compiled->graph, kind, bytes, nullptr, &number);
  }
  auto* array = reinterpret_cast<PyArrayObject*>(what);
  const Extent extent = ExtentOf(array);
  if (kind == RESIDUE_TENSOR_INPUT) compiled->inputs.push_back(LayoutOf(array));
  if (kind == RESIDUE_TENSOR_OUTPUT) {
    compiled->outputs.push_back(LayoutOf(array));
    compiled->output_bytes += static_cast<uint64_t>(PyArray_NBYTES(array));
  }
  return residue_graph_add_tensor(compiled->graph, kind, static_cast<uint64_t>(extent.bytes),
                                  PyArray_BYTES(array) + extent.lowest, &number);
}

// At most as many numbers as there may be dimensions; -1 with a Python error.
template <class T>
Py_ssize_t ReadNumbers(PyObject* tuple, T* numbers) {
  const Py_ssize_t count = PyTuple_Check(tuple) != 0 ? PyTuple_Size(tuple) : -1;
  if (count < 0 || count > RESIDUE_MAX_RANK) {
    PyErr_Format(PyExc_ValueError, "%zd dimensions were provided, but at most %d can be fused", count,
                 RESIDUE_MAX_RANK);
    return -1;
  }
  for (Py_ssize_t i = 0; i < count; ++i) {
    const long long number = PyLong_AsLongLong(PyTuple_GetItem(tuple, i));
    if (number == -1 && PyErr_Occurred() != nullptr) return -1;
    numbers[i] = static_cast<T>(number);
  }
  return count;
}

// One node: (operator, sizes, params, ((tensor, type, offset, strides), ...)), the result last.
residue_status AddNode(Compiled* compiled, PyObject* node) {
  int op;
  PyObject* sizes;
  const char* params;
  Py_ssize_t params_size;
  PyObject* operands;
  if (PyArg_ParseTuple(node, "iOy#O!", &op, &sizes, &params, &params_size, &PyTuple_Type, &operands) == 0)
    return RESIDUE_INVALID_OPERATOR;
  constexpr Py_ssize_t kMostNodeOperands = 4;
  const Py_ssize_t count = PyTuple_Size(operands);
  if (count > kMostNodeOperands) return RESIDUE_INVALID_OPERAND_COUNT;
  residue_operand described[kMostNodeOperands] = {};
  uint32_t tensors[kMostNodeOperands] = {};
  uint64_t offsets[kMostNodeOperands] = {};
  residue_problem problem = {};
  problem.size = sizeof(problem);
  problem.op = op;
  const Py_ssize_t rank = ReadNumbers(sizes, problem.sizes);
  if (rank < 0) return RESIDUE_INVALID_RANK;
  for (Py_ssize_t i = 0; i < count; ++i) {
    unsigned long long offset;
    PyObject* strides;
    if (PyArg_ParseTuple(PyTuple_GetItem(operands, i), "IiKO", &tensors[i], &described[i].type, &offset,
                         &strides) == 0 ||
        ReadNumbers(strides, described[i].strides) < 0)
      return RESIDUE_INVALID_TENSOR;
    offsets[i] = offset;
  }
  problem.rank = static_cast<uint32_t>(rank);
  problem.operand_count = static_cast<uint32_t>(count);
  problem.operands = described;
  problem.params = params_size == 0 ? nullptr : params;
  problem.params_size = static_cast<uint32_t>(params_size);
  return residue_graph_add_node(compiled->graph, &problem, tensors, offsets);
}

residue_status Build(Compiled* compiled, PyObject* tensors, PyObject* nodes) {
  residue_status status = residue_graph_create(&compiled->graph);
  for (Py_ssize_t i = 0; status == RESIDUE_OK && i < PyList_Size(tensors); ++i) {
    const char* kind;
    PyObject* what;
    if (PyArg_ParseTuple(PyList_GetItem(tensors, i), "sO", &kind, &what) == 0) return RESIDUE_INVALID_TENSOR;
    status = AddTensor(compiled, kind, what);
  }
  for (Py_ssize_t i = 0; status == RESIDUE_OK && i < PyList_Size(nodes); ++i)
    status = AddNode(compiled, PyList_GetItem(nodes, i));
  return status == RESIDUE_OK ? residue_graph_compile(compiled->graph) : status;
}

// Graph(tensors, nodes)
PyObject* New(PyTypeObject* type, PyObject* arguments, PyObject*) {
  PyObject* tensors;
  PyObject* nodes;
  if (PyArg_ParseTuple(arguments, "O!O!", &PyList_Type, &tensors, &PyList_Type, &nodes) == 0) return nullptr;
  std::unique_ptr<Compiled> compiled;
  try {
    compiled = std::make_unique<Compiled>();
    const residue_status status = Build(compiled.get(), tensors, nodes);
    if (status != RESIDUE_OK) {
      if (PyErr_Occurred() == nullptr) SetError(*compiled, status);
      return nullptr;
    }
  } catch (const std::bad_alloc&) {
    return PyErr_NoMemory();
  }
  PyObject* made = PyType_GenericAlloc(type, 0);
  if (made != nullptr) reinterpret_cast<GraphObject*>(made)->compiled = compiled.release();
  return made;
}

void Dealloc(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  delete reinterpret_cast<GraphObject*>(self)->compiled;
  PyObject_Free(self);
  Py_DECREF(type);
}

// Addresses of arrays that are as the graph was made for; false with a Python error.
template <class Pointer>
bool ReadArrays(PyObject* arrays, const std::vector<Layout>& layouts, std::vector<Pointer>* addresses) {
  if (PyTuple_Check(arrays) == 0 || static_cast<size_t>(PyTuple_Size(arrays)) != layouts.size()) {
    PyErr_SetString(PyExc_TypeError, "a graph takes a tuple of inputs and one of outputs");
    return false;
  }
  for (size_t i = 0; i < layouts.size(); ++i) {
    PyObject* object = PyTuple_GetItem(arrays, static_cast<Py_ssize_t>(i));
    auto* array = reinterpret_cast<PyArrayObject*>(object);
    if (PyArray_Check(object) == 0 || !layouts[i].Fits(array)) {
      PyErr_SetString(PyExc_ValueError, "an array has another type or layout than the graph was made for");
      return false;
    }
    addresses->push_back(PyArray_BYTES(array) + layouts[i].lowest);
  }
  return true;
}

bool AreWritable(PyObject* outputs) {
  for (Py_ssize_t i = 0; i < PyTuple_Size(outputs); ++i) {
    auto* array = reinterpret_cast<PyArrayObject*>(PyTuple_GetItem(outputs, i));
    if (PyArray_FailUnlessWriteable(array, "output array") < 0) return false;
  }
  return true;
}

// run(inputs, outputs) -> exceptions
PyObject* Run(PyObject* self, PyObject* arguments) {
  const Compiled& compiled = *reinterpret_cast<GraphObject*>(self)->compiled;
  PyObject* inputs;
  PyObject* outputs;
  if (PyArg_ParseTuple(arguments, "OO", &inputs, &outputs) == 0) return nullptr;
  std::vector<const void*> from;
  std::vector<void*> to;
  try {
    if (!ReadArrays(inputs, compiled.inputs, &from) || !ReadArrays(outputs, compiled.outputs, &to) ||
        !AreWritable(outputs))
      return nullptr;
  } catch (const std::bad_alloc&) {
    return PyErr_NoMemory();
  }
  const int64_t exceptions = RunGraph(compiled.graph, {from.data(), to.data(), compiled.output_bytes});
  return exceptions < 0 ? nullptr : PyLong_FromLongLong(exceptions);
}

// The walks over memory, a line for each.
PyObject* Describe(PyObject* self, PyObject*) {
  const Compiled& compiled = *reinterpret_cast<GraphObject*>(self)->compiled;
  std::string text;
  try {
    text.resize(size_t{1} << 16);
  } catch (const std::bad_alloc&) {
    return PyErr_NoMemory();
  }
  residue_graph_describe(compiled.graph, text.data(), text.size());
  return PyUnicode_FromString(text.c_str());
}

// temporary_bytes(), or of so many first elements of each row: temporary_bytes(count)
PyObject* TemporaryBytes(PyObject* self, PyObject* arguments) {
  const residue_graph* graph = reinterpret_cast<GraphObject*>(self)->compiled->graph;
  PyObject* count = nullptr;
  if (PyArg_ParseTuple(arguments, "|O", &count) == 0) return nullptr;
  if (count == nullptr) return PyLong_FromUnsignedLongLong(residue_graph_temporary_size(graph));
  const uint64_t first = PyLong_AsUnsignedLongLong(count);
  if (PyErr_Occurred() != nullptr) return nullptr;
  return PyLong_FromUnsignedLongLong(residue_graph_temporary_size_first(graph, first));
}

PyMethodDef kMethods[] = {
    {"run", &Run, METH_VARARGS, nullptr},
    {"describe", &Describe, METH_NOARGS, nullptr},
    {"temporary_bytes", &TemporaryBytes, METH_VARARGS, nullptr},
    {},
};

PyType_Slot kSlots[] = {
    {Py_tp_new, reinterpret_cast<void*>(&New)},
    {Py_tp_dealloc, reinterpret_cast<void*>(&Dealloc)},
    {Py_tp_methods, kMethods},
    {},
};

PyType_Spec kSpec = {"residue._native.Graph", sizeof(GraphObject), 0, Py_TPFLAGS_DEFAULT, kSlots};

// One for each process, as the module has no more.
PyTypeObject* graph_type = nullptr;

residue_status Run(const residue_graph* graph, const GraphRun& run, const residue_options& options) noexcept {
  if (!run.first) return residue_graph_run(graph, run.inputs, run.outputs, nullptr, &options);
  return residue_graph_run_first(graph, *run.first, run.inputs, run.outputs, nullptr, &options);
}

}  // namespace

const residue_graph* GraphOf(PyObject* object) noexcept {
  if (Py_TYPE(object) == graph_type) return reinterpret_cast<GraphObject*>(object)->compiled->graph;
  PyErr_SetString(PyExc_TypeError, "a program takes a graph");
  return nullptr;
}

int64_t RunGraph(const residue_graph* graph, const GraphRun& run) noexcept {
  uint32_t exceptions = 0;
  residue_options options = {1, 0, nullptr, &exceptions};
  residue_status status;
  if (run.output_bytes < kFewBytes) {
    status = Run(graph, run, options);
  } else {
    options.num_threads = NumThreads();
    Py_BEGIN_ALLOW_THREADS;
    status = Run(graph, run, options);
    Py_END_ALLOW_THREADS;
  }
  if (status == RESIDUE_OK) return exceptions;
  if (status == RESIDUE_OUT_OF_MEMORY) {
    PyErr_NoMemory();
  } else {
    PyErr_SetString(PyExc_ValueError, residue_status_text(status));
  }
  return -1;
}

PyObject* MakeGraphType() {
  PyObject* type = PyType_FromSpec(&kSpec);
  graph_type = reinterpret_cast<PyTypeObject*>(type);
  return type;
}

}  // namespace residue::python
