// Sums, differences and products. Integers wrap. Floats are rounded once, and any NaN is the quiet one;
// halves are computed in float32, where rounding twice equals rounding once, because 24 >= 2 * 11 + 2.
// Included once per target.

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_ARITHMETIC_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_ARITHMETIC_INL_H_
#undef RESIDUE_CPU_ROWS_ARITHMETIC_INL_H_
#else
#define RESIDUE_CPU_ROWS_ARITHMETIC_INL_H_
#endif

#include <hwy/highway.h>

#include <type_traits>

#include "core/half.h"
#include "cpu/rows/rounded-inl.h"
#include "cpu/rows/simd_compat-inl.h"
#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The operations, on lanes of any kind.
struct AddLanes {
  template <class D, class V>
  static HWY_INLINE V Of(D, V a, V b) {
    return hn::Add(a, b);
  }
};
struct SubtractLanes {
  template <class D, class V>
  static HWY_INLINE V Of(D, V a, V b) {
    return hn::Sub(a, b);
  }
};
struct MultiplyLanes {
  template <class D, class V>
  static HWY_INLINE V Of(D d, V a, V b) {
    if constexpr (sizeof(hn::TFromD<D>) > 1) {
      return hn::Mul(a, b);
    } else if constexpr (hn::MaxLanes(D()) == 1) {
      return hn::Set(d, static_cast<uint8_t>(hn::GetLane(a) * hn::GetLane(b)));
    } else {
      const auto words = hn::BitCast(hn::Repartition<uint16_t, D>(), a);
      return MultiplyBytes(d, words, hn::ShiftRight<8>(words), b);
    }
  }
};

// Integers of one size, whatever their sign.
template <class U, class Operation>
struct Wrapping {
  using Lane = U;
  static constexpr Lane kOne = 1;
  using Tag = hn::ScalableTag<U>;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    return Operation::Of(d, a, b);
  }
};

// float32 and float64.
template <class T, class Operation>
struct Rounded : RoundedLanes<T> {
  using typename RoundedLanes<T>::Seen;
  using Lane = T;
  static constexpr Lane kOne = 1;
  using Tag = hn::ScalableTag<T>;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    return QuietNan(d, Operation::Of(d, a, b));
  }

  template <class D, class V>
  HWY_INLINE Seen See(D d, V a, V b, Seen seen) const {
    const Seen operands = hn::Or(this->OfOperand(a), this->OfOperand(b));
    return hn::Or(hn::Or(seen, operands), this->OfOperation(a, b, Operation::Of(d, a, b)));
  }
};

template <class Operation>
struct Rounded<Float16, Operation> : RoundedLanes<float> {
  using Lane = uint16_t;
  static constexpr Lane kOne = 0x3C00;
  using Tag = hn::Rebind<uint16_t, DF>;

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    return operator()(d, a, b, Prepare(d, b));
  }
  template <class D, class V>
  HWY_INLINE VF Prepare(D, V b) const {
    return HalfToFloat(DF(), b);
  }
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V, VF b) const {
    const DF df;
    return FloatToHalf(df, QuietNan(df, Operation::Of(df, HalfToFloat(df, a), b)));
  }

  template <class D, class V>
  HWY_INLINE Seen See(D, V a, V b, Seen seen) const {
    const DF df;
    const VF x = HalfToFloat(df, a);
    const VF y = HalfToFloat(df, b);
    const VF result = Operation::Of(df, x, y);
    const Seen operands = hn::Or(OfHalf(a), OfHalf(b));
    return hn::Or(hn::Or(seen, operands), hn::Or(OfOperation(x, y, result), OfRoundingToHalf(result)));
  }
};

template <class T, class Operation>
using Arithmetic =
    std::conditional_t<std::is_integral_v<T>, Wrapping<hwy::UnsignedFromSize<sizeof(T)>, Operation>,
                       Rounded<T, Operation>>;

template <class T>
using Add = Arithmetic<T, AddLanes>;
template <class T>
using Subtract = Arithmetic<T, SubtractLanes>;
template <class T>
using Multiply = Arithmetic<T, MultiplyLanes>;

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
