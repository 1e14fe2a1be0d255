// residue eval: one result and its bits; of a remainder its quotient too, and what others say to the same
// numbers.
#pragma once

#include <string>
#include <vector>

namespace residue::tool {

struct EvalOptions {
  std::string op;
  std::vector<std::string> numbers;     // as many as the operator has inputs
  std::vector<std::string> parameters;  // "scale=2"
  std::string type;   // empty: int64 if all are integers, else float64, if the operator takes these
  bool bits = false;  // the numbers are bit patterns
  bool json = false;
};

int Eval(const EvalOptions& options);

}  // namespace residue::tool
