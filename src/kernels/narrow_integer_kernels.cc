// Kernels of the 8-bit and 16-bit integers, for every target.
#include "kernels/kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/narrow_integer_kernels.cc"
#include <hwy/foreach_target.h>

#include "kernels/table-inl.h"

HWY_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {

KernelFunctions FindNarrowInteger(KernelKey key) noexcept {
  return FindAmong<int8_t, uint8_t, int16_t, uint16_t>(key);
}

}  // namespace HWY_NAMESPACE
}  // namespace residue
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "kernels/dispatch.h"

namespace residue {

RESIDUE_DEFINE_FINDER(KernelFunctions, FindNarrowIntegerKernel, FindNarrowInteger)

}  // namespace residue
#endif
