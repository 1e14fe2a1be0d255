// Floats rounded to integral values, which keep the sign of what they were. Included once per target.

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_ROUND_FLOAT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_ROUND_FLOAT_INL_H_
#undef RESIDUE_CPU_ROWS_ROUND_FLOAT_INL_H_
#else
#define RESIDUE_CPU_ROWS_ROUND_FLOAT_INL_H_
#endif

#include <hwy/highway.h>

#include "core/params.h"
#include "cpu/rows/light_functor-inl.h"
#include "cpu/rows/simd_compat-inl.h"
#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Highway's portable code loses the sign of a zero.
template <class V>
HWY_INLINE V KeepSign(V rounded, [[maybe_unused]] V x) {
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
  return hn::CopySign(rounded, x);
#else
  return rounded;
#endif
}

template <class F>
struct CeilLanes : Elements<F, F, F> {
  using V = typename CeilLanes::Result;
  HWY_INLINE V operator()(V x) const { return QuietNan(hn::ScalableTag<F>(), KeepSign(hn::Ceil(x), x)); }
};
template <class F>
struct FloorLanes : Elements<F, F, F> {
  using V = typename FloorLanes::Result;
  HWY_INLINE V operator()(V x) const { return QuietNan(hn::ScalableTag<F>(), KeepSign(hn::Floor(x), x)); }
};

template <class F>
struct RoundLanes : Elements<F, F, F> {
  using V = typename RoundLanes::Result;
  explicit HWY_INLINE RoundLanes(const void* params) : mode(ReadParams<RoundParams>(params).mode) {}

  HWY_INLINE V operator()(V x) const {
    const hn::ScalableTag<F> d;
    if (mode == RoundParams::kHalvesToEven) return QuietNan(d, KeepSign(hn::Round(x), x));
    const V whole = KeepSign(hn::Trunc(x), x);
    if (mode == RoundParams::kTowardZero) return QuietNan(d, whole);
    // What was cut off is exact.
    const auto up = hn::Ge(hn::Abs(hn::Sub(x, whole)), hn::Set(d, F(0.5)));
    const V away = hn::Add(hn::Abs(whole), hn::IfThenElseZero(up, hn::Set(d, F(1))));
    return QuietNan(d, hn::CopySign(away, x));
  }

  uint32_t mode;
};

template <class T>
using Ceil = OnFloats<T, CeilLanes<Computed<T>>, Half>;
template <class T>
using Floor = OnFloats<T, FloorLanes<Computed<T>>, Half>;
template <class T>
using Round = OnFloats<T, RoundLanes<Computed<T>>, Half>;

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
