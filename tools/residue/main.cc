// residue: the command. Parses, does what was asked for, and turns every failure into one line and an exit
// status.
#include <fmt/format.h>

#include <cstdio>
#include <new>
#include <string>
#include <vector>

#include "command_line.h"
#include "failure.h"
#include "residue/residue.h"

namespace residue::tool {
namespace {

int Complain(const char* what) {
  std::fflush(stdout);
  Tell(what);
  return kExitBadInput;
}

// What the library ignores silently, because it prints nothing. It is no reason to stop: no result depends on
// it.
void WarnOfTheEnvironment() {
  char text[512];
  if (residue_check_environment(text, sizeof(text)) != RESIDUE_OK) Tell(text);
}

int Main(int count, char** values) {
  const std::unique_ptr<CommandLine> line = MakeCommandLine();
  if (count == 1) {
    fmt::print("{}", line->app->help());
    return kExitBadInput;
  }
  try {
    Parse(*line, std::vector<std::string>(values + 1, values + count));
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
  if (status == kExitInterrupted) Complain("interrupted");
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
