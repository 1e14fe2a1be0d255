// The command's whole interface: subcommands, options and their words, from which parsing, --help, the manual
// page and shell completions are made.
#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <memory>

namespace residue::tool {

struct CommandLine {
  std::unique_ptr<CLI::App> app;
  std::function<int()> run;  // what was asked for, after parsing
};

// The object must stay where it is: options point into it.
std::unique_ptr<CommandLine> MakeCommandLine();

}  // namespace residue::tool
