// The floating-point environment of a thread as one number, and all that a caller may have made of it.
#pragma once

#include <cstdint>
#include <vector>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace residue::testing {

#if defined(__x86_64__)

using State = uint32_t;
inline State ReadState() { return _mm_getcsr(); }
inline void WriteState(State state) { _mm_setcsr(state); }

// Rounding modes, flush-to-zero and denormals-are-zero in all combinations, exceptions masked and not, and
// with flags already raised.
inline std::vector<State> HostileStates() {
  std::vector<State> states;
  for (State rounding = 0; rounding < 4; ++rounding) {
    for (const State flush : {0x0000u, 0x8000u, 0x0040u, 0x8040u}) {
      for (const State exceptions : {0x1F80u, 0x0000u, 0x1FBFu}) {
        states.push_back(rounding << 13 | flush | exceptions);
      }
    }
  }
  return states;
}

#elif defined(__aarch64__)

using State = uint64_t;
inline State ReadState() {
  State control;
  State status;
  asm volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(control), "=r"(status));
  return control << 32 | status;
}
inline void WriteState(State state) {
  asm volatile("msr fpcr, %0\n\tmsr fpsr, %1" : : "r"(state >> 32), "r"(state & 0xFFFFFFFF));
}
inline std::vector<State> HostileStates() {
  std::vector<State> states;
  for (State rounding = 0; rounding < 4; ++rounding) {
    for (const State flush : {0u, 1u}) {
      for (const State flags : {0x00u, 0x1Fu}) states.push_back((rounding << 22 | flush << 24) << 32 | flags);
    }
  }
  return states;
}

#endif

}  // namespace residue::testing
