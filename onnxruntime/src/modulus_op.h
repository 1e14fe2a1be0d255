// The operators as ONNX Runtime sees them: a name, and the functions it calls to make, infer, run and destroy
// them.
#pragma once

#include "abi.h"

namespace residue::ort {

// Where the rounding of the quotient comes from.
enum class Mode {
  kFloor,
  kTruncate,
  kFmodAttribute,  // ONNX's Mod: fmod=0, the default, rounds down, fmod=1 truncates; for all types alike
};

struct ModulusOp : CustomOp {
  FunctionTable table;  // of the ONNX Runtime it is registered with
  const char* name;
  Mode mode;
};

ModulusOp MakeModulusOp(FunctionTable table, const char* name, Mode mode) noexcept;

}  // namespace residue::ort
