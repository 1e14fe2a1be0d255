// How a source file built with foreach_target offers its kernels: one function pointer per target.
#pragma once

#include <hwy/highway.h>

#include "kernels/kernel.h"

#if HWY_TARGETS & HWY_EMU128
#define RESIDUE_CHOOSE_EMU128(FUNCTION) &N_EMU128::FUNCTION
#else
#define RESIDUE_CHOOSE_EMU128(FUNCTION) nullptr
#endif
#if HWY_TARGETS & HWY_SCALAR
#define RESIDUE_CHOOSE_SCALAR(FUNCTION) &N_SCALAR::FUNCTION
#else
#define RESIDUE_CHOOSE_SCALAR(FUNCTION) nullptr
#endif

// Defines FN NAME(KernelKey, Target) noexcept, which asks the target's FUNCTION; empty if that target was
// not compiled or does not have the kernel.
#define RESIDUE_DEFINE_FINDER(FN, NAME, FUNCTION)  \
  FN NAME(KernelKey key, Target target) noexcept { \
    FN (*find)(KernelKey) noexcept = nullptr;      \
    switch (target) {                              \
      case Target::kSve:                           \
        find = HWY_CHOOSE_SVE(FUNCTION);           \
        break;                                     \
      case Target::kNeon:                          \
        find = HWY_CHOOSE_NEON(FUNCTION);          \
        break;                                     \
      case Target::kAvx3:                          \
        find = HWY_CHOOSE_AVX3(FUNCTION);          \
        break;                                     \
      case Target::kAvx2:                          \
        find = HWY_CHOOSE_AVX2(FUNCTION);          \
        break;                                     \
      case Target::kSse4:                          \
        find = HWY_CHOOSE_SSE4(FUNCTION);          \
        break;                                     \
      case Target::kEmu128:                        \
        find = RESIDUE_CHOOSE_EMU128(FUNCTION);    \
        break;                                     \
      case Target::kScalar:                        \
        find = RESIDUE_CHOOSE_SCALAR(FUNCTION);    \
        break;                                     \
      case Target::kAvx3Spr:                       \
      case Target::kReference:                     \
        break;                                     \
    }                                              \
    return find == nullptr ? FN{} : find(key);     \
  }

namespace residue {

// What a target has for a key; all nullptr if it has nothing.
struct KernelFunctions {
  TileFn run;
  ShortRowFn run_short;
};

KernelFunctions FindFp16Kernel(KernelKey key, Target target) noexcept;
KernelFunctions FindFloatKernel(KernelKey key, Target target) noexcept;
KernelFunctions FindNarrowIntegerKernel(KernelKey key, Target target) noexcept;
KernelFunctions FindWideIntegerKernel(KernelKey key, Target target) noexcept;
ExamineFn FindExaminer(KernelKey key, Target target) noexcept;

}  // namespace residue
