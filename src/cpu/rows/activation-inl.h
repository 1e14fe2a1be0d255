// Activations made of pieces of lines. Floats are computed as the formulas are written, in float32 for
// halves, and rounded after each operation. Included once per target.

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_ACTIVATION_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_ACTIVATION_INL_H_
#undef RESIDUE_CPU_ROWS_ACTIVATION_INL_H_
#else
#define RESIDUE_CPU_ROWS_ACTIVATION_INL_H_
#endif

#include <hwy/highway.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/params.h"
#include "cpu/rows/arithmetic-inl.h"
#include "cpu/rows/cast-inl.h"
#include "cpu/rows/light_functor-inl.h"
#include "cpu/rows/order-inl.h"
#include "cpu/rows/simd_compat-inl.h"
#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class F>
struct LeakyReluLanes : Elements<F, F, F> {
  using V = typename LeakyReluLanes::Result;
  explicit HWY_INLINE LeakyReluLanes(const void* params)
      : alpha(static_cast<F>(ReadParams<AlphaParams>(params).alpha)) {}
  HWY_INLINE V operator()(V x) const {
    const hn::ScalableTag<F> d;
    return QuietNan(d, hn::IfThenElse(hn::Ge(x, hn::Zero(d)), x, hn::Mul(hn::Set(d, alpha), x)));
  }
  F alpha;
};

template <class F>
struct ThresholdedReluLanes : Elements<F, F, F> {
  using V = typename ThresholdedReluLanes::Result;
  explicit HWY_INLINE ThresholdedReluLanes(const void* params)
      : alpha(static_cast<F>(ReadParams<AlphaParams>(params).alpha)) {}
  HWY_INLINE V operator()(V x) const {
    const hn::ScalableTag<F> d;
    return hn::IfThenElseZero(hn::Gt(x, hn::Set(d, alpha)), x);
  }
  F alpha;
};

template <class T>
struct ParameterizedReluLanes : Elements<T, T, T, T> {
  using V = typename ParameterizedReluLanes::Result;
  HWY_INLINE V operator()(V x, V slope) const {
    const hn::ScalableTag<T> d;
    const auto positive = IsAtLeast(x, hn::Zero(d));
    if constexpr (hwy::IsFloat<T>()) {
      return QuietNan(d, hn::IfThenElse(positive, x, hn::Mul(slope, x)));
    } else {
      const hn::RebindToUnsigned<decltype(d)> du;
      const auto product = MultiplyLanes::Of(du, hn::BitCast(du, slope), hn::BitCast(du, x));
      return hn::IfThenElse(positive, x, hn::BitCast(d, product));
    }
  }
};

template <class F>
struct HardSwishLanes : Elements<F, F, F> {
  using V = typename HardSwishLanes::Result;
  explicit HWY_INLINE HardSwishLanes(const void* params) {
    const auto given = ReadParams<AlphaBetaParams>(params);
    alpha = static_cast<F>(given.alpha);
    beta = static_cast<F>(given.beta);
  }
  HWY_INLINE V operator()(V x) const {
    const hn::ScalableTag<F> d;
    const V line = hn::Add(hn::Mul(hn::Set(d, alpha), x), hn::Set(d, beta));
    const V below_one = MinLanes::OfNumbers(d, line, hn::Set(d, F(1)));
    const V gate = MaxLanes::OfNumbers(d, below_one, hn::Zero(d));
    return QuietNan(d, hn::Mul(x, hn::IfThenElse(hn::IsNaN(line), line, gate)));
  }
  F alpha;
  F beta;
};

template <class F>
struct FloatShrink : Elements<F, F, F> {
  using V = typename FloatShrink::Result;
  explicit HWY_INLINE FloatShrink(const void* params) {
    const auto given = ReadParams<ShrinkParams>(params);
    bias = static_cast<F>(given.bias);
    threshold = static_cast<F>(given.threshold);
  }
  HWY_INLINE V operator()(V x) const {
    const hn::ScalableTag<F> d;
    const V by = hn::Set(d, bias);
    const V below = hn::IfThenElseZero(hn::Lt(x, hn::Set(d, -threshold)), hn::Add(x, by));
    return QuietNan(d, hn::IfThenElse(hn::Gt(x, hn::Set(d, threshold)), hn::Sub(x, by), below));
  }
  F bias;
  F threshold;
};

// An integer of twice the bits.
template <class T>
using TwiceAsLong = hwy::SignedFromSize<2 * sizeof(T)>;

// Integers are shrunk as real numbers and then truncated. A number subtracted is its floor, which leaves an
// integer m, and a part of 1 that is left: if there is one and m is above 0, truncating takes one more off.
// Lanes have twice the bits of an element. Numbers that do not fit them are far outside of the
// integers, where the result is saturated anyway. If one is NaN, all results are 0.
template <class T>
struct IntegerShrink : Elements<TwiceAsLong<T>, T, T> {
  using V = typename IntegerShrink::Result;
  using Lane = TwiceAsLong<T>;
  using D = hn::ScalableTag<Lane>;
  using VL = hn::Vec<D>;
  static constexpr Lane kFar = Lane{1} << (8 * sizeof(T) + 4);

  struct Amount {
    Lane floor;
    Lane more;  // 1 if a part is left
  };
  static HWY_INLINE Amount Split(double amount) {
    const double floor = std::floor(amount);
    const auto bound = static_cast<double>(kFar);
    const double near = floor < -bound ? -bound : floor > bound ? bound : floor;
    return {static_cast<Lane>(near), Lane{floor != amount}};
  }

  explicit HWY_INLINE IntegerShrink(const void* params) {
    const auto given = ReadParams<ShrinkParams>(params);
    if (given.threshold != given.threshold || given.bias != given.bias) return;
    most = Split(static_cast<double>(given.threshold)).floor;
    least = -most;
    above = Split(static_cast<double>(given.bias));
    below = Split(-static_cast<double>(given.bias));
  }

  static HWY_INLINE VL Minus(VL x, const Amount& amount) {
    const D d;
    const VL m = hn::Sub(x, hn::Set(d, amount.floor));
    return hn::Sub(m, hn::IfThenElseZero(hn::Gt(m, hn::Zero(d)), hn::Set(d, amount.more)));
  }

  HWY_INLINE V operator()(V given) const {
    const D d;
    const VL x = hn::BitCast(d, Resize<Lane>(d, given));
    const VL lower = hn::IfThenElseZero(hn::Lt(x, hn::Set(d, least)), Minus(x, below));
    const VL result = hn::IfThenElse(hn::Gt(x, hn::Set(d, most)), Minus(x, above), lower);
    const VL bounded = hn::Min(hn::Max(result, hn::Set(d, Lane{std::numeric_limits<T>::min()})),
                               hn::Set(d, Lane{std::numeric_limits<T>::max()}));
    return Resize<T>(d, bounded);
  }

  Lane most = kFar;  // of the numbers that become 0
  Lane least = -kFar;
  Amount above = {0, 0};
  Amount below = {0, 0};
};

template <class T>
using LeakyRelu = OnFloats<T, LeakyReluLanes<Computed<T>>, Half>;
template <class T>
using ThresholdedRelu = OnFloats<T, ThresholdedReluLanes<Computed<T>>, Half>;
template <class T>
using ParameterizedRelu = OnFloats<T, ParameterizedReluLanes<Computed<T>>, Half, Half>;
template <class T>
using HardSwish = OnFloats<T, HardSwishLanes<Computed<T>>, Half>;
template <class T>
using Shrink =
    std::conditional_t<std::is_integral_v<T>, IntegerShrink<T>, OnFloats<T, FloatShrink<Computed<T>>, Half>>;

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
