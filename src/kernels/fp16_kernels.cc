// Kernels that use AVX512-FP16: the target AVX3_SPR, for the types that gain by it. On other architectures
// and for older compilers this file gives none.
#undef HWY_DISABLED_TARGETS
#define HWY_WANT_AVX3_DL
#define HWY_DISABLED_TARGETS (HWY_AVX3 | HWY_AVX2 | HWY_SSE4 | HWY_SSSE3)

#include "kernels/compiler.h"
#include "kernels/kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/fp16_kernels.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#if RESIDUE_HAVE_AVX3_SPR && HWY_TARGET == HWY_AVX3_DL

#include "kernels/table-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {

KernelFunctions FindFp16(KernelKey key) noexcept { return FindAmong<Float16, int8_t, uint8_t>(key); }

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif

#if HWY_ONCE
#include "kernels/dispatch.h"

namespace residue {

KernelFunctions FindFp16Kernel(KernelKey key, Target target) noexcept {
#if RESIDUE_HAVE_AVX3_SPR && (HWY_TARGETS & HWY_AVX3_DL)
  return target == Target::kAvx3Spr ? N_AVX3_DL::FindFp16(key) : KernelFunctions{};
#else
  (void)key;
  (void)target;
  return {};
#endif
}

}  // namespace residue
#endif
