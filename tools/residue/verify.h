// residue verify: is every row of this machine exact? The museum of bugs, the edge vectors, and random
// pairs against the reference, on every instruction set.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace residue::tool {

struct VerifyOptions {
  double seconds = 5;
  uint64_t seed = 1;
  std::string target;  // empty: all
  bool json = false;
  std::string function;     // if not empty: it alone, or "all"
  bool digest = false;      // one number for the results of all functions
  bool exhaustive = false;  // of both: all 2^32 inputs, or 1e10 pairs
  bool halves = false;      // of a function: its results as FLOAT16
};

int Verify(const VerifyOptions& options);

// The same with another museum and other vectors than the command's own.
int VerifyWith(const VerifyOptions& options, std::string_view museum, std::string_view vectors);

}  // namespace residue::tool
