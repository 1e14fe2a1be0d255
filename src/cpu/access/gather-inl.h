// Packing a row of elements that lie some step apart. Included once per target.
//
// Elements of all types move as unsigned integers of their size, so that types share this code. What lies
// between the elements is not read, not even to be thrown away: it may be somebody else's, who is writing it.

// Per-target include guard
#if defined(RESIDUE_CPU_ACCESS_GATHER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ACCESS_GATHER_INL_H_
#undef RESIDUE_CPU_ACCESS_GATHER_INL_H_
#else
#define RESIDUE_CPU_ACCESS_GATHER_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstring>

#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class U>
HWY_INLINE size_t GatherReversed(const U* from, size_t count, U* to) {
  const hn::ScalableTag<U> d;
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    hn::StoreU(hn::Reverse(d, hn::LoadU(d, from - i - (lanes - 1))), d, to + i);
  }
  return i;
}

// `count` elements from `from` on, `stride` bytes apart.
template <class U>
HWY_NOINLINE void GatherRow(const std::byte* from, ptrdiff_t stride, size_t count, U* HWY_RESTRICT to) {
  if (stride == static_cast<ptrdiff_t>(sizeof(U))) {
    std::memcpy(to, from, count * sizeof(U));
    return;
  }
  size_t done = 0;
  if constexpr (sizeof(U) > 1) {  // Highway 1.0.3 does not reverse bytes
    const bool reversed = stride == -static_cast<ptrdiff_t>(sizeof(U));
    if (reversed) done = GatherReversed(reinterpret_cast<const U*>(from), count, to);
  }
  const std::byte* p = from + static_cast<ptrdiff_t>(done) * stride;
  HWY_UNROLL(4)
  for (size_t i = done; i < count; ++i, p += stride) std::memcpy(to + i, p, sizeof(U));
}

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
