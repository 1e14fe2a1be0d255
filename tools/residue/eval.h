// residue eval: one remainder, its bits, its quotient, and what others say to the same numbers.
#pragma once

#include <string>

namespace residue::tool {

struct EvalOptions {
  std::string op;  // a modulus
  std::string a;
  std::string b;
  std::string type;   // empty: int64 if both are integers, else float64
  bool bits = false;  // a and b are bit patterns
  bool json = false;
};

int Eval(const EvalOptions& options);

}  // namespace residue::tool
