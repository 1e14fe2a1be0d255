// Rows need the default floating-point environment: round to nearest, subnormals kept, nothing trapping.
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

// The caller's environment comes back as it was, whatever happens in between.
class KeptFloatEnvironment {
 public:
  KeptFloatEnvironment(const KeptFloatEnvironment&) = delete;
  KeptFloatEnvironment& operator=(const KeptFloatEnvironment&) = delete;

#if defined(__x86_64__) || defined(__i386__)
  // Writing the register costs more than reading it, so it is written only where that is needed.
  KeptFloatEnvironment() noexcept : saved_(_mm_getcsr()) {}
  ~KeptFloatEnvironment() {
    asm volatile("" : : : "memory");  // nothing computed inside may move out
    if (_mm_getcsr() != saved_) _mm_setcsr(saved_);
  }

 protected:
  const uint32_t saved_;
#elif defined(__aarch64__)
  KeptFloatEnvironment() noexcept {
    asm volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(control_), "=r"(status_) : : "memory");
  }
  ~KeptFloatEnvironment() {
    uint64_t control;
    asm volatile("msr fpsr, %1\n\tmrs %0, fpcr" : "=r"(control) : "r"(status_) : "memory");
    if (control != control_) asm volatile("msr fpcr, %0" : : "r"(control_) : "memory");
  }

 protected:
  uint64_t control_;
  uint64_t status_;
#else
  KeptFloatEnvironment() noexcept { std::fegetenv(&saved_); }
  ~KeptFloatEnvironment() { std::fesetenv(&saved_); }

 protected:
  std::fenv_t saved_;
#endif
};

// The default in between.
class ScopedFloatEnvironment : private KeptFloatEnvironment {
 public:
#if defined(__x86_64__) || defined(__i386__)
  // An operation that raises a flag for the first time costs recent processors hundreds of cycles, so all
  // flags are up beforehand; programs that have computed before have the usual one up already.
  ScopedFloatEnvironment() noexcept {
    if ((saved_ & ~kRareFlags) != (kDefault | kInexact)) _mm_setcsr(kDefault | kInexact | kRareFlags);
    asm volatile("" : : : "memory");  // nothing computed inside may move out
  }

 private:
  static constexpr uint32_t kInexact = 0x20;
  static constexpr uint32_t kRareFlags = 0x1F;
  static constexpr uint32_t kDefault = 0x1F80;  // all exceptions masked, nearest even, no FTZ, no DAZ
#elif defined(__aarch64__)
  ScopedFloatEnvironment() noexcept {
    if (control_ != 0) asm volatile("msr fpcr, %0" : : "r"(uint64_t{0}) : "memory");
  }
#else
  ScopedFloatEnvironment() noexcept { std::fesetenv(FE_DFL_ENV); }
#endif
};

}  // namespace residue
