// The identity operator: the element itself, bit for bit. Elements of one size share their rows. Included
// once per target.

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_IDENTITY_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_IDENTITY_INL_H_
#undef RESIDUE_CPU_ROWS_IDENTITY_INL_H_
#else
#define RESIDUE_CPU_ROWS_IDENTITY_INL_H_
#endif

#include <hwy/highway.h>

#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class U>
struct Copy {
  using Lane = U;
  static constexpr Lane kOne = 1;
  using Tag = hn::ScalableTag<U>;
  static constexpr bool kIsOfBits = true;

  template <class D, class V>
  HWY_INLINE V operator()(D, V x) const {
    return x;
  }
};

template <class T>
using Identity = Copy<hwy::UnsignedFromSize<sizeof(T)>>;

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
