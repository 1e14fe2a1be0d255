// Rows whose results are narrower than their operands, or as narrow: what asks something of numbers and
// answers in bytes. The functor answers in unsigned lanes of the operands' size, and the low bits are the
// result. Included once per target.

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_NARROW_ROW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_NARROW_ROW_INL_H_
#undef RESIDUE_CPU_ROWS_NARROW_ROW_INL_H_
#else
#define RESIDUE_CPU_ROWS_NARROW_ROW_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "core/exceptions.h"
#include "cpu/rows/partial-inl.h"
#include "cpu/rows/row.h"
#include "cpu/rows/row_loop-inl.h"
#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class Out, class D, class V>
HWY_INLINE hn::Vec<hn::Rebind<Out, D>> Narrow(D, V answers) {
  if constexpr (sizeof(Out) == sizeof(hn::TFromD<D>)) {
    return answers;
  } else {
#if HWY_TARGET == \
    HWY_AVX3_DL  // our AVX3_SPR; Highway 1.0.3 exchanges operands in its other truncations there
    static_assert(sizeof(hn::TFromD<D>) == 2 && hn::MaxLanes(D()) == 32);
#endif
    return hn::TruncateTo(hn::Rebind<Out, D>(), answers);
  }
}

template <class Math, class Out>
Exceptions RunNarrowRow(const Row& row) noexcept {
  using Lane = typename Math::Lane;
  static_assert(sizeof(Out) <= sizeof(Lane), "no operator has wider results yet");
  const typename Math::Tag d;
  const hn::RebindToUnsigned<typename Math::Tag> du;
  const hn::Rebind<Out, typename Math::Tag> narrow;
  const size_t lanes = hn::Lanes(d);
  const Math math = MakeMath<Math>(row.params);
  const auto* a = static_cast<const Lane*>(row.in[0]);
  const auto* b = OfOne<Math> ? a : static_cast<const Lane*>(row.in[1]);
  auto* out = static_cast<Out*>(row.out);
  const bool single_a = (row.single & 1) != 0;
  const bool single_b = (row.single & 2) != 0;
  HWY_UNROLL(1)
  for (size_t i = 0; i < row.count; i += lanes) {
    const size_t count = std::min(lanes, row.count - i);
    const auto x = LoadFew(d, single_a ? a : a + i, single_a, count);
    if constexpr (OfOne<Math>) {
      StoreFew(narrow, Narrow<Out>(du, math(d, x)), count, out + i);
    } else {
      const auto y = LoadFew(d, single_b ? b : b + i, single_b, count);
      StoreFew(narrow, Narrow<Out>(du, math(d, x, y)), count, out + i);
    }
  }
  return kNoException;
}

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
