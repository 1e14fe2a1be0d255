// What light functors share: halves by way of float32, wider and narrower lanes, answers of 0 and 1. Included
// once per target.

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_LIGHT_FUNCTOR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_LIGHT_FUNCTOR_INL_H_
#undef RESIDUE_CPU_ROWS_LIGHT_FUNCTOR_INL_H_
#else
#define RESIDUE_CPU_ROWS_LIGHT_FUNCTOR_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>
#include <type_traits>

#include "core/half.h"
#include "cpu/rows/light_row-inl.h"
#include "cpu/rows/rounded-inl.h"
#include "cpu/rows/simd_compat-inl.h"
#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// How an element lies in lanes, and what it is computed in.
using Half = uint16_t;
template <class T>
using LaneOf = std::conditional_t<std::is_same_v<T, Float16>, Half, T>;
template <class T>
using Computed = std::conditional_t<std::is_same_v<T, Float16>, float, T>;
template <class T>
using UnsignedOf = hwy::UnsignedFromSize<sizeof(T)>;

// What elements of T are as numbers, in the lanes of `d`.
template <class T, class D, class V>
HWY_INLINE auto Numbers([[maybe_unused]] D d, V elements) {
  if constexpr (std::is_same_v<T, Float16>) {
    return HalfToFloat(d, elements);
  } else {
    return elements;
  }
}

// An operation on lanes of T, which needs nothing around it.
template <class T, class Operation, class... I>
struct OnLanes : Elements<T, T, I...> {
  template <class... V>
  HWY_INLINE hn::Vec<hn::ScalableTag<T>> operator()(V... v) const {
    return Operation::Of(hn::ScalableTag<T>(), v...);
  }
};

// A functor on float32, for halves: its results are rounded once more.
template <class Math, class... H>
struct InFloat32 : Elements<float, Half, H...>, RoundedLanes<float> {
  InFloat32() requires std::is_default_constructible_v<Math>
  = default;
  explicit HWY_INLINE InFloat32(const void* params) requires(!std::is_default_constructible_v<Math>)
      : math(params) {}

  template <class... V>
  HWY_INLINE hn::Vec<hn::Rebind<Half, DF>> operator()(V... halves) const {
    return FloatToHalf(DF(), math(HalfToFloat(DF(), halves)...));
  }

  template <class... V>
  HWY_INLINE Seen See(Seen seen, V... halves) const {
    ((seen = hn::Or(seen, OfHalf(halves))), ...);
    seen = math.See(seen, HalfToFloat(DF(), halves)...);
    return hn::Or(seen, OfRoundingToHalf(math(HalfToFloat(DF(), halves)...)));
  }

  Math math;
};

// The functor itself for other floats.
template <class T, class Math, class... H>
using OnFloats = std::conditional_t<std::is_same_v<T, Float16>, InFloat32<Math, H...>, Math>;

// The same integers in lanes of another size; what does not fit is cut off. `d` is a tag of as many lanes.
template <class To, class D, class V>
HWY_INLINE hn::Vec<hn::Rebind<To, D>> Resize(D d, V v) {
  using From = hn::TFromV<V>;
  const hn::Rebind<To, D> to;
  if constexpr (sizeof(To) == sizeof(From)) {
    return hn::BitCast(to, v);
  } else if constexpr (sizeof(To) < sizeof(From)) {
    const auto bits = hn::BitCast(hn::Rebind<UnsignedOf<From>, D>(), v);
    return hn::BitCast(to, hn::TruncateTo(hn::Rebind<UnsignedOf<To>, D>(), bits));
  } else {
    using Double = std::conditional_t<std::is_signed_v<From>, hwy::SignedFromSize<2 * sizeof(From)>,
                                      hwy::UnsignedFromSize<2 * sizeof(From)>>;
    return Resize<To>(d, hn::PromoteTo(hn::Rebind<Double, D>(), v));
  }
}

// a >= b; Highway 1.0.3 has that for floats only.
template <class V>
HWY_INLINE auto IsAtLeast(V a, V b) {
  if constexpr (hwy::IsFloat<hn::TFromV<V>>()) {
    return hn::Ge(a, b);
  } else {
    return hn::Not(hn::Lt(a, b));
  }
}

// Answers as bytes: 1 where the mask of lanes of `d` is true.
template <class D, class M>
HWY_INLINE hn::Vec<hn::Rebind<uint8_t, D>> ToAnswers(D d, M mask) {
  const hn::RebindToUnsigned<D> du;
  const auto one = hn::Set(du, hn::TFromD<decltype(du)>{1});
  return Resize<uint8_t>(d, hn::IfThenElseZero(hn::RebindMask(du, mask), one));
}

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
