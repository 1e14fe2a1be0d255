// Elements that are chosen, not computed: they keep their bits. Also questions about floats, answered in
// bytes. Included once per target.

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_SELECT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_SELECT_INL_H_
#undef RESIDUE_CPU_ROWS_SELECT_INL_H_
#else
#define RESIDUE_CPU_ROWS_SELECT_INL_H_
#endif

#include <hwy/highway.h>

#include <limits>

#include "core/params.h"
#include "cpu/rows/light_functor-inl.h"
#include "cpu/rows/order-inl.h"
#include "cpu/rows/simd_compat-inl.h"
#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class U>
struct IfLanes : Elements<U, U, uint8_t, U, U> {
  template <class C, class V>
  HWY_INLINE V operator()(C condition, V a, V b) const {
    const hn::ScalableTag<U> d;
    return hn::IfThenElse(hn::Ne(Resize<U>(d, condition), hn::Zero(d)), a, b);
  }
};
template <class T, class R>
using If = IfLanes<UnsignedOf<R>>;

// Lanes that hold the elements' numbers, and lanes of the same size for the bits that are chosen.
template <class T>
struct Chosen : Elements<Computed<T>, LaneOf<T>, LaneOf<T>, LaneOf<T>> {
  using D = hn::ScalableTag<Computed<T>>;
  using V = typename Chosen::Result;

  // The element where the mask is true, else 0.
  template <class M>
  static HWY_INLINE V ElementWhere(M mask, V element) {
    const D d;
    const hn::RebindToUnsigned<D> du;
    using U = hn::TFromD<decltype(du)>;
    const auto bits = Resize<U>(d, hn::BitCast(hn::Rebind<UnsignedOf<T>, D>(), element));
    const auto chosen = hn::IfThenElseZero(hn::RebindMask(du, mask), bits);
    return hn::BitCast(hn::Rebind<LaneOf<T>, D>(), Resize<UnsignedOf<T>>(d, chosen));
  }
};

template <class T>
struct ReluGrad : Chosen<T> {
  using typename Chosen<T>::V;
  HWY_INLINE V operator()(V x, V gradient) const {
    const typename ReluGrad::D d;
    return this->ElementWhere(hn::Gt(Numbers<T>(d, x), hn::Zero(d)), gradient);
  }
};

// A NaN makes both comparisons false, and the gradient is the result.
template <class T>
struct ClipGrad : Chosen<T> {
  using typename Chosen<T>::V;
  explicit HWY_INLINE ClipGrad(const void* params) : bounds(params) {}
  HWY_INLINE V operator()(V x, V gradient) const {
    const typename ClipGrad::D d;
    const auto number = Numbers<T>(d, x);
    const auto outside =
        hn::Or(IsAtLeast(hn::Set(d, bounds.least), number), IsAtLeast(number, hn::Set(d, bounds.most)));
    return this->ElementWhere(hn::Not(outside), gradient);
  }
  Bounds<T> bounds;
};

template <class T>
struct Question : Elements<Computed<T>, uint8_t, LaneOf<T>> {
  using D = hn::ScalableTag<Computed<T>>;
};
template <class T>
struct IsNanLanes : Question<T> {
  template <class V>
  HWY_INLINE auto operator()(V x) const {
    const typename IsNanLanes::D d;
    return ToAnswers(d, hn::IsNaN(Numbers<T>(d, x)));
  }
};
template <class T>
struct IsInfinityLanes : Question<T> {
  using C = Computed<T>;
  explicit HWY_INLINE IsInfinityLanes(const void* params) {
    const uint32_t mode = ReadParams<InfinityParams>(params).mode;
    constexpr C kInfinity = std::numeric_limits<C>::infinity();
    one = mode == InfinityParams::kNegative ? -kInfinity : kInfinity;
    other = mode == InfinityParams::kPositive ? kInfinity : -kInfinity;
  }
  template <class V>
  HWY_INLINE auto operator()(V x) const {
    const typename IsInfinityLanes::D d;
    const auto number = Numbers<T>(d, x);
    return ToAnswers(d, hn::Or(hn::Eq(number, hn::Set(d, one)), hn::Eq(number, hn::Set(d, other))));
  }
  C one;
  C other;
};
template <class T, class R>
using IsNan = IsNanLanes<T>;
template <class T, class R>
using IsInfinity = IsInfinityLanes<T>;

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
