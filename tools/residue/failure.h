// What a user's input has wrong, in one line: the command prints it and ends with kExitBadInput.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace residue::tool {

enum ExitCode : int { kExitOk = 0, kExitDifference = 1, kExitBadInput = 2, kExitInterrupted = 130 };

// Text of unknown origin made fit for a line on a terminal: no line breaks, no escape sequences.
inline std::string OneLine(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    line += byte < 0x20 || byte == 0x7F ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
  }
  return line;
}

struct Failure : std::runtime_error {
  explicit Failure(std::string_view text) : std::runtime_error(OneLine(text)) {}
};

template <class... Arguments>
[[noreturn]] void Fail(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  throw Failure(fmt::format(format, std::forward<Arguments>(arguments)...));
}

}  // namespace residue::tool
