// x * scale + bias. Floats: with each operation rounded to nearest and any NaN made the quiet one; halves are
// computed in float32. Included once per target.

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_SCALE_BIAS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_SCALE_BIAS_INL_H_
#undef RESIDUE_CPU_ROWS_SCALE_BIAS_INL_H_
#else
#define RESIDUE_CPU_ROWS_SCALE_BIAS_INL_H_
#endif

#include <hwy/highway.h>

#include <cmath>
#include <cstddef>
#include <type_traits>

#include "core/half.h"
#include "core/params.h"
#include "cpu/rows/arithmetic-inl.h"
#include "cpu/rows/exact_number.h"
#include "cpu/rows/light_functor-inl.h"
#include "cpu/rows/rounded-inl.h"
#include "cpu/rows/simd_compat-inl.h"
#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// In the lanes of F, whatever the elements are. Never fused, so that every target rounds alike.
template <class F>
struct ScaleBiasLanes : RoundedLanes<F> {
  using typename RoundedLanes<F>::DF;
  using typename RoundedLanes<F>::VF;
  using typename RoundedLanes<F>::Seen;

  explicit HWY_INLINE ScaleBiasLanes(const void* params) {
    // Each by itself, because compilers take a pair apart in general registers.
    const auto* given = static_cast<const std::byte*>(params);
    scale = static_cast<F>(ReadParams<float>(given + offsetof(ScaleBiasParams, scale)));
    bias = static_cast<F>(ReadParams<float>(given + offsetof(ScaleBiasParams, bias)));
  }

  HWY_INLINE VF ComputeRaw(VF x) const {
    const DF df;
    return hn::Add(hn::Mul(x, hn::Set(df, scale)), hn::Set(df, bias));
  }
  HWY_INLINE VF Compute(VF x) const { return QuietNan(DF(), ComputeRaw(x)); }

  HWY_INLINE Seen OfBoth(VF x) const {
    const DF df;
    const VF product = hn::Mul(x, hn::Set(df, scale));
    const VF sum = hn::Add(product, hn::Set(df, bias));
    return hn::Or(this->OfOperation(x, hn::Set(df, scale), product),
                  this->OfOperation(product, hn::Set(df, bias), sum));
  }

  F scale;
  F bias;
};

// float32 and float64.
template <class T>
struct FloatScaleBias : ScaleBiasLanes<T> {
  using Lanes = ScaleBiasLanes<T>;
  using Lane = T;
  static constexpr Lane kOne = 1;
  using Tag = hn::ScalableTag<T>;
  static constexpr bool kRaisesFlags = true;
  explicit HWY_INLINE FloatScaleBias(const void* params) : Lanes(params) {}

  template <class D, class V>
  HWY_INLINE V operator()(D, V x) const {
    return this->Compute(x);
  }
  template <class D, class V>
  HWY_INLINE V Raw(D, V x) const {
    return this->ComputeRaw(x);
  }

  template <class D, class V>
  HWY_INLINE typename Lanes::Seen See(D, V x, typename Lanes::Seen seen) const {
    return hn::Or(seen, hn::Or(this->OfOperand(x), this->OfBoth(x)));
  }
};

template <>
struct FloatScaleBias<Float16> : ScaleBiasLanes<float> {
  using Lane = uint16_t;
  static constexpr Lane kOne = 0x3C00;
  using Tag = hn::Rebind<uint16_t, DF>;
  explicit HWY_INLINE FloatScaleBias(const void* params) : ScaleBiasLanes<float>(params) {}

  template <class D, class V>
  HWY_INLINE V operator()(D, V halves) const {
    const DF df;
    return FloatToHalf(df, Compute(HalfToFloat(df, halves)));
  }

  template <class D, class V>
  HWY_INLINE Seen See(D, V halves, Seen seen) const {
    const VF x = HalfToFloat(DF(), halves);
    return hn::Or(hn::Or(seen, OfBoth(x)), hn::Or(OfHalf(halves), OfRoundingToHalf(ComputeRaw(x))));
  }
};

// Integers: exact, truncated, modulo 2^n. Where scale and bias are integers, nothing is cut off, and all of
// it can be done modulo 2^n. Finite params only.
template <class T>
struct IntegerScaleBias : Elements<UnsignedOf<T>, UnsignedOf<T>, UnsignedOf<T>> {
  using U = UnsignedOf<T>;
  using V = typename IntegerScaleBias::Result;
  explicit HWY_INLINE IntegerScaleBias(const void* params) : given(ReadParams<ScaleBiasParams>(params)) {
    whole = std::trunc(given.scale) == given.scale && std::trunc(given.bias) == given.bias;
    scale = static_cast<U>(ExactScaleBias<uint64_t>(1, given.scale, 0.0f));
    bias = static_cast<U>(ExactScaleBias<uint64_t>(0, 1.0f, given.bias));
  }

  HWY_INLINE V operator()(V x) const {
    const hn::ScalableTag<U> d;
    if (HWY_LIKELY(whole)) return hn::Add(MultiplyLanes::Of(d, x, hn::Set(d, scale)), hn::Set(d, bias));
    HWY_ALIGN U elements[kMostLanes<U>];
    hn::Store(x, d, elements);
    for (size_t i = 0; i < hn::Lanes(d); ++i) {
      elements[i] = static_cast<U>(ExactScaleBias(static_cast<T>(elements[i]), given.scale, given.bias));
    }
    return hn::Load(d, elements);
  }

  ScaleBiasParams given;
  bool whole;
  U scale;
  U bias;
};

template <class T>
using ScaleBias = std::conditional_t<std::is_integral_v<T>, IntegerScaleBias<T>, FloatScaleBias<T>>;

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
