// residue apply: one operator on tensors from files, from columns of text, and on numbers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace residue::tool {

struct ApplyOptions {
  std::string op;
  std::vector<std::string> operands;    // a number, a .npy file, or - for a column of standard input
  std::vector<std::string> parameters;  // "scale=2"
  std::string type;                     // empty: that of the files, or as Python would
  std::string output;                   // empty: text on standard output
  uint32_t threads = 0;                 // 0: all
};

int Apply(const ApplyOptions& options);

}  // namespace residue::tool
