// A fuzzer's assertion: says what did not hold, and stops in a way that libFuzzer keeps the input.
#pragma once

#include <cstdio>

#define FUZZ_REQUIRE(condition)                                                                \
  do {                                                                                         \
    if (!(condition)) {                                                                        \
      std::fprintf(stderr, "%s:%d: this does not hold: %s\n", __FILE__, __LINE__, #condition); \
      __builtin_trap();                                                                        \
    }                                                                                          \
  } while (false)
