// Kernels need the default floating-point environment: round to nearest, subnormals kept, nothing trapping.
// A caller's may be anything (games set flush-to-zero, interval libraries other rounding modes), so a run
// puts the default in place and the caller's back, exception flags included.
#pragma once

#include <cstdint>

#if defined(__x86_64__) || defined(__i386__)
#include <xmmintrin.h>
#elif !defined(__aarch64__)
#include <cfenv>
#endif

namespace residue {

class ScopedFloatEnvironment {
 public:
  ScopedFloatEnvironment(const ScopedFloatEnvironment&) = delete;
  ScopedFloatEnvironment& operator=(const ScopedFloatEnvironment&) = delete;

#if defined(__x86_64__) || defined(__i386__)
  // Writing the register costs more than reading it, so it is written only where that is needed. An operation
  // that raises a flag for the first time costs recent processors hundreds of cycles, so all flags are up
  // beforehand; programs that have computed before have the usual one up already.
  ScopedFloatEnvironment() noexcept : saved_(_mm_getcsr()) {
    if ((saved_ & ~kRareFlags) != (kDefault | kInexact)) _mm_setcsr(kDefault | kInexact | kRareFlags);
    asm volatile("" : : : "memory");  // nothing computed inside may move out
  }
  ~ScopedFloatEnvironment() {
    asm volatile("" : : : "memory");
    if (_mm_getcsr() != saved_) _mm_setcsr(saved_);
  }

 private:
  static constexpr uint32_t kInexact = 0x20;
  static constexpr uint32_t kRareFlags = 0x1F;
  static constexpr uint32_t kDefault = 0x1F80;  // all exceptions masked, nearest even, no FTZ, no DAZ
  uint32_t saved_;
#elif defined(__aarch64__)
  ScopedFloatEnvironment() noexcept {
    asm volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(control_), "=r"(status_) : : "memory");
    if (control_ != 0) asm volatile("msr fpcr, %0" : : "r"(uint64_t{0}) : "memory");
  }
  ~ScopedFloatEnvironment() {
    asm volatile("msr fpsr, %0" : : "r"(status_) : "memory");
    if (control_ != 0) asm volatile("msr fpcr, %0" : : "r"(control_) : "memory");
  }

 private:
  uint64_t control_;
  uint64_t status_;
#else
  ScopedFloatEnvironment() noexcept {
    std::fegetenv(&saved_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~ScopedFloatEnvironment() { std::fesetenv(&saved_); }

 private:
  std::fenv_t saved_;
#endif
};

}  // namespace residue
