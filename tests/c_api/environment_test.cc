// What a program is told of RESIDUE_MAX_TARGET. It is read once, so every value needs a process of its own.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "residue/residue.h"

namespace {

// Prints what the library says and ends with its status.
[[noreturn]] void CheckAndExit() {
  char text[512] = "untouched";
  const residue_status status = residue_check_environment(text, sizeof(text));
  const std::string before = text;
  // The answer stays, whatever becomes of the variable.
  setenv("RESIDUE_MAX_TARGET", "changed", 1);
  if (residue_check_environment(text, sizeof(text)) != status || before != text) std::exit(99);
  if (residue_check_environment(nullptr, 0) != status) std::exit(98);
  char shorter[5] = "xxxx";
  if (residue_check_environment(shorter, sizeof(shorter)) != status || before.substr(0, 4) != shorter)
    std::exit(97);
  const bool printable = std::ranges::all_of(before, [](char c) { return c >= ' ' && c <= '~'; });
  std::fprintf(stderr, "<%s>%s", text, printable ? "" : "not printable");
  std::exit(status);
}

class EnvironmentDeathTest : public ::testing::Test {
 protected:
  // Forked, not started anew, which an emulator cannot do. Death tests come first, so the parent has not read
  // the variable.
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "fast"); }
  void TearDown() override { unsetenv("RESIDUE_MAX_TARGET"); }
};

TEST_F(EnvironmentDeathTest, NamesThatExistAreNoMistake) {
  unsetenv("RESIDUE_MAX_TARGET");
  EXPECT_EXIT(CheckAndExit(), ::testing::ExitedWithCode(RESIDUE_OK), "^<>$");
  for (const char* name : {"", "AVX2", "avx2", "reference", "SVE"}) {
    setenv("RESIDUE_MAX_TARGET", name, 1);
    EXPECT_EXIT(CheckAndExit(), ::testing::ExitedWithCode(RESIDUE_OK), "^<>$") << name;
  }
}

TEST_F(EnvironmentDeathTest, AnUnknownNameIsTold) {
  setenv("RESIDUE_MAX_TARGET", "AVX22", 1);
  EXPECT_EXIT(CheckAndExit(), ::testing::ExitedWithCode(RESIDUE_INVALID_TARGET),
              "^<RESIDUE_MAX_TARGET: 'AVX22' was provided, but one of SVE, NEON, AVX3_SPR, AVX3, AVX2, SSE4, "
              "EMU128, SCALAR, REFERENCE was expected; it is ignored>$");
}

TEST_F(EnvironmentDeathTest, HostileNamesAreCutAndEscaped) {
  setenv("RESIDUE_MAX_TARGET", "\033[31m\nAVX2\x9b%s%n\xc2\x9b", 1);
  EXPECT_EXIT(CheckAndExit(), ::testing::ExitedWithCode(RESIDUE_INVALID_TARGET),
              R"(^<RESIDUE_MAX_TARGET: '\\x1b\[31m\\x0aAVX2\\x9b%s%n\\xc2\\x9b' was provided, but one of )");
  const std::string thirty_two(32, 'y');
  setenv("RESIDUE_MAX_TARGET", thirty_two.c_str(), 1);
  EXPECT_EXIT(CheckAndExit(), ::testing::ExitedWithCode(RESIDUE_INVALID_TARGET),
              "^<RESIDUE_MAX_TARGET: '" + thirty_two + "' was provided");
  for (const size_t length : {size_t{33}, size_t{63}, size_t{64}, size_t{100'000}}) {
    setenv("RESIDUE_MAX_TARGET", std::string(length, 'y').c_str(), 1);
    EXPECT_EXIT(CheckAndExit(), ::testing::ExitedWithCode(RESIDUE_INVALID_TARGET),
                "^<RESIDUE_MAX_TARGET: '" + thirty_two + "\\.\\.\\.' was provided")
        << length;
    // The longest answer of all still has its end.
    setenv("RESIDUE_MAX_TARGET", std::string(length, '\x01').c_str(), 1);
    EXPECT_EXIT(CheckAndExit(), ::testing::ExitedWithCode(RESIDUE_INVALID_TARGET),
                R"(x01\.\.\.' was provided.*REFERENCE was expected; it is ignored>$)")
        << length;
  }
}

TEST(EnvironmentTest, TextNeedsAnAddress) {
  EXPECT_EQ(residue_check_environment(nullptr, 1), RESIDUE_NULL_POINTER);
}

}  // namespace
