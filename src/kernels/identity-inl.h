// The identity operator: the operand itself, bit for bit, or x * scale + bias with each operation rounded to
// nearest and any NaN made the quiet one. Halves are computed in float32. Included once per target.

// Per-target include guard
#if defined(RESIDUE_KERNELS_IDENTITY_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_KERNELS_IDENTITY_INL_H_
#undef RESIDUE_KERNELS_IDENTITY_INL_H_
#else
#define RESIDUE_KERNELS_IDENTITY_INL_H_
#endif

#include <hwy/highway.h>

#include <limits>
#include <type_traits>

#include "base/attributes.h"
#include "base/half.h"
#include "kernels/simd_compat-inl.h"
#include "kernels/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// x * scale + bias, never fused, so that every target rounds alike.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V ScaleAndBias(D d, V x, const Attributes& attributes) {
  using T = hn::TFromD<D>;
  const V product = hn::Mul(x, hn::Set(d, static_cast<T>(attributes.scale)));
  const V sum = hn::Add(product, hn::Set(d, static_cast<T>(attributes.bias)));
  return hn::IfThenElse(hn::IsNaN(sum), hn::Set(d, std::numeric_limits<T>::quiet_NaN()), sum);
}

// Integers have no scale and bias.
template <class T>
struct Identity {
  using Lane = T;
  static constexpr Lane kOne = 1;
  using Tag = hn::ScalableTag<T>;
  explicit HWY_INLINE Identity(const Attributes& given) : attributes(given) {}

  template <class D, class V>
  HWY_INLINE V Prepare(D, V b) const {
    return b;
  }

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b, V) const {
    return operator()(d, a, b);
  }

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V) const {
    if constexpr (std::is_floating_point_v<T>) {
      return attributes.has_scale_bias ? ScaleAndBias(d, a, attributes) : a;
    } else {
      return a;
    }
  }

  const Attributes& attributes;
};

template <>
struct Identity<Float16> {
  using Lane = uint16_t;
  static constexpr Lane kOne = 0x3C00;
  using DF = hn::ScalableTag<float>;
  using DU = hn::RebindToUnsigned<DF>;
  using Tag = hn::Rebind<uint16_t, DF>;
  explicit HWY_INLINE Identity(const Attributes& given) : attributes(given) {}

  template <class D, class V>
  HWY_INLINE V Prepare(D, V b) const {
    return b;
  }

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b, V) const {
    return operator()(d, a, b);
  }

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V) const {
    if (!attributes.has_scale_bias) return a;
    const DF df;
    const DU du;
    const auto bits = hn::PromoteTo(du, a);
    const auto magnitude = hn::And(bits, hn::Set(du, 0x7FFFu));
    const auto sign = hn::ShiftLeft<16>(hn::And(bits, hn::Set(du, 0x8000u)));
    const auto infinity = hn::Set(du, 0x7C00u);
    const auto finite = HalfMagnitudeToFloat(df, magnitude);
    const auto bounded = hn::IfThenElse(hn::RebindMask(df, hn::Eq(magnitude, infinity)),
                                        hn::Set(df, std::numeric_limits<float>::infinity()), finite);
    const auto absolute = hn::IfThenElse(hn::RebindMask(df, hn::Gt(magnitude, infinity)),
                                         hn::Set(df, std::numeric_limits<float>::quiet_NaN()), bounded);
    const auto x = hn::Or(absolute, hn::BitCast(df, sign));
    const auto sum = ScaleAndBias(df, x, attributes);
    const auto is_nan = hn::IsNaN(sum);
    const auto rounded = FloatToHalfMagnitude(df, hn::IfThenZeroElse(is_nan, hn::Abs(sum)));
    const auto sum_sign = hn::And(hn::ShiftRight<16>(hn::BitCast(du, sum)), hn::Set(du, 0x8000u));
    const auto result = hn::IfThenElse(hn::RebindMask(du, is_nan), hn::Set(du, uint32_t{kHalfNan.bits}),
                                       hn::Or(rounded, sum_sign));
    return hn::DemoteTo(d, hn::BitCast(hn::RebindToSigned<DU>(), result));
  }

  const Attributes& attributes;
};

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
