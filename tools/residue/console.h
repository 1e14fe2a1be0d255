// The terminal: colours and a progress bar where there is one, plain text everywhere else; Ctrl-C.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace residue::tool {

// For standard output: plain if it is no terminal, if NO_COLOR is set, or if the terminal is dumb.
std::string Bold(std::string_view text);
std::string Green(std::string_view text);
std::string Red(std::string_view text);

// A line on standard error that follows long work; nothing at all unless that is a terminal.
class Progress {
 public:
  explicit Progress(std::string title);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `done` from 0 to 1. Cheap to call often.
  void Update(double done, std::string_view note = {});

 private:
  std::string title_;
  bool shown_;
  std::chrono::steady_clock::time_point next_{};
};

// From now on Ctrl-C is noted instead of ending the program; a second one ends it.
void CatchInterrupt();
bool IsInterrupted() noexcept;

}  // namespace residue::tool
