// Rows that use AVX512-FP16: the target AVX3_SPR, for halves, which gain by it. On other architectures
// and for older compilers this file gives none.
#undef HWY_DISABLED_TARGETS
#define HWY_WANT_AVX3_DL
#define HWY_DISABLED_TARGETS (RESIDUE_DISABLED_TARGETS | HWY_AVX3 | HWY_AVX2 | HWY_SSE4 | HWY_SSSE3)

#include "cpu/rows/compiler.h"
#include "cpu/rows/row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/rows/fp16_rows.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#if RESIDUE_HAVE_AVX3_SPR && HWY_TARGET == HWY_AVX3_DL

#include "cpu/rows/table-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {

RowCode FindFp16(RowKey key) noexcept { return FindAmong<Float16>(key); }

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif

#if HWY_ONCE
#include "cpu/rows/dispatch.h"

namespace residue {

RowCode FindFp16Row(RowKey key, Target target) noexcept {
#if RESIDUE_HAVE_AVX3_SPR && (HWY_TARGETS & HWY_AVX3_DL)
  return target == Target::kAvx3Spr ? N_AVX3_DL::FindFp16(key) : RowCode{};
#else
  (void)key;
  (void)target;
  return {};
#endif
}

}  // namespace residue
#endif
