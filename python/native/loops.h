// The inner loops of the ufuncs: what NumPy calls with pointers, strides and a count.
#pragma once

// NumPy's header first.
#include "numpy_api.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/params.h"
#include "residue/residue.h"

namespace residue::python {

inline constexpr uint32_t kMostOperands = 8;

// What a loop is told besides its operands, which are the operator's inputs, those of its params that are
// operands, and the output.
struct LoopKind {
  residue_operator op = 0;
  residue_type types[4] = {};  // of the inputs and the output
  uint32_t inputs = 0;
  uint32_t parameters = 0;       // operands after the inputs
  uint32_t parameter_bytes = 0;  // of each of them
  uint32_t params_bytes = 0;     // of the operator's params; 0 if it has none
  Params params;                 // those that are not operands

  uint32_t output() const noexcept { return inputs + parameters; }
};

// Computes an operator; `data` is a LoopKind. Called without the GIL unless there is little to do.
void RunLoop(char** operands, const npy_intp* counts, const npy_intp* strides, void* data);

// The same for a first operand of truth values, any byte but 0, where the operator takes them for 0 and 1.
void RunLoopOfTruths(char** operands, const npy_intp* counts, const npy_intp* strides, void* data);

// Does an element read what another has written? NumPy reduces and accumulates so. `inputs` operands are
// read, number `output` is written.
bool DependsOnOrder(char* const* operands, const npy_intp* strides, uint32_t inputs, uint32_t output,
                    npy_intp count) noexcept;

// Computes an operator without telling NumPy, for loops that are made of several. The operands do not
// overlap, except that the output may be an input. Returns RESIDUE_DIVISION_BY_ZERO and so on.
uint32_t RunQuietly(residue_operator op, residue_type type, const char* a, npy_intp a_stride, const char* b,
                    npy_intp b_stride, char* out, npy_intp out_stride, npy_intp count) noexcept;

// An element, which need not be aligned.
template <class T>
T LoadElement(const char* from) noexcept {
  T value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}

// NumPy looks at the flags after the loop, and warns, raises or calls as np.errstate says.
void RaiseFlags(uint32_t exceptions) noexcept;

}  // namespace residue::python
