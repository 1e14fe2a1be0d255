// x * scale + bias with each operation rounded to nearest and any NaN made the quiet one. Halves are computed
// in float32. Included once per target.

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
#include <limits>

#include "core/exceptions.h"
#include "core/half.h"
#include "core/params.h"
#include "cpu/rows/simd_compat-inl.h"
#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// In the lanes of F, whatever the elements are. Never fused, so that every target rounds alike.
template <class F>
struct ScaleBiasLanes {
  using DF = hn::ScalableTag<F>;
  using DU = hn::RebindToUnsigned<DF>;
  using VF = hn::Vec<DF>;
  using Seen = hn::Vec<DU>;  // the exceptions of each lane

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

  // What IEEE 754 says of one operation: infinity from finite operands, NaN from operands that are none.
  static HWY_INLINE Seen OfOperation(VF x, VF y, VF result) {
    const DU du;
    const DF df;
    const VF infinity = hn::Set(df, std::numeric_limits<F>::infinity());
    const auto finite = hn::And(hn::Lt(hn::Abs(x), infinity), hn::Lt(hn::Abs(y), infinity));
    const auto overflow = hn::And(finite, hn::Eq(hn::Abs(result), infinity));
    const auto invalid = hn::AndNot(hn::Or(hn::IsNaN(x), hn::IsNaN(y)), hn::IsNaN(result));
    using Bits = hn::TFromD<DU>;
    return hn::Or(hn::IfThenElseZero(hn::RebindMask(du, overflow), hn::Set(du, Bits{kOverflow})),
                  hn::IfThenElseZero(hn::RebindMask(du, invalid), hn::Set(du, Bits{kInvalidOperation})));
  }

  HWY_INLINE Seen OfBoth(VF x) const {
    const DF df;
    const VF product = hn::Mul(x, hn::Set(df, scale));
    const VF sum = hn::Add(product, hn::Set(df, bias));
    return hn::Or(OfOperation(x, hn::Set(df, scale), product), OfOperation(product, hn::Set(df, bias), sum));
  }

  static HWY_INLINE Seen Nothing() { return hn::Zero(DU()); }

  static HWY_INLINE Exceptions Verdict(Seen seen) {
    const DU du;
    using Bits = hn::TFromD<DU>;
    Exceptions found = kNoException;
    for (const Exceptions one : {kInvalidOperation, kOverflow}) {
      const auto has = hn::Ne(hn::And(seen, hn::Set(du, static_cast<Bits>(one))), hn::Zero(du));
      if (!hn::AllFalse(du, has)) found |= one;
    }
    return found;
  }

  F scale;
  F bias;
};

// float32 and float64.
template <class T>
struct ScaleBias : ScaleBiasLanes<T> {
  using Lanes = ScaleBiasLanes<T>;
  using Lane = T;
  static constexpr Lane kOne = 1;
  using Tag = hn::ScalableTag<T>;
  explicit HWY_INLINE ScaleBias(const void* params) : Lanes(params) {}

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
    const typename Lanes::DU du;
    using Bits = hn::TFromD<typename Lanes::DU>;
    constexpr int kQuietBit = sizeof(T) == 4 ? 22 : 51;
    const auto quiet = hn::Ne(hn::And(hn::BitCast(du, x), hn::Set(du, Bits{1} << kQuietBit)), hn::Zero(du));
    const auto signalling = hn::AndNot(quiet, hn::RebindMask(du, hn::IsNaN(x)));
    const auto invalid = hn::IfThenElseZero(signalling, hn::Set(du, Bits{kInvalidOperation}));
    return hn::Or(seen, hn::Or(invalid, this->OfBoth(x)));
  }
};

template <>
struct ScaleBias<Float16> : ScaleBiasLanes<float> {
  using Lane = uint16_t;
  static constexpr Lane kOne = 0x3C00;
  using Tag = hn::Rebind<uint16_t, DF>;
  explicit HWY_INLINE ScaleBias(const void* params) : ScaleBiasLanes<float>(params) {}

  template <class D, class V>
  HWY_INLINE V operator()(D, V halves) const {
    const DF df;
    return FloatToHalf(df, Compute(HalfToFloat(df, halves)));
  }

  // Finite sums from 65520 on round to an infinite half.
  template <class D, class V>
  HWY_INLINE Seen See(D, V halves, Seen seen) const {
    const DF df;
    const DU du;
    const auto magnitude = hn::And(hn::PromoteTo(du, halves), hn::Set(du, 0x7FFFu));
    const auto is_nan = hn::Gt(magnitude, hn::Set(du, 0x7C00u));
    const auto signalling = hn::And(is_nan, hn::Lt(magnitude, hn::Set(du, 0x7E00u)));
    const VF x = HalfToFloat(df, halves);
    const VF sum = hn::Abs(Compute(x));
    const auto too_large = hn::And(hn::Ge(sum, hn::Set(df, 65520.0f)),
                                   hn::Lt(sum, hn::Set(df, std::numeric_limits<float>::infinity())));
    const auto invalid = hn::IfThenElseZero(signalling, hn::Set(du, uint32_t{kInvalidOperation}));
    const auto overflow = hn::IfThenElseZero(hn::RebindMask(du, too_large), hn::Set(du, uint32_t{kOverflow}));
    return hn::Or(hn::Or(seen, OfBoth(x)), hn::Or(invalid, overflow));
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
