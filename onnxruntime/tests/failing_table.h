// The functions of the ONNX Runtime under test, of which any one call of ours can be made to fail. All others
// are the real ones.
#pragma once

#include "abi.h"

namespace residue::ort::testing {

// What a call that is made to fail says.
inline constexpr char kInjectedFailure[] = "made to fail";

// To register our library with, instead of the runtime's own. Stays until the program ends.
const ApiBase* FailingBase();

// From now on, the n-th call of a function that can fail does so, counting from 1; none for 0.
void FailCall(int n);

// Whether that call has been made.
bool HasFailed();

}  // namespace residue::ort::testing
