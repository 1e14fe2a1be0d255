// Our targets are Highway's, with one exception: where Highway compiles for AVX3_DL, we also let the compiler
// use AVX512-FP16, and call that target AVX3_SPR. Every per-target header opens and closes its namespace with
// these two macros. Included once per target.

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_TARGET_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_TARGET_INL_H_
#undef RESIDUE_CPU_ROWS_TARGET_INL_H_
#else
#define RESIDUE_CPU_ROWS_TARGET_INL_H_
#endif

#include <hwy/highway.h>

// For lambdas, which HWY_INLINE does not fit.
#ifndef RESIDUE_ALWAYS_INLINE
#define RESIDUE_ALWAYS_INLINE __attribute__((always_inline))
#endif

// Vectors of 512 bits, of either target.
#undef RESIDUE_AVX3
#define RESIDUE_AVX3 (HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL)

#undef RESIDUE_BEFORE_NAMESPACE
#undef RESIDUE_AFTER_NAMESPACE
#if HWY_TARGET == HWY_AVX3_DL
#define RESIDUE_BEFORE_NAMESPACE()                  \
  HWY_PUSH_ATTRIBUTES(HWY_TARGET_STR ",avx512fp16") \
  static_assert(true, "For requiring trailing semicolon")
#define RESIDUE_AFTER_NAMESPACE() \
  HWY_POP_ATTRIBUTES              \
  static_assert(true, "For requiring trailing semicolon")
#else
#define RESIDUE_BEFORE_NAMESPACE() HWY_BEFORE_NAMESPACE()
#define RESIDUE_AFTER_NAMESPACE() HWY_AFTER_NAMESPACE()
#endif

#endif  // per-target include guard
