// The processor's own record of exceptions. Operations that are one instruction each raise exactly the flags
// of IEEE 754 for exactly their elements, so that nobody need look at those.
#pragma once

#include <cstdint>

#include "core/exceptions.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace residue {

#if defined(__x86_64__) || defined(__aarch64__)
inline constexpr bool kHasExceptionFlags = true;
#else
inline constexpr bool kHasExceptionFlags = false;
#endif

// Watches what is computed between its construction and Found. The flags of the environment are the engine's
// meanwhile (src/core/float_environment.h). Only what was raised before has to be taken back: writing
// the register takes longer than reading it.
class ExceptionWatch {
 public:
  ExceptionWatch() noexcept {
    const uint64_t flags = Read();
    if ((flags & (kInvalid | kByZero | kOver)) != 0) Write(flags & ~(kInvalid | kByZero | kOver));
  }
  ExceptionWatch(const ExceptionWatch&) = delete;
  ExceptionWatch& operator=(const ExceptionWatch&) = delete;

  Exceptions Found() const noexcept {
    const uint64_t flags = Read();
    Exceptions found = kNoException;
    if ((flags & kInvalid) != 0) found |= kInvalidOperation;
    if ((flags & kByZero) != 0) found |= kDivisionByZero;
    if ((flags & kOver) != 0) found |= kOverflow;
    return found;
  }

 private:
  // "memory": what was loaded before is computed before, and what is stored after is computed after.
#if defined(__x86_64__)
  static constexpr uint64_t kInvalid = 0x01;
  static constexpr uint64_t kByZero = 0x04;
  static constexpr uint64_t kOver = 0x08;
  static uint64_t Read() noexcept {
    asm volatile("" : : : "memory");
    return _mm_getcsr();
  }
  static void Write(uint64_t flags) noexcept {
    _mm_setcsr(static_cast<uint32_t>(flags));
    asm volatile("" : : : "memory");
  }
#elif defined(__aarch64__)
  static constexpr uint64_t kInvalid = 0x01;
  static constexpr uint64_t kByZero = 0x02;
  static constexpr uint64_t kOver = 0x04;
  static uint64_t Read() noexcept {
    uint64_t flags;
    asm volatile("mrs %0, fpsr" : "=r"(flags) : : "memory");
    return flags;
  }
  static void Write(uint64_t flags) noexcept { asm volatile("msr fpsr, %0" : : "r"(flags) : "memory"); }
#else
  static constexpr uint64_t kInvalid = 1;
  static constexpr uint64_t kByZero = 2;
  static constexpr uint64_t kOver = 4;
  static uint64_t Read() noexcept { return 0; }
  static void Write(uint64_t) noexcept {}
#endif
};

}  // namespace residue
