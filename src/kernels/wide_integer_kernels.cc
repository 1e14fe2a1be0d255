// Kernels of the 32-bit and 64-bit integers, for every target.
#include "kernels/kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/wide_integer_kernels.cc"
#include <hwy/foreach_target.h>

#include "kernels/table-inl.h"

HWY_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {

KernelFunctions FindWideInteger(KernelKey key) noexcept {
  return FindAmong<int32_t, uint32_t, int64_t, uint64_t>(key);
}

}  // namespace HWY_NAMESPACE
}  // namespace residue
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "kernels/dispatch.h"

namespace residue {

RESIDUE_DEFINE_FINDER(KernelFunctions, FindWideIntegerKernel, FindWideInteger)

}  // namespace residue
#endif
