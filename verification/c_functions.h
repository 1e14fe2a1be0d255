// The C library's functions of float and double by operator, from the list in c_functions.def.
#pragma once

#include <cmath>

#include "core/operator_id.h"

namespace residue::testing {

template <class F>
using OfOne = F (*)(F);
template <class F>
using OfTwo = F (*)(F, F);

// nullptr if the C library has none that is called so, or not of so many numbers.
template <class F>
OfOne<F> FindCFunction(OperatorId op) {
  switch (op) {
#define RESIDUE_C_FUNCTION(Name, function) \
  case OperatorId::k##Name:                \
    return std::function;
#include "verification/c_functions.def"
    default:
      return nullptr;
  }
}

template <class F>
OfTwo<F> FindCFunctionOfTwo(OperatorId op) {
  switch (op) {
#define RESIDUE_C_FUNCTION(Name, function)
#define RESIDUE_C_FUNCTION_OF_TWO(Name, function) \
  case OperatorId::k##Name:                       \
    return std::function;
#include "verification/c_functions.def"
    default:
      return nullptr;
  }
}

}  // namespace residue::testing
