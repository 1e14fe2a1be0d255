// An operator as ONNX Runtime sees it: a name, a type, and the functions it calls to make, infer, run and
// destroy it. One for each type, under the same name: ONNX Runtime before 1.22 cannot infer the type of an
// output from two inputs of any type.
#pragma once

#include "abi.h"
#include "element_types.h"

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
  const TypeRow* type;
};

// `type` must stay.
ModulusOp MakeModulusOp(FunctionTable table, const char* name, Mode mode, const TypeRow& type) noexcept;

}  // namespace residue::ort
