// What a user's input has wrong, in one line: the command prints it and ends with kExitBadInput.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace residue::tool {

enum ExitCode : int { kExitOk = 0, kExitDifference = 1, kExitBadInput = 2, kExitInterrupted = 130 };

// Text of unknown origin made fit for a line on a terminal: no line breaks, no escape sequences.
inline std::string OneLine(std::string_view text) {
  std::string line;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    // U+0080 to U+009F: a second set of control characters, with an escape of its own.
    const bool of_two_bytes = byte == 0xC2 && next >= 0x80 && next < 0xA0;
    if (of_two_bytes) {
      line += fmt::format("\\u{:04x}", next);
      ++i;
    } else if (byte < 0x20 || byte == 0x7F) {
      line += fmt::format("\\x{:02x}", byte);
    } else {
      line += text[i];
    }
  }
  return line;
}

// On standard error, which may be closed: nothing depends on it.
inline void Tell(std::string_view text) {
  const std::string line = "residue: " + OneLine(text) + "\n";
  std::fputs(line.c_str(), stderr);
}

// What somebody typed, for a message: the beginning of it.
inline std::string Quoted(std::string_view text) {
  constexpr size_t kMost = 60;
  return fmt::format("'{}{}'", text.substr(0, kMost), text.size() > kMost ? "..." : "");
}

struct Failure : std::runtime_error {
  explicit Failure(std::string_view text) : std::runtime_error(OneLine(text)) {}
};

template <class... Arguments>
[[noreturn]] void Fail(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  throw Failure(fmt::format(format, std::forward<Arguments>(arguments)...));
}

}  // namespace residue::tool
