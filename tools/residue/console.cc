#include "console.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace residue::tool {
namespace {

bool IsTerminal(int descriptor) {
  const char* kind = std::getenv("TERM");
  return isatty(descriptor) == 1 && kind != nullptr && std::string_view(kind) != "dumb";
}

std::string Coloured(const char* code, std::string_view text) {
  const char* no_color = std::getenv("NO_COLOR");
  static const bool use = IsTerminal(STDOUT_FILENO) && (no_color == nullptr || *no_color == 0);
  return use ? fmt::format("\033[{}m{}\033[0m", code, text) : std::string(text);
}

volatile std::sig_atomic_t interrupted = 0;

}  // namespace

std::string Bold(std::string_view text) { return Coloured("1", text); }
std::string Green(std::string_view text) { return Coloured("32", text); }
std::string Red(std::string_view text) { return Coloured("31", text); }

Progress::Progress(std::string title) : title_(std::move(title)), shown_(IsTerminal(STDERR_FILENO)) {}

Progress::~Progress() {
  if (shown_) std::fputs("\r\033[K", stderr);
}

void Progress::Update(double done, std::string_view note) {
  using std::chrono::steady_clock;
  if (!shown_ || steady_clock::now() < next_) return;
  next_ = steady_clock::now() + std::chrono::milliseconds(100);
  constexpr int kWidth = 30;
  const double part = std::clamp(done, 0.0, 1.0);
  const int full = static_cast<int>(part * kWidth);
  fmt::print(stderr, "\r\033[K{} [{}{}] {:3.0f}% {}", title_, std::string(static_cast<size_t>(full), '#'),
             std::string(static_cast<size_t>(kWidth - full), '-'), part * 100, note);
  std::fflush(stderr);
}

void CatchInterrupt() {
  struct sigaction action = {};
  action.sa_handler = [](int) { interrupted = 1; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
}

bool IsInterrupted() noexcept { return interrupted != 0; }

}  // namespace residue::tool
