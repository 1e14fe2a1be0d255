// What the compiler can do for us.
#pragma once

#include <hwy/detect_compiler_arch.h>

// AVX512-FP16 in some functions of a file: Clang knew the type only where it was allowed everywhere.
#if HWY_ARCH_X86 && (HWY_COMPILER_GCC_ACTUAL >= 1200 || (defined(__clang__) && __clang_major__ >= 16))
#define RESIDUE_HAVE_AVX3_SPR 1
#else
#define RESIDUE_HAVE_AVX3_SPR 0
#endif
