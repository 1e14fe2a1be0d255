// Kernels of the floating-point types, for every target.
#include "kernels/kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/float_kernels.cc"
#include <hwy/foreach_target.h>

#include "kernels/table-inl.h"

HWY_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {

KernelFunctions FindFloat(KernelKey key) noexcept { return FindAmong<Float16, float, double>(key); }

}  // namespace HWY_NAMESPACE
}  // namespace residue
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "kernels/dispatch.h"

namespace residue {

RESIDUE_DEFINE_FINDER(KernelFunctions, FindFloatKernel, FindFloat)

}  // namespace residue
#endif
