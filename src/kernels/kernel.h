// The kernels' whole interface: a tile of memory, the function that computes it, and the lookup.
// A kernel knows pointers, strides and counts; nothing of tensors, threads or errors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/attributes.h"
#include "base/data_type.h"
#include "base/exceptions.h"
#include "base/operator_id.h"

namespace residue {

// How the columns of a tile lie in memory. The first three promise a packed output; kStrided promises
// nothing.
enum class Form : int32_t {
  kVectorVector,  // both inputs packed
  kVectorScalar,  // dividend packed, one divisor per row: whatever depends on it alone is computed once
  kScalarVector,  // one dividend per row, divisor packed
  kStrided,       // any strides, zero and negative too
};
inline constexpr Form kAllForms[] = {Form::kVectorVector, Form::kVectorScalar, Form::kScalarVector,
                                     Form::kStrided};

// Instruction sets, worst first within one architecture. kReference is the judge itself and always there;
// kScalar and kEmu128 are Highway's portable code, of which a build has at most one, by compiler. kAvx3Spr is
// AVX3 with AVX512-FP16, as from Sapphire Rapids on, and has kernels only for the types that gain by it.
enum class Target : uint8_t { kReference, kScalar, kEmu128, kSse4, kAvx2, kAvx3, kAvx3Spr, kNeon, kSve };

// Rows shorter than this do not fill vectors; the strided form computes several of them together.
inline constexpr size_t kShortRowBytes = 128;

struct KernelKey {
  OperatorId op;
  DataType type;
  Form form;
};

struct OperandStrides {
  ptrdiff_t a;
  ptrdiff_t b;
  ptrdiff_t out;
};

// A block of at least one row and one column; strides in bytes. out may be a or b exactly (same addresses,
// same strides), and must not overlap them in any other way. No address needs alignment. Operators of one
// input take any readable b and do not let it matter.
struct Tile {
  const std::byte* a;
  const std::byte* b;
  std::byte* out;
  size_t rows;
  size_t columns;
  OperandStrides row_stride;
  OperandStrides column_stride;
  const Attributes* attributes = &kNoAttributes;
  bool stream = false;  // the output is larger than the caches and lies apart from the inputs
};

using TileFn = void (*)(const Tile& tile) noexcept;

// Which exceptions the elements have that are about to be computed; the output is not looked at.
using ExamineFn = Exceptions (*)(const Tile& tile) noexcept;

// At least one element, few of them: packed, or one for all; out as in a tile.
struct ShortRow {
  const std::byte* a;
  const std::byte* b;
  std::byte* out;
  size_t count;
  bool one_a;
  bool one_b;
};

// Computes the row and says which exceptions its elements had.
using ShortRowFn = Exceptions (*)(const ShortRow& row) noexcept;

struct Kernel {
  TileFn run;
  Target target;
  // nullptr if the operator has no exceptions
  ExamineFn examine;
  ShortRowFn run_short;
};

// The targets this machine can run, best first, ending with kReference.
std::span<const Target> SupportedTargets() noexcept;

// The best supported target, or the best one that the environment variable RESIDUE_MAX_TARGET allows
// (a name as TargetName gives it, in any case; read once).
Target BestTarget() noexcept;

const char* TargetName(Target target) noexcept;

// Reads a target's name in any case; false if there is none of that name.
bool ParseTarget(std::string_view name, Target* target) noexcept;

// The fastest kernel no better than `max` that this machine can run. Never fails for a valid key.
Kernel FindKernel(KernelKey key, Target max) noexcept;

// The same for BestTarget().
const Kernel& FindBestKernel(OperatorId op, DataType type, Form form) noexcept;

const char* FormName(Form form) noexcept;

// Writes "modulus_floor.f32.vs@AVX3" and a zero, cut to `size` bytes; returns the full length.
size_t FormatKernelName(KernelKey key, Target target, char* text, size_t size) noexcept;

}  // namespace residue
