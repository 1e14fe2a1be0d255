// residue verify: is every kernel of this machine exact? The museum of bugs, the edge vectors, and random
// pairs against the reference, on every instruction set.
#pragma once

#include <cstdint>
#include <string>

namespace residue::tool {

struct VerifyOptions {
  double seconds = 5;
  uint64_t seed = 1;
  std::string target;  // empty: all
  bool json = false;
};

int Verify(const VerifyOptions& options);

}  // namespace residue::tool
