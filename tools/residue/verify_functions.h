// residue verify --function and --digest: is every function of one number correctly rounded, and what are all
// of its results, as one number?
#pragma once

#include "verify.h"

namespace residue::tool {

// All of the 2^32 float32 numbers, or 2^24 of them.
int VerifyFunctions(const VerifyOptions& options);
int PrintDigest(const VerifyOptions& options);

}  // namespace residue::tool
