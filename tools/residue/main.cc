// residue: the command. Parses, does what was asked for, and turns every failure into one line and an exit
// status.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <new>
#include <string>
#include <vector>

#include "command_line.h"
#include "failure.h"
#include "residue/residue.h"
#include "text.h"

namespace residue::tool {
namespace {

// CLI11 takes -7 for a number, but -inf and -.5 for options; with a space in front they are neither.
std::vector<std::string> Arguments(int count, char** values) {
  std::vector<std::string> arguments;
  for (int i = count - 1; i > 0; --i) {
    std::string argument = values[i];
    const bool is_eval = std::string_view(values[1]) == "eval";
    const std::string lower = Lower(argument);
    if (is_eval && (lower.starts_with("-.") || lower.starts_with("-inf") || lower.starts_with("-nan")))
      argument.insert(0, " ");
    arguments.push_back(argument);
  }
  return arguments;  // last first, as CLI11 wants them
}

int Complain(const char* what) {
  std::fflush(stdout);
  fmt::print(stderr, "residue: {}\n", OneLine(what));
  return kExitBadInput;
}

// What the library ignores silently, because it prints nothing. It is no reason to stop: no result depends on
// it.
void WarnOfTheEnvironment() {
  char text[512];
  if (residue_check_environment(text, sizeof(text)) != RESIDUE_OK)
    fmt::print(stderr, "residue: {}\n", OneLine(text));
}

int Main(int count, char** values) {
  const std::unique_ptr<CommandLine> line = MakeCommandLine();
  if (count == 1) {
    fmt::print("{}", line->app->help());
    return kExitBadInput;
  }
  // CLI11 would only say that a subcommand is missing.
  const auto is_named = [&](const CLI::App* command) { return command->get_name() == values[1]; };
  if (values[1][0] != '-' && std::ranges::none_of(line->app->get_subcommands({}), is_named))
    return Complain(fmt::format("there is no command '{}'; see residue --help", values[1]).c_str());
  try {
    std::vector<std::string> arguments = Arguments(count, values);
    line->app->parse(arguments);
  } catch (const CLI::Success& asked) {  // --help, --version
    line->app->exit(asked);
    return std::fflush(stdout) == 0 && std::ferror(stdout) == 0 ? kExitOk : kExitBadInput;
  } catch (const CLI::Error& error) {
    return Complain(error.what());
  }
  WarnOfTheEnvironment();
  const int status = line->run();
  // A full disk or a closed pipe must not look like success.
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    return Complain("standard output cannot be written");
  return status;
}

}  // namespace
}  // namespace residue::tool

int main(int count, char** values) {
  using namespace residue::tool;
  try {
    return Main(count, values);
  } catch (const std::bad_alloc&) {
    std::fputs("residue: not enough memory\n", stderr);
  } catch (const std::exception& error) {
    std::fflush(stdout);
    std::fprintf(stderr, "residue: %s\n", error.what());
  } catch (...) {
    std::fputs("residue: something unknown went wrong\n", stderr);
  }
  return kExitBadInput;
}
