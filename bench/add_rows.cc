#include "add_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "add_rows.cc"
#include <hwy/foreach_target.h>

#include "cpu/rows/table-inl.h"

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

RowFn FindAddition(RowKey key) noexcept {
  switch (key.type) {
    case DataType::kFloat32:
      return &RunRow<Addition<float>, float, ExceptionRule::kNone>;
    case DataType::kFloat64:
      return &RunRow<Addition<double>, double, ExceptionRule::kNone>;
    case DataType::kInt16:
      return &RunRow<Addition<int16_t>, int16_t, ExceptionRule::kNone>;
    case DataType::kUint8:
      return &RunRow<Addition<uint8_t>, uint8_t, ExceptionRule::kNone>;
    default:
      return nullptr;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#if HWY_ONCE
#include "cpu/rows/dispatch.h"

namespace residue {

RowFn FindAdditionOnTarget(RowKey key, Target target) noexcept;
RESIDUE_DEFINE_FINDER(RowFn, FindAdditionOnTarget, RowKey, FindAddition)

namespace bench {
RowFn FindAddRow(RowKey key, Target target) noexcept {
  return FindAdditionOnTarget(key, target == Target::kAvx3Spr ? Target::kAvx3 : target);
}
}  // namespace bench
}  // namespace residue
#endif
