// residue explain: what would run for a model, and why: layout, kernel, tasks; or why it is refused.
#pragma once

#include <cstdint>
#include <string>

namespace residue::tool {

struct ExplainOptions {
  std::string model;
  std::string input_path;
  std::string feature_level = "6.4";
  uint32_t threads = 0;  // 0: all
};

int Explain(const ExplainOptions& options);

}  // namespace residue::tool
