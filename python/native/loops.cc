#include "loops.h"

#include <cfenv>
#include <cstdint>
#include <iterator>

#include "threads.h"

namespace residue::python {
namespace {

// What a loop is told besides its operands.
struct LoopKind {
  residue_operator op;
  residue_type type;
};

// No more than one thread would compute these, whatever their type; so nobody need be asked.
constexpr npy_intp kFewElements = 4096;

constexpr int kTypeCount = std::size(kElementTypes);

// NumPy reduces and accumulates by calling the loop with an output that later elements read: the same element
// every time, or one that lies ahead. In all other cases it has made copies where operands overlap.
bool ReadsItsResults(const char* input, npy_intp input_stride, const char* out, npy_intp out_stride,
                     npy_intp count) noexcept {
  if (input_stride != out_stride) return false;
  const auto distance =
      static_cast<npy_intp>(reinterpret_cast<uintptr_t>(out) - reinterpret_cast<uintptr_t>(input));
  const npy_intp reach = (count - 1) * out_stride;
  const bool ahead = out_stride > 0 ? distance > 0 && distance <= reach : distance < 0 && distance >= reach;
  return ahead && distance % out_stride == 0;
}

bool IsInOrder(char** operands, const npy_intp* strides, npy_intp count) noexcept {
  if (count <= 1) return false;
  if (strides[2] == 0) return true;
  return ReadsItsResults(operands[0], strides[0], operands[2], strides[2], count) ||
         ReadsItsResults(operands[1], strides[1], operands[2], strides[2], count);
}

void RunInOrder(const LoopKind& kind, char** operands, const npy_intp* strides, npy_intp count,
                const residue_options& options) noexcept {
  residue_operand described[3] = {};
  for (int k = 0; k < 3; ++k) {
    described[k].type = kind.type;
    described[k].strides[0] = strides[k];
  }
  residue_problem problem = {};
  problem.size = sizeof(problem);
  problem.op = kind.op;
  problem.rank = 1;
  problem.operand_count = 3;
  problem.operands = described;
  problem.flags = RESIDUE_IN_ORDER;
  problem.sizes[0] = static_cast<uint64_t>(count);
  const void* const inputs[] = {operands[0], operands[1]};
  // Cannot fail: the operands are NumPy's, and nothing is allocated.
  (void)residue_run(&problem, inputs, operands[2], &options);
}

// NumPy looks at the flags after the loop, and warns, raises or calls as np.errstate says.
void RaiseFlags(uint32_t exceptions) noexcept {
  int flags = 0;
  if ((exceptions & RESIDUE_DIVISION_BY_ZERO) != 0) flags |= FE_DIVBYZERO;
  if ((exceptions & RESIDUE_INVALID_OPERATION) != 0) flags |= FE_INVALID;
  std::feraiseexcept(flags);
}

// Called without the GIL unless there is little to do.
void Loop(char** operands, const npy_intp* counts, const npy_intp* strides, void* data) {
  const auto& kind = *static_cast<const LoopKind*>(data);
  const npy_intp count = counts[0];
  uint32_t exceptions = 0;
  const residue_options options = {count < kFewElements ? 1 : NumThreads(), 0, nullptr, &exceptions};
  residue_status status = RESIDUE_OUTPUT_OVERLAPS_ITSELF;
  if (!IsInOrder(operands, strides, count)) {
    status = residue_run_strided(kind.op, kind.type, operands[0], strides[0], operands[1], strides[1],
                                 operands[2], strides[2], static_cast<uint64_t>(count), &options);
  }
  // An output that a user made overlap itself, or memory for a copy that is not to be had: NumPy would
  // compute one element after the other, and so do we.
  if (status != RESIDUE_OK) RunInOrder(kind, operands, strides, count, options);
  if (exceptions != 0) RaiseFlags(exceptions);
}

// What NumPy keeps pointers to; one per operator, for the life of the process.
struct UfuncTables {
  PyUFuncGenericFunction loops[kTypeCount];
  void* data[kTypeCount];
  char types[3 * kTypeCount];
  LoopKind kinds[kTypeCount];
};

}  // namespace

PyObject* MakeUfunc(residue_operator op, const char* name, const char* documentation) {
  static UfuncTables all_tables[2];
  UfuncTables& tables = all_tables[op == RESIDUE_MODULUS_FLOOR ? 0 : 1];
  for (int i = 0; i < kTypeCount; ++i) {
    const ElementType& type = kElementTypes[i];
    tables.kinds[i] = {op, type.type};
    tables.loops[i] = &Loop;
    tables.data[i] = &tables.kinds[i];
    for (int operand = 0; operand < 3; ++operand)
      tables.types[3 * i + operand] = static_cast<char>(type.numpy);
  }
  return PyUFunc_FromFuncAndData(tables.loops, tables.data, tables.types, kTypeCount, 2, 1, PyUFunc_None,
                                 name, documentation, 0);
}

}  // namespace residue::python
