// residue bench: how fast this machine computes, beside how fast its memory is, in one interleaved run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace residue::tool {

struct BenchOptions {
  std::vector<std::string> ops;    // empty: all
  std::vector<std::string> types;  // empty: all
  double mebibytes = 16;           // of the largest tensor
  uint32_t threads = 1;
  uint32_t repetitions = 15;
  bool json = false;
  bool csv = false;
  std::string svg;  // a file to draw into
};

int Bench(const BenchOptions& options);

}  // namespace residue::tool
