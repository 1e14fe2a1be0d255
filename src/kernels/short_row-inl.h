// A few packed elements, examined and computed in one go: what a call costs on little data is mostly what
// happens around the arithmetic. Included once per target.

// Per-target include guard
#if defined(RESIDUE_KERNELS_SHORT_ROW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_KERNELS_SHORT_ROW_INL_H_
#undef RESIDUE_KERNELS_SHORT_ROW_INL_H_
#else
#define RESIDUE_KERNELS_SHORT_ROW_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <concepts>

#include "base/exceptions.h"
#include "kernels/examine-inl.h"
#include "kernels/kernel.h"
#include "kernels/target-inl.h"
#include "kernels/tile_loop-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class D, class T = hn::TFromD<D>>
HWY_INLINE void StoreFew(D d, hn::Vec<D> result, size_t count, T* to) {
#if RESIDUE_AVX3
  hn::BlendedStore(result, hn::FirstN(d, count), d, to);
#else
  if (kMostLanes<T> == 1 || count == hn::Lanes(d)) return hn::StoreU(result, d, to);
  HWY_ALIGN T part[kMostLanes<T>];
  hn::Store(result, d, part);
  StorePart(d, part, count, to);
#endif
}

template <class Math, class Element>
Exceptions RunShortRow(const ShortRow& row) noexcept {
  using T = typename Math::Lane;
  using Step = std::conditional_t<std::integral<Element>, SmallestDivisor, InvalidOperations<Element>>;
  const typename Math::Tag d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const size_t lanes = hn::Lanes(d);
  const Math math = MakeMath<Math>(kNoAttributes);
  const auto* a = reinterpret_cast<const T*>(row.a);
  const auto* b = reinterpret_cast<const T*>(row.b);
  auto* out = reinterpret_cast<T*>(row.out);
  auto seen = Step::Begin(du);
  HWY_UNROLL(1)
  for (size_t i = 0; i < row.count; i += lanes) {
    const size_t count = std::min(lanes, row.count - i);
    const auto dividend = LoadFew(d, row.one_a ? a : a + i, row.one_a, count);
    const auto divisor = LoadFew(d, row.one_b ? b : b + i, row.one_b, count);
    seen = Step::See(du, seen, hn::BitCast(du, dividend), hn::BitCast(du, divisor));
    StoreFew(d, math(d, dividend, divisor), count, out + i);
  }
  return Step::Verdict(du, seen);
}

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
