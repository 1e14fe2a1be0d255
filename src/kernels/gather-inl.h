// Packing a row of elements that lie some step apart. Included once per target.
//
// Elements of all types move as unsigned integers of their size, so that types share this code.

// Per-target include guard
#if defined(RESIDUE_KERNELS_GATHER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_KERNELS_GATHER_INL_H_
#undef RESIDUE_KERNELS_GATHER_INL_H_
#else
#define RESIDUE_KERNELS_GATHER_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstring>

#include "kernels/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Every kStep-th element, whole vectors only; returns how many. Loading interleaved elements also reads those
// between, and those behind a vector's last one, so a further wanted element must follow.
template <size_t kStep, class U>
HWY_INLINE size_t GatherInterleaved(const U* from, size_t count, U* to) {
  const hn::ScalableTag<U> d;
  const size_t lanes = hn::Lanes(d);
  auto wanted = hn::Zero(d);
  auto other = hn::Zero(d);
  size_t i = 0;
  for (; i + lanes < count; i += lanes) {
    if constexpr (kStep == 2) {
      hn::LoadInterleaved2(d, from + i * kStep, wanted, other);
    } else if constexpr (kStep == 3) {
      hn::LoadInterleaved3(d, from + i * kStep, wanted, other, other);
    } else {
      hn::LoadInterleaved4(d, from + i * kStep, wanted, other, other, other);
    }
    hn::StoreU(wanted, d, to + i);
  }
  return i;
}

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
  constexpr auto kSize = static_cast<ptrdiff_t>(sizeof(U));
  const auto* elements = reinterpret_cast<const U*>(from);
  size_t done = 0;
  if constexpr (sizeof(U) > 1) {  // Highway 1.0.3 does not reverse bytes
    if (stride == -kSize) done = GatherReversed(elements, count, to);
  }
  if (stride == 2 * kSize) done = GatherInterleaved<2>(elements, count, to);
  if (stride == 3 * kSize) done = GatherInterleaved<3>(elements, count, to);
  if (stride == 4 * kSize) done = GatherInterleaved<4>(elements, count, to);
  const std::byte* p = from + static_cast<ptrdiff_t>(done) * stride;
  for (size_t i = done; i < count; ++i, p += stride) std::memcpy(to + i, p, sizeof(U));
}

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
