#include "loops.h"

#include <algorithm>
#include <cfenv>
#include <cstring>

#include "threads.h"

namespace residue::python {
namespace {

// No more than one thread would compute these, whatever their type; so nobody need be asked.
constexpr npy_intp kFewElements = 4096;

// Some elements of all operands.
struct Part {
  char* operands[kMostOperands];
  const npy_intp* strides;
  npy_intp count;
};

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

residue_status RunProblem(const LoopKind& kind, const Params& params, const Part& part, uint32_t flags,
                          const residue_options& options) noexcept {
  residue_operand described[4] = {};
  const void* inputs[3] = {};
  for (uint32_t k = 0; k <= kind.inputs; ++k) {
    const uint32_t operand = k < kind.inputs ? k : kind.output();
    described[k].type = kind.types[k];
    described[k].strides[0] = part.strides[operand];
    if (k < kind.inputs) inputs[k] = part.operands[operand];
  }
  residue_problem problem = {};
  problem.size = sizeof(problem);
  problem.op = kind.op;
  problem.rank = 1;
  problem.operand_count = kind.inputs + 1;
  problem.operands = described;
  problem.flags = flags;
  problem.sizes[0] = static_cast<uint64_t>(part.count);
  problem.params = kind.params_bytes == 0 ? nullptr : params.bytes;
  problem.params_size = kind.params_bytes;
  return residue_run(&problem, inputs, part.operands[kind.output()], &options);
}

// The short form takes operators of one or two inputs of one type.
bool HasShortForm(const LoopKind& kind) noexcept {
  return kind.params_bytes == 0 && kind.inputs <= 2 && (kind.inputs == 1 || kind.types[0] == kind.types[1]) &&
         kind.op != RESIDUE_CAST;
}

residue_status RunAtOnce(const LoopKind& kind, const Params& params, const Part& part,
                         const residue_options& options) noexcept {
  if (!HasShortForm(kind)) return RunProblem(kind, params, part, 0, options);
  const bool binary = kind.inputs == 2;
  const uint32_t out = kind.output();
  return residue_run_strided(kind.op, kind.types[0], part.operands[0], part.strides[0],
                             binary ? part.operands[1] : nullptr, binary ? part.strides[1] : 0,
                             part.operands[out], part.strides[out], static_cast<uint64_t>(part.count),
                             &options);
}

// One set of params for all elements of the part.
uint32_t Run(const LoopKind& kind, const Params& params, const Part& part) noexcept {
  uint32_t exceptions = 0;
  const residue_options options = {part.count < kFewElements ? 1 : NumThreads(), 0, nullptr, &exceptions};
  residue_status status = RESIDUE_OUTPUT_OVERLAPS_ITSELF;
  if (!DependsOnOrder(part.operands, part.strides, kind.inputs, kind.output(), part.count))
    status = RunAtOnce(kind, params, part, options);
  // An output that a user made overlap itself, or memory for a copy that is not to be had: NumPy would
  // compute one element after the other, and so do we. That cannot fail: the operands are NumPy's, and
  // nothing is allocated.
  if (status != RESIDUE_OK) (void)RunProblem(kind, params, part, RESIDUE_IN_ORDER, options);
  return exceptions;
}

bool AreSame(const LoopKind& kind, char* const* operands, const npy_intp* strides, npy_intp first,
             npy_intp second) noexcept {
  for (uint32_t i = kind.inputs; i < kind.output(); ++i) {
    if (std::memcmp(operands[i] + first * strides[i], operands[i] + second * strides[i],
                    kind.parameter_bytes) != 0)
      return false;
  }
  return true;
}

Params ReadOperands(const LoopKind& kind, const Part& part) noexcept {
  Params params;
  const size_t slot = kind.params_bytes / kind.parameters;
  for (uint32_t i = 0; i < kind.parameters; ++i)
    std::memcpy(params.bytes + i * slot, part.operands[kind.inputs + i], kind.parameter_bytes);
  return params;
}

bool AreConstant(const LoopKind& kind, const npy_intp* strides) noexcept {
  for (uint32_t i = kind.inputs; i < kind.output(); ++i) {
    if (strides[i] != 0) return false;
  }
  return true;
}

// Elements that follow one another and have the same params are computed together.
uint32_t RunWithOperands(const LoopKind& kind, char** operands, const npy_intp* strides,
                         npy_intp count) noexcept {
  uint32_t exceptions = 0;
  const bool constant = AreConstant(kind, strides);
  for (npy_intp begin = 0; begin < count;) {
    npy_intp end = constant ? count : begin + 1;
    while (end < count && AreSame(kind, operands, strides, begin, end)) ++end;
    Part part = {{}, strides, end - begin};
    for (uint32_t i = 0; i <= kind.output(); ++i) part.operands[i] = operands[i] + begin * strides[i];
    exceptions |= Run(kind, ReadOperands(kind, part), part);
    begin = end;
  }
  return exceptions;
}

}  // namespace

bool DependsOnOrder(char* const* operands, const npy_intp* strides, uint32_t inputs, uint32_t output,
                    npy_intp count) noexcept {
  if (count <= 1) return false;
  if (strides[output] == 0) return true;
  for (uint32_t i = 0; i < inputs; ++i) {
    if (ReadsItsResults(operands[i], strides[i], operands[output], strides[output], count)) return true;
  }
  return false;
}

void RaiseFlags(uint32_t exceptions) noexcept {
  int flags = 0;
  if ((exceptions & RESIDUE_DIVISION_BY_ZERO) != 0) flags |= FE_DIVBYZERO;
  if ((exceptions & RESIDUE_INVALID_OPERATION) != 0) flags |= FE_INVALID;
  if ((exceptions & RESIDUE_OVERFLOW) != 0) flags |= FE_OVERFLOW;
  if (flags != 0) std::feraiseexcept(flags);
}

void RunLoop(char** operands, const npy_intp* counts, const npy_intp* strides, void* data) {
  const auto& kind = *static_cast<const LoopKind*>(data);
  if (kind.parameters != 0) return RaiseFlags(RunWithOperands(kind, operands, strides, counts[0]));
  Part part = {{}, strides, counts[0]};
  for (uint32_t i = 0; i <= kind.output(); ++i) part.operands[i] = operands[i];
  RaiseFlags(Run(kind, kind.params, part));
}

void RunLoopOfTruths(char** operands, const npy_intp* counts, const npy_intp* strides, void* data) {
  const auto& kind = *static_cast<const LoopKind*>(data);
  constexpr npy_intp kBlock = 1024;
  char truths[kBlock];
  npy_intp block_strides[kMostOperands];
  std::copy_n(strides, kind.output() + 1, block_strides);
  block_strides[0] = 1;
  for (npy_intp begin = 0; begin < counts[0]; begin += kBlock) {
    const npy_intp count = std::min(kBlock, counts[0] - begin);
    for (npy_intp i = 0; i < count; ++i) truths[i] = operands[0][(begin + i) * strides[0]] != 0 ? 1 : 0;
    char* block[kMostOperands];
    block[0] = truths;
    for (uint32_t i = 1; i <= kind.output(); ++i) block[i] = operands[i] + begin * strides[i];
    RunLoop(block, &count, block_strides, data);
  }
}

uint32_t RunQuietly(residue_operator op, residue_type type, const char* a, npy_intp a_stride, const char* b,
                    npy_intp b_stride, char* out, npy_intp out_stride, npy_intp count) noexcept {
  uint32_t exceptions = 0;
  const residue_options options = {1, 0, nullptr, &exceptions};
  (void)residue_run_strided(op, type, a, a_stride, b, b_stride, out, out_stride, static_cast<uint64_t>(count),
                            &options);
  return exceptions;
}

}  // namespace residue::python
