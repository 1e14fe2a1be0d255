// Functions, correctly rounded. Each is computed in float64 with a relative error below 2^-44, which nearly
// always decides what it rounds to. Where a result comes that near a tie, once in half a million elements,
// the reference computes the element. So a result is the one correct one on every target, whatever the
// target's float64 operations were. Included once per target.
//
// The shape of a function's functor, called Curve here:
//   Curve(const void* params)   or nothing, if it has no params
//   operator()(d, x...)         the value in float64 lanes, for elements that are usual
//   IsUsual(d, y, x...)         a mask: y is the value, and in float32 neither subnormal nor NaN
//   Anywhere(d, x...)           the value of any elements, within the same error, or NaN
//   IsOrdinary()                if it has params: false if the reference must compute all elements
// and, if it needs them:
//   IsOperation(d, &y, x...)    true if y is the value of all lanes, exactly or to odd, or of an operation
//   whose
//                               results may be rounded twice
//   IsElsewhere(d, x...)        a mask: elements for the reference
//   Line(d, &high, &low, &rest, &error, x...)  a mask: the value is high + low + rest, where the rest is off
//   by
//                               less than the error (function_line-inl.h); a smaller rest may stand for one
//                               that changes no rounding

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_FUNCTION_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_FUNCTION_INL_H_
#undef RESIDUE_CPU_ROWS_FUNCTION_INL_H_
#else
#define RESIDUE_CPU_ROWS_FUNCTION_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "core/data_type.h"
#include "core/half.h"
#include "cpu/rows/cast-inl.h"
#include "cpu/rows/function_line-inl.h"
#include "cpu/rows/light_functor-inl.h"
#include "cpu/rows/reference.h"
#include "cpu/rows/row.h"
#include "cpu/rows/simd_compat-inl.h"
#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::ScalableTag<double>;

// c[0] + c[1] x + c[2] x^2 + ..., in two chains, so that half as many operations wait for one another.
template <size_t kCount, class D, class V>
HWY_INLINE V Polynomial(D d, const double (&c)[kCount], V x) {
  const V square = hn::Mul(x, x);
  V high = hn::Set(d, c[kCount - 1]);
  V low = hn::Set(d, c[kCount - 2]);
  for (size_t i = kCount - 2; i > 1; i -= 2) {
    high = hn::MulAdd(high, square, hn::Set(d, c[i - 1]));
    low = hn::MulAdd(low, square, hn::Set(d, c[i - 2]));
  }
  if constexpr (kCount % 2 == 0) {
    return hn::MulAdd(high, x, low);
  } else {
    return hn::MulAdd(low, x, hn::MulAdd(high, square, hn::Set(d, c[0])));
  }
}

#if RESIDUE_AVX3
// For each lane one of 16 numbers, by the last four bits of an index.
template <class D, class VU>
HWY_INLINE hn::Vec<D> LookUp(D d, const double* table, VU index) {
  return hn::Vec<D>{_mm512_permutex2var_pd(hn::LoadU(d, table).raw, index.raw, hn::LoadU(d, table + 8).raw)};
}
#endif

// Adding it leaves the nearest integer in the last digits of a number below 2^51.
inline constexpr double kIntegerPlace = 0x1.8p52;
inline constexpr double kSmallestNormal = 0x1p-126;

template <class D, class V>
HWY_INLINE V KeepNan(D d, V x, V y) {
  return hn::IfThenElse(hn::IsNaN(x), hn::Set(d, std::numeric_limits<double>::quiet_NaN()), y);
}

template <class D, class V>
HWY_INLINE auto IsNumber(D, V x) {
  return hn::Eq(x, x);
}

// Not subnormal in float32; zeros are results of zeros.
template <class D, class V>
HWY_INLINE auto IsNormalOrZero(D d, V y, V x) {
  return hn::Or(hn::Ge(hn::Abs(y), hn::Set(d, kSmallestNormal)), hn::Eq(x, hn::Zero(d)));
}

// What many curves share. Of numbers whose results are of their own size, or never small.
template <class Curve>
struct OfNumbers {
  template <class D, class V>
  HWY_INLINE auto IsUsual(D d, V, V x) const {
    return IsNumber(d, x);
  }
  template <class D, class V>
  HWY_INLINE V Anywhere(D d, V x) const {
    return KeepNan(d, x, static_cast<const Curve&>(*this)(d, x));
  }
};

// Of numbers whose results may be subnormal where they are not.
template <class Curve>
struct OfSmallNumbers : OfNumbers<Curve> {
  template <class D, class V>
  HWY_INLINE auto IsUsual(D d, V y, V x) const {
    return hn::And(IsNumber(d, x), IsNormalOrZero(d, y, x));
  }
};

// The same where the result of 0 is not 0.
template <class Curve>
struct OfSmallResults : OfNumbers<Curve> {
  template <class D, class V>
  HWY_INLINE auto IsUsual(D d, V y, V x) const {
    return hn::And(IsNumber(d, x), hn::Ge(hn::Abs(y), hn::Set(d, kSmallestNormal)));
  }
};

// Of numbers from -1 to 1.
template <class Curve>
struct OfUnitInterval {
  template <class D, class V>
  HWY_INLINE auto IsUsual(D d, V, V x) const {
    return hn::Le(hn::Abs(x), hn::Set(d, 1.0));
  }
  template <class D, class V>
  HWY_INLINE V Anywhere(D d, V x) const {
    return hn::IfThenElse(IsUsual(d, x, x), static_cast<const Curve&>(*this)(d, x),
                          hn::Set(d, std::numeric_limits<double>::quiet_NaN()));
  }
};

// The largest relative error that is allowed for, and half of the digits of float64 that it may change.
inline constexpr double kMostError = 0x1p-44;
inline constexpr uint64_t kDoubtfulDigits = 1 << 9;

template <class T, class V>
HWY_INLINE hn::Vec<Doubles> ToDoubles(V elements) {
  const Doubles d;
  if constexpr (std::is_integral_v<T>) {
    return IntegerToDouble(elements);
  } else {
    return hn::PromoteTo(d, Numbers<T>(hn::Rebind<float, Doubles>(), elements));
  }
}

// Rounded to nearest, halves too, and once. Integers are truncated.
template <class R>
HWY_INLINE auto RoundDoubles(hn::Vec<Doubles> y) {
  if constexpr (std::is_integral_v<R>) {
    return DoubleToInteger<R>(y);
  } else if constexpr (std::is_same_v<R, float>) {
    return DoubleToFloat(y);
  } else {
    return FloatToFloat<double, Float16>()(y);
  }
}

template <class Element>
using NumberOf = hn::Vec<Doubles>;
template <class Curve, class... I>
concept HasOperations = requires(const Curve& curve, hn::Vec<Doubles>* y, NumberOf<I>... x) {
  curve.IsOperation(Doubles(), y, x...);
};
template <class Curve, class... I>
concept HasLine = requires(const Curve& curve, hn::Vec<Doubles>* y, NumberOf<I>... x) {
  curve.Line(Doubles(), y, y, y, y, x...);
};

template <class Curve, class... I>
concept HasElsewhere = requires(const Curve& curve, NumberOf<I>... x) {
  curve.IsElsewhere(Doubles(), x...);
};

// The operands of a few elements, one input behind the other.
template <size_t kInputs>
struct FewElements {
  HWY_ALIGN std::byte in[kInputs][HWY_LANES(double) * sizeof(float)];

  const std::byte* At(size_t input, size_t bytes, size_t i) const { return in[input] + i * bytes; }
};

// The last few elements that the reference has computed for a row: a tensor of one number near a tie waits
// for it once.
template <class R, class... I>
class KnownElements {
 public:
  // The result of element i, or nullptr.
  HWY_INLINE const LaneOf<R>* Find(const FewElements<sizeof...(I)>& few, size_t i) const {
    const Operands wanted = OperandsOf(few, i);
    for (size_t k = 0; k < std::min(count_, kMost); ++k) {
      if (known_[k] == wanted) return &results_[k];
    }
    return nullptr;
  }
  HWY_INLINE void Keep(const FewElements<sizeof...(I)>& few, size_t i, LaneOf<R> result) {
    const size_t k = count_++ % kMost;
    known_[k] = OperandsOf(few, i);
    results_[k] = result;
  }

 private:
  using Operands = std::array<uint32_t, sizeof...(I)>;
  static constexpr size_t kMost = 32;

  static HWY_INLINE Operands OperandsOf(const FewElements<sizeof...(I)>& few, size_t i) {
    Operands operands{};
    size_t input = 0;
    ((std::memcpy(&operands[input], few.At(input, sizeof(I), i), sizeof(I)), ++input), ...);
    return operands;
  }

  size_t count_ = 0;
  std::array<Operands, kMost> known_;  // the first of them
  std::array<LaneOf<R>, kMost> results_;
};

// A row of a function. All halves are known, so that those without params need no look at ties.
template <OperatorId kOp, class Curve, class T, class R, class... I>
struct FunctionRow : Elements<double, LaneOf<R>, LaneOf<I>...> {
  using Base = Elements<double, LaneOf<R>, LaneOf<I>...>;
  using Result = typename Base::Result;
  using V = hn::Vec<Doubles>;
  static constexpr size_t kBytesAhead = 2048;
  static constexpr bool kHasParams = !std::is_default_constructible_v<Curve>;
  static constexpr bool kAllAreKnown =
      std::is_same_v<T, Float16> && std::is_same_v<R, Float16> && sizeof...(I) == 1 && !kHasParams;

  FunctionRow() requires(!kHasParams) {}  // known elements stay as they are: none counts
  explicit HWY_INLINE FunctionRow(const void* given) requires kHasParams : curve(given), params(given) {}

  template <class... E>
  HWY_INLINE Result operator()(E... elements) const {
    const Doubles d;
    if constexpr (HasOperations<Curve, I...>) {
      V y;
      if (curve.IsOperation(d, &y, ToDoubles<I>(elements)...)) return RoundDoubles<R>(QuietNan(d, y));
    }
    if constexpr (std::is_same_v<R, float>) {
      const V y = curve(d, ToDoubles<I>(elements)...);
      const auto settled = hn::And(IsSettled(y), curve.IsUsual(d, y, ToDoubles<I>(elements)...));
      if (HWY_LIKELY(IsOrdinary() && hn::AllTrue(d, settled))) return RoundDoubles<R>(y);
    } else if constexpr (kAllAreKnown) {
      return RoundDoubles<R>(curve.Anywhere(d, ToDoubles<I>(elements)...));
    }
    return ComputeCarefully(elements...);
  }

 private:
  HWY_INLINE bool IsOrdinary() const {
    if constexpr (kHasParams) {
      return curve.IsOrdinary();
    } else {
      return true;
    }
  }

  // No tie of float32 is within the error, where results are normal: the digits that float32 has not are not
  // about a half of its last.
  static HWY_INLINE auto IsSettled(V y) {
    const Doubles d;
    const hn::RebindToUnsigned<Doubles> du;
    constexpr uint64_t kHalf = 1 << 28;
    constexpr uint64_t kMask = (2 * kHalf - 1) & ~(2 * kDoubtfulDigits - 1);
    const auto moved = hn::Add(hn::BitCast(du, y), hn::Set(du, kHalf + kDoubtfulDigits));
    return hn::RebindMask(d, HasAnyBit(moved, hn::Set(du, kMask)));
  }

  // Both ends of what the exact value may be are rounded. Lanes where they differ are for the reference.
  template <class... E>
  HWY_NOINLINE Result ComputeCarefully(E... elements) const {
    const Doubles d;
    bool ordinary = IsOrdinary();
    if constexpr (HasElsewhere<Curve, I...>) {
      ordinary = ordinary && !hn::AllTrue(d, curve.IsElsewhere(d, ToDoubles<I>(elements)...));
    }
    Result least = hn::Zero(hn::Rebind<LaneOf<R>, Doubles>());
    Result most = least;
    if (ordinary) {
      const V y = QuietNan(d, curve.Anywhere(d, ToDoubles<I>(elements)...));
      V lower = hn::Mul(y, hn::Set(d, 1 - kMostError));
      V upper = hn::Mul(y, hn::Set(d, 1 + kMostError));
      least = RoundDoubles<R>(lower);
      most = RoundDoubles<R>(upper);
      if constexpr (HasLine<Curve, I...>) {
        if (!AreSame(least, most)) {
          Narrow(&lower, &upper, ToDoubles<I>(elements)...);
          least = RoundDoubles<R>(lower);
          most = RoundDoubles<R>(upper);
        }
      }
      bool settled = AreSame(least, most);
      if constexpr (HasElsewhere<Curve, I...>) {
        settled = settled && hn::AllFalse(d, curve.IsElsewhere(d, ToDoubles<I>(elements)...));
      }
      if (settled) return least;
    }
    return AskReference(!ordinary, least, most, elements...);
  }

  static HWY_INLINE bool AreSame(Result least, Result most) {
    const hn::RebindToUnsigned<hn::Rebind<LaneOf<R>, Doubles>> du;
    return hn::AllTrue(du, hn::Eq(hn::BitCast(du, least), hn::BitCast(du, most)));
  }

  // For all lanes, or for those where two results differ and those that are elsewhere.
  template <class... E>
  HWY_INLINE Result AskReference(bool all, Result least, Result most, E... elements) const {
    const Doubles d;
    const hn::Rebind<LaneOf<R>, Doubles> results;
    constexpr size_t kMost = HWY_LANES(double);
    FewElements<sizeof...(I)> few;
    HWY_ALIGN LaneOf<R> lower[kMost];
    HWY_ALIGN LaneOf<R> upper[kMost];
    HWY_ALIGN double elsewhere[kMost] = {};
    size_t input = 0;
    (hn::StoreU(elements, hn::Rebind<LaneOf<I>, Doubles>(), reinterpret_cast<LaneOf<I>*>(few.in[input++])),
     ...);
    hn::StoreU(least, results, lower);
    hn::StoreU(most, results, upper);
    if constexpr (HasElsewhere<Curve, I...>) {
      const auto mask = curve.IsElsewhere(d, ToDoubles<I>(elements)...);
      hn::StoreU(hn::IfThenElseZero(mask, hn::Set(d, 1.0)), d, elsewhere);
    }
    for (size_t i = 0; i < hn::Lanes(d); ++i) {
      if (elsewhere[i] != 0) {
        ComputeExactly(few, i, lower);
        continue;
      }
      if (!all && std::memcmp(lower + i, upper + i, sizeof(LaneOf<R>)) == 0) continue;
      if (const LaneOf<R>* known = known_.Find(few, i)) {
        lower[i] = *known;
        continue;
      }
      ComputeExactly(few, i, lower);
      known_.Keep(few, i, lower[i]);
    }
    return hn::LoadU(results, lower);
  }

  HWY_NOINLINE void ComputeExactly(const FewElements<sizeof...(I)>& few, size_t i, LaneOf<R>* out) const {
    Row row{};
    size_t input = 0;
    ((row.in[input] = few.At(input, sizeof(I), i), ++input), ...);
    row.out = out + i;
    row.count = 1;
    row.params = params;
    reference::FindRow(RowKey(kOp, kDataTypeOf<T>, kDataTypeOf<R>))(row);
  }

  template <class... X>
  HWY_INLINE void Narrow(V* lower, V* upper, X... x) const {
    const Doubles d;
    V high, low, rest, error;
    // Sums of zeros lose their sign, and infinity has no digits.
    auto on_line = curve.Line(d, &high, &low, &rest, &error, x...);
    on_line = hn::And(on_line, hn::And(hn::Ne(high, hn::Zero(d)), IsFinite(d, high)));
    *lower = hn::IfThenElse(on_line, AddAllToOdd(d, high, low, hn::Sub(rest, error), -1), *lower);
    *upper = hn::IfThenElse(on_line, AddAllToOdd(d, high, low, hn::Add(rest, error), 1), *upper);
  }

 public:
  Curve curve;
  const void* params = nullptr;

 private:
  mutable KnownElements<R, I...> known_;
};

// Of one number; the results may be halves of float32 numbers.
template <OperatorId kOp, class Curve, class T, class R>
using FunctionOfOne = FunctionRow<kOp, Curve, T, R, T>;
template <OperatorId kOp, class Curve, class T>
using FunctionOfTwo = FunctionRow<kOp, Curve, T, T, T, T>;

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
