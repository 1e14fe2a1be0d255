#include "add_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "add_kernels.cc"
#include <hwy/foreach_target.h>

#include "kernels/table-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {

template <class T>
struct Addition {
  using Lane = T;
  static constexpr Lane kOne = 1;
  using Tag = hn::ScalableTag<T>;

  template <class D, class V>
  HWY_INLINE V Prepare(D, V b) const {
    return b;
  }
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b, V) const {
    return hn::Add(a, b);
  }
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::Add(a, b);
  }
};

TileFn FindAddition(KernelKey key) noexcept {
  switch (key.type) {
    case DataType::kFloat32:
      return FindForm<Addition<float>>(key.form);
    case DataType::kFloat64:
      return FindForm<Addition<double>>(key.form);
    case DataType::kInt16:
      return FindForm<Addition<int16_t>>(key.form);
    case DataType::kUint8:
      return FindForm<Addition<uint8_t>>(key.form);
    default:
      return nullptr;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#if HWY_ONCE
#include "kernels/dispatch.h"

namespace residue {

TileFn FindAdditionOnTarget(KernelKey key, Target target) noexcept;
RESIDUE_DEFINE_FINDER(TileFn, FindAdditionOnTarget, FindAddition)

namespace bench {
TileFn FindAddKernel(KernelKey key, Target target) noexcept {
  return FindAdditionOnTarget(key, target == Target::kAvx3Spr ? Target::kAvx3 : target);
}
}  // namespace bench
}  // namespace residue
#endif
