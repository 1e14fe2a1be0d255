// How a source file built with foreach_target offers its rows: one function pointer per target.
#pragma once

#include <hwy/highway.h>

#include "cpu/rows/row.h"

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

// Defines RESULT NAME(KEY, Target) noexcept, which asks the target's FUNCTION; nothing if that target was not
// compiled or does not have what the key asks for.
#define RESIDUE_DEFINE_FINDER(RESULT, NAME, KEY, FUNCTION) \
  RESULT NAME(KEY key, Target target) noexcept {           \
    RESULT (*find)(KEY) noexcept = nullptr;                \
    switch (target) {                                      \
      case Target::kSve:                                   \
        find = HWY_CHOOSE_SVE(FUNCTION);                   \
        break;                                             \
      case Target::kNeon:                                  \
        find = HWY_CHOOSE_NEON(FUNCTION);                  \
        break;                                             \
      case Target::kAvx3:                                  \
        find = HWY_CHOOSE_AVX3(FUNCTION);                  \
        break;                                             \
      case Target::kAvx2:                                  \
        find = HWY_CHOOSE_AVX2(FUNCTION);                  \
        break;                                             \
      case Target::kSse4:                                  \
        find = HWY_CHOOSE_SSE4(FUNCTION);                  \
        break;                                             \
      case Target::kEmu128:                                \
        find = RESIDUE_CHOOSE_EMU128(FUNCTION);            \
        break;                                             \
      case Target::kScalar:                                \
        find = RESIDUE_CHOOSE_SCALAR(FUNCTION);            \
        break;                                             \
      case Target::kAvx3Spr:                               \
      case Target::kReference:                             \
        break;                                             \
    }                                                      \
    if (find == nullptr) return {};                        \
    return find(key);                                      \
  }

namespace residue {

// Nothing if the target was not compiled, or has no row of its own for the key.
RowCode FindFp16Row(RowKey key, Target target) noexcept;
RowCode FindFloatRow(RowKey key, Target target) noexcept;
RowCode FindFunctionRow(RowKey key, Target target) noexcept;
RowCode FindNarrowIntegerRow(RowKey key, Target target) noexcept;
RowCode FindWideIntegerRow(RowKey key, Target target) noexcept;

}  // namespace residue
