// residue run: a DxDispatch model through libdirectml, with DxDispatch's options and output lines.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace residue::tool {

struct RunOptions {
  std::string model;
  std::string input_path;
  std::string output_path;
  bool print_commands = false;
  bool debug = false;
  bool show_adapters = false;
  bool show_dependencies = false;
  std::string adapter;
  std::string queue_type = "direct";
  std::string feature_level = "1.0";
  uint32_t iterations = 1;
  uint32_t repeat = 1;
  std::optional<double> milliseconds_to_run;
  double interval_milliseconds = 0;
  uint32_t warmup_samples = 1;
  uint32_t verbosity = 0;
};

int RunModel(const RunOptions& options);

// "6.4" or "6_4" as a DML_FEATURE_LEVEL.
uint32_t ParseLevel(const std::string& text);

}  // namespace residue::tool
