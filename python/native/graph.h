// residue._native.Graph: a compiled residue_graph, for arrays of known types, shapes and strides or for rows
// of any length.
#pragma once

// NumPy's header first.
#include "numpy_api.h"

#include <cstdint>
#include <optional>

#include "residue/residue.h"

namespace residue::python {

// Of a Graph; nullptr with a Python error if it is none. Lives as long as the object.
const residue_graph* GraphOf(PyObject* object) noexcept;

struct GraphRun {
  const void* const* inputs;
  void* const* outputs;
  uint64_t output_bytes;
  std::optional<uint64_t> first = std::nullopt;  // elements of each row, of a graph of rows
};

// The exceptions, or -1 with a Python error. Lets go of the GIL where it is worth while.
int64_t RunGraph(const residue_graph* graph, const GraphRun& run) noexcept;

// The type, for the module; nullptr with a Python error.
PyObject* MakeGraphType();

}  // namespace residue::python
