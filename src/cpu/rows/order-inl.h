// What comes first: comparisons, the greater and the lesser, bounds, signs. Comparisons are quiet: NaN makes
// all of them false. Included once per target.

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_ORDER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_ORDER_INL_H_
#undef RESIDUE_CPU_ROWS_ORDER_INL_H_
#else
#define RESIDUE_CPU_ROWS_ORDER_INL_H_
#endif

#include <hwy/highway.h>

#include <limits>
#include <type_traits>

#include "core/params.h"
#include "cpu/rows/light_functor-inl.h"
#include "cpu/rows/simd_compat-inl.h"
#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

struct EqualLanes {
  template <class V>
  static HWY_INLINE auto Of(V a, V b) {
    return hn::Eq(a, b);
  }
};
struct GreaterLanes {
  template <class V>
  static HWY_INLINE auto Of(V a, V b) {
    return hn::Gt(a, b);
  }
};
struct GreaterOrEqualLanes {
  template <class V>
  static HWY_INLINE auto Of(V a, V b) {
    return IsAtLeast(a, b);
  }
};
struct LessLanes {
  template <class V>
  static HWY_INLINE auto Of(V a, V b) {
    return hn::Lt(a, b);
  }
};
struct LessOrEqualLanes {
  template <class V>
  static HWY_INLINE auto Of(V a, V b) {
    return IsAtLeast(b, a);
  }
};

template <class T, class Relation>
struct Comparison : Elements<Computed<T>, uint8_t, LaneOf<T>, LaneOf<T>> {
  using D = hn::ScalableTag<Computed<T>>;
  template <class V>
  HWY_INLINE auto operator()(V a, V b) const {
    const D d;
    return ToAnswers(d, Relation::Of(Numbers<T>(d, a), Numbers<T>(d, b)));
  }
};

template <class T, class R>
using Equals = Comparison<T, EqualLanes>;
template <class T, class R>
using GreaterThan = Comparison<T, GreaterLanes>;
template <class T, class R>
using GreaterThanOrEqual = Comparison<T, GreaterOrEqualLanes>;
template <class T, class R>
using LessThan = Comparison<T, LessLanes>;
template <class T, class R>
using LessThanOrEqual = Comparison<T, LessOrEqualLanes>;

// The greater and the lesser of numbers. Floats that compare equal differ at most in the sign of zero, which
// their common bits, or all bits of both, decide.
struct MaxLanes {
  template <class D, class V>
  static HWY_INLINE V OfNumbers(D, V a, V b) {
    if constexpr (hwy::IsFloat<hn::TFromD<D>>()) {
      return hn::IfThenElse(hn::Eq(a, b), hn::And(a, b), hn::Max(a, b));
    } else {
      return hn::Max(a, b);
    }
  }
};
struct MinLanes {
  template <class D, class V>
  static HWY_INLINE V OfNumbers(D, V a, V b) {
    if constexpr (hwy::IsFloat<hn::TFromD<D>>()) {
      return hn::IfThenElse(hn::Eq(a, b), hn::Or(a, b), hn::Min(a, b));
    } else {
      return hn::Min(a, b);
    }
  }
};

template <class T, class Operation>
struct Extreme : Elements<T, T, T, T> {
  using V = typename Extreme::Result;
  HWY_INLINE V operator()(V a, V b) const {
    const hn::ScalableTag<T> d;
    const V number = Operation::OfNumbers(d, a, b);
    if constexpr (hwy::IsFloat<T>()) {
      const V nan = hn::Set(d, std::numeric_limits<T>::quiet_NaN());
      return hn::IfThenElse(hn::Or(hn::IsNaN(a), hn::IsNaN(b)), nan, number);
    } else {
      return number;
    }
  }
};
template <class T>
using Max = OnFloats<T, Extreme<Computed<T>, MaxLanes>, Half, Half>;
template <class T>
using Min = OnFloats<T, Extreme<Computed<T>, MinLanes>, Half, Half>;

// An element that params hold as bits, in what it is computed in.
template <class T>
HWY_INLINE Computed<T> ReadElement(const void* bits) {
  if constexpr (std::is_same_v<T, Float16>) {
    return HalfToFloat(ReadParams<Float16>(bits));
  } else {
    return ReadParams<T>(bits);
  }
}

// The bounds of an operator. One that is NaN is none.
template <class T>
struct Bounds {
  using C = Computed<T>;
  explicit HWY_INLINE Bounds(const void* params)
      : least(ReadElement<T>(static_cast<const std::byte*>(params) + offsetof(BoundsParams, min))),
        most(ReadElement<T>(static_cast<const std::byte*>(params) + offsetof(BoundsParams, max))) {}
  C least;
  C most;
};

// T is what the elements are, the lanes those that it is computed in.
template <class T>
struct ClipLanes : Elements<Computed<T>, Computed<T>, Computed<T>> {
  using C = Computed<T>;
  using V = typename ClipLanes::Result;
  explicit HWY_INLINE ClipLanes(const void* params) : bounds(params) {
    if constexpr (hwy::IsFloat<C>()) {
      constexpr C kInfinity = std::numeric_limits<C>::infinity();
      if (bounds.least != bounds.least) bounds.least = -kInfinity;
      if (bounds.most != bounds.most) bounds.most = kInfinity;
    }
  }
  HWY_INLINE V operator()(V x) const {
    const hn::ScalableTag<C> d;
    const V most = MinLanes::OfNumbers(d, x, hn::Set(d, bounds.most));
    const V result = MaxLanes::OfNumbers(d, most, hn::Set(d, bounds.least));
    if constexpr (hwy::IsFloat<C>()) {
      return hn::IfThenElse(hn::IsNaN(x), hn::Set(d, std::numeric_limits<C>::quiet_NaN()), result);
    } else {
      return result;
    }
  }
  Bounds<T> bounds;
};
template <class T>
using Clip = OnFloats<T, ClipLanes<T>, Half>;

template <class T>
struct SignLanes : Elements<T, T, T> {
  using V = typename SignLanes::Result;
  HWY_INLINE V operator()(V x) const {
    const hn::ScalableTag<T> d;
    if constexpr (std::is_unsigned_v<T>) {
      return hn::Min(x, hn::Set(d, T{1}));
    } else {
      const V zero = hn::Zero(d);
      const V below = hn::IfThenElseZero(hn::Lt(x, zero), hn::Set(d, static_cast<T>(-1)));
      return hn::IfThenElse(hn::Gt(x, zero), hn::Set(d, static_cast<T>(1)), below);
    }
  }
};
template <class T>
using Sign = OnFloats<T, SignLanes<Computed<T>>, Half>;

// Floats: only the sign bit changes, of NaN too.
template <class T>
struct AbsLanes : Elements<T, T, T> {
  using V = typename AbsLanes::Result;
  HWY_INLINE V operator()(V x) const { return hn::Abs(x); }
};
template <class U>
struct ClearSign : Elements<U, U, U> {
  using V = typename ClearSign::Result;
  static constexpr bool kIsOfBits = true;
  HWY_INLINE V operator()(V x) const {
    return hn::And(x, hn::Set(hn::ScalableTag<U>(), static_cast<U>(static_cast<U>(~U{0}) >> 1)));
  }
};
template <class U>
struct FlipSign : Elements<U, U, U> {
  using V = typename FlipSign::Result;
  static constexpr bool kIsOfBits = true;
  HWY_INLINE V operator()(V x) const {
    return hn::Xor(x, hn::Set(hn::ScalableTag<U>(), static_cast<U>(U{1} << (8 * sizeof(U) - 1))));
  }
};
template <class U>
struct NegateLanes : Elements<U, U, U> {
  using V = typename NegateLanes::Result;
  HWY_INLINE V operator()(V x) const { return hn::Sub(hn::Zero(hn::ScalableTag<U>()), x); }
};
template <class T>
using Abs = std::conditional_t<std::is_integral_v<T>, AbsLanes<T>, ClearSign<UnsignedOf<T>>>;
template <class T>
using Negate = std::conditional_t<std::is_integral_v<T>, NegateLanes<UnsignedOf<T>>, FlipSign<UnsignedOf<T>>>;

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
