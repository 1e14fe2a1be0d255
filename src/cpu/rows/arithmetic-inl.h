// Sums, differences, products, quotients, roots and what is made of a few of them. Integers wrap. Floats are
// rounded after each operation, as the formula is written, and any NaN is the quiet one; halves are computed
// in float32, where rounding twice equals rounding once for one operation, because 24 >= 2 * 11 + 2. Included
// once per target.

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
#include "cpu/rows/divide_int-inl.h"
#include "cpu/rows/light_functor-inl.h"
#include "cpu/rows/rounded-inl.h"
#include "cpu/rows/simd_compat-inl.h"
#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The operations, on lanes of any kind; Seen says which exceptions one had, on lanes of floats.
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
struct DifferenceSquareLanes {
  template <class D, class V>
  static HWY_INLINE V Of(D d, V a, V b) {
    const V difference = hn::Sub(a, b);
    return MultiplyLanes::Of(d, difference, difference);
  }
  template <class F, class V>
  static HWY_INLINE auto Seen(V a, V b) {
    using Lanes = RoundedLanes<F>;
    const V difference = hn::Sub(a, b);
    return hn::Or(Lanes::OfOperation(a, b, difference),
                  Lanes::OfOperation(difference, difference, hn::Mul(difference, difference)));
  }
};

// Operations on floats only.
struct DivideLanes {
  template <class D, class V>
  static HWY_INLINE V Of(D, V a, V b) {
    return hn::Div(a, b);
  }
  template <class F, class V>
  static HWY_INLINE auto Seen(V a, V b) {
    return RoundedLanes<F>::OfDivision(a, b, hn::Div(a, b));
  }
};
struct RecipLanes {
  template <class D, class V>
  static HWY_INLINE V Of(D d, V x) {
    return hn::Div(hn::Set(d, 1), x);
  }
  template <class F, class V>
  static HWY_INLINE auto Seen(V x) {
    return DivideLanes::Seen<F>(hn::Set(hn::ScalableTag<F>(), 1), x);
  }
};
struct SqrtLanes {
  template <class D, class V>
  static HWY_INLINE V Of(D, V x) {
    return hn::Sqrt(x);
  }
  template <class F, class V>
  static HWY_INLINE auto Seen(V x) {
    return RoundedLanes<F>::OfOperation(x, x, hn::Sqrt(x));
  }
};
struct MeanLanes {
  template <class D, class V>
  static HWY_INLINE V Of(D d, V a, V b) {
    return hn::Mul(hn::Add(a, b), hn::Set(d, hn::TFromD<D>(0.5)));
  }
  template <class F, class V>
  static HWY_INLINE auto Seen(V a, V b) {
    return RoundedLanes<F>::OfOperation(a, b, hn::Add(a, b));
  }
};

// Most operations are one, whose exceptions follow from operands and result.
template <class F, class Operation, class... V>
concept SeesItself = requires(V... v) {
  Operation::template Seen<F>(v...);
};

// float32 and float64.
template <class F, class Operation, class... I>
struct Rounded : Elements<F, F, I...>, RoundedLanes<F> {
  using typename RoundedLanes<F>::Seen;
  static constexpr bool kRaisesFlags = true;

  template <class... V>
  HWY_INLINE hn::Vec<hn::ScalableTag<F>> operator()(V... v) const {
    const hn::ScalableTag<F> d;
    return QuietNan(d, Operation::Of(d, v...));
  }

  template <class... V>
  HWY_INLINE Seen See(Seen seen, V... v) const {
    ((seen = hn::Or(seen, this->OfOperand(v))), ...);
    if constexpr (SeesItself<F, Operation, V...>) {
      return hn::Or(seen, Operation::template Seen<F>(v...));
    } else {
      return hn::Or(seen, this->OfOperation(v..., Operation::Of(hn::ScalableTag<F>(), v...)));
    }
  }
};

template <class T, class Operation>
using RoundedUnary = OnFloats<T, Rounded<Computed<T>, Operation, Computed<T>>, Half>;
template <class T, class Operation>
using RoundedBinary = OnFloats<T, Rounded<Computed<T>, Operation, Computed<T>, Computed<T>>, Half, Half>;
// Integers of one size, whatever their sign.
template <class U, class Operation>
using Wrapping = OnLanes<U, Operation, U, U>;
template <class T, class Operation>
using Arithmetic = std::conditional_t<std::is_integral_v<T>, Wrapping<UnsignedOf<T>, Operation>,
                                      RoundedBinary<T, Operation>>;

// Half the sum, which is exact, truncated. The sum is twice the bits that both have and those that one has;
// halving those rounds down, so a negative sum that was odd wants one more.
template <class T>
struct IntegerMean : Elements<T, T, T, T> {
  using V = typename IntegerMean::Result;
  HWY_INLINE V operator()(V a, V b) const {
    const hn::ScalableTag<T> d;
    const V differing = hn::Xor(a, b);
    const V down = hn::Add(hn::And(a, b), hn::ShiftRight<1>(differing));
    if constexpr (std::is_unsigned_v<T>) {
      return down;
    } else {
      const V odd = hn::And(differing, hn::Set(d, T{1}));
      return hn::Add(down, hn::IfThenElseZero(hn::Lt(down, hn::Zero(d)), odd));
    }
  }
};

template <class T>
using Add = Arithmetic<T, AddLanes>;
template <class T>
using Subtract = Arithmetic<T, SubtractLanes>;
template <class T>
using Multiply = Arithmetic<T, MultiplyLanes>;
template <class T>
using DifferenceSquare = Arithmetic<T, DifferenceSquareLanes>;
template <class T>
using Divide = std::conditional_t<std::is_integral_v<T>, IntegerDivide<T>, RoundedBinary<T, DivideLanes>>;
template <class T>
using Mean = std::conditional_t<std::is_integral_v<T>, IntegerMean<T>, RoundedBinary<T, MeanLanes>>;
template <class T>
using Recip = RoundedUnary<T, RecipLanes>;
template <class T>
using Sqrt = RoundedUnary<T, SqrtLanes>;

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
