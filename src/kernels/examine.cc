// The examiners of every type, for every target.
#include "kernels/kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/examine.cc"
#include <hwy/foreach_target.h>

#include "kernels/examine-inl.h"

HWY_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {

ExamineFn FindExaminer(KernelKey key) noexcept {
  return VisitType(key.type, []<class T>(T) -> ExamineFn { return &ExamineTile<T>; });
}

}  // namespace HWY_NAMESPACE
}  // namespace residue
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "kernels/dispatch.h"

namespace residue {

RESIDUE_DEFINE_FINDER(ExamineFn, FindExaminer, FindExaminer)

}  // namespace residue
#endif
