// How many threads a call may use: one, unless somebody asks for more. Schedulers that run us on all cores
// already, as Dask does, would otherwise find each core asked for by each of their tasks.
//
// A block (`with residue.threads(2):`) asks for the calls made inside it. Blocks of ordinary functions belong
// to their thread until they are left, on whatever thread that is. Blocks of generators and coroutines belong
// to the frame that entered them, and count only on the thread that is executing it.
#pragma once

// NumPy's header first.
#include "numpy_api.h"

#include <cstdint>

namespace residue::python {

// For the calling thread: what its innermost block gives, or else what the process was given. 0 means as many
// as there are. Needs no GIL, and takes it only while some generator or coroutine is inside a block.
uint32_t NumThreads() noexcept;

void SetProcessThreads(uint32_t count) noexcept;

// The rest needs the GIL. `object` is the residue.threads; `frame` is who enters or leaves, or None, and
// `suspends` whether it is a generator's or a coroutine's. false with a Python error if there is no memory.
bool EnterBlock(PyObject* object, uint32_t count, PyObject* frame, bool suspends) noexcept;

// Leaves the latest block of `object` that `frame` entered; if there is none, as when an ExitStack was handed
// on, the latest of this thread, or else of any. false with a Python error if `object` is inside no block.
bool LeaveBlock(PyObject* object, PyObject* frame) noexcept;

}  // namespace residue::python
