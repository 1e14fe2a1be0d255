// The command's whole interface: subcommands, options and their words, from which parsing, --help, the manual
// page and shell completions are made.
#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace residue::tool {

struct CommandLine {
  std::unique_ptr<CLI::App> app;
  std::function<int()> run;  // what was asked for, after parsing
  std::map<const CLI::Option*, std::vector<std::string>>
      values;  // which an option has, if they can be listed
};

// "eval", "--type": all there are.
std::vector<std::string> CommandNames(const CLI::App& app);
std::vector<std::string> OptionNames(const CLI::App& command);

// The object must stay where it is: options point into it.
std::unique_ptr<CommandLine> MakeCommandLine();

// Reads the arguments, at least one, the command's own name not among them. Throws CLI11's errors; Failure if
// a command or an option does not exist.
void Parse(const CommandLine& line, const std::vector<std::string>& arguments);

}  // namespace residue::tool
