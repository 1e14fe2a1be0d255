// Conversions between element types. To integers: truncated and saturated, and NaN is 0; between integers the
// low bits are kept. To floats: rounded once to nearest, ties to even, and NaN is the quiet one. Included
// once per target.

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_CAST_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_CAST_INL_H_
#undef RESIDUE_CPU_ROWS_CAST_INL_H_
#else
#define RESIDUE_CPU_ROWS_CAST_INL_H_
#endif

#include <hwy/highway.h>

#include <cstring>
#include <limits>
#include <type_traits>

#include "core/half.h"
#include "cpu/rows/estimates-inl.h"
#include "cpu/rows/light_functor-inl.h"
#include "cpu/rows/rounding.h"
#include "cpu/rows/simd_compat-inl.h"
#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Integers of at most 32 bits and float64: 1.5 * 2^52 has them in its low bits.
inline constexpr double kIntegerMagic = 0x1.8p52;

template <class V, class D = hn::ScalableTag<double>>
HWY_INLINE hn::Vec<D> IntegerToDouble(V integers) {
  const D d;
  const hn::RebindToSigned<D> di;
  const auto wide = hn::BitCast(di, Resize<int64_t>(d, integers));
  const auto magic = hn::Set(d, kIntegerMagic);
  return hn::Sub(hn::BitCast(d, hn::Add(wide, hn::BitCast(di, magic))), magic);
}

// Rounded to float32, and to infinity beyond it, where Highway's portable code stays finite.
template <class V>
HWY_INLINE hn::Vec<hn::Rebind<float, hn::ScalableTag<double>>> DoubleToFloat(V numbers) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> df;
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
  HWY_ALIGN double from[hn::MaxLanes(d)];
  HWY_ALIGN float to[hn::MaxLanes(d)];
  hn::Store(numbers, d, from);
  for (size_t i = 0; i < hn::Lanes(d); ++i) to[i] = static_cast<float>(from[i]);
  return hn::Load(df, to);
#else
  return hn::DemoteTo(df, numbers);
#endif
}

// Truncated, saturated, 0 for NaN.
template <class T, class V>
HWY_INLINE hn::Vec<hn::Rebind<T, hn::ScalableTag<double>>> DoubleToInteger(V number) {
  static_assert(sizeof(T) <= 4);
  const hn::ScalableTag<double> d;
  const auto least = hn::Set(d, static_cast<double>(std::numeric_limits<T>::min()));
  const auto most = hn::Set(d, static_cast<double>(std::numeric_limits<T>::max()));
  const auto some = hn::IfThenZeroElse(hn::IsNaN(number), number);
  const auto bounded = hn::Trunc(hn::Min(hn::Max(some, least), most));
  const auto bits =
      hn::BitCast(hn::RebindToUnsigned<decltype(d)>(), hn::Add(bounded, hn::Set(d, kIntegerMagic)));
  return Resize<T>(d, bits);
}

// The same from float32, for integers of at most 16 bits, whose bounds are floats.
template <class T, class V>
HWY_INLINE hn::Vec<hn::Rebind<T, hn::ScalableTag<float>>> FloatToInteger(V number) {
  static_assert(sizeof(T) <= 2);
  const hn::ScalableTag<float> d;
  const auto least = hn::Set(d, static_cast<float>(std::numeric_limits<T>::min()));
  const auto most = hn::Set(d, static_cast<float>(std::numeric_limits<T>::max()));
  const auto some = hn::IfThenZeroElse(hn::IsNaN(number), number);
  return Resize<T>(d, RoundInRange<Rounding::kTruncate>(hn::RebindToSigned<decltype(d)>(),
                                                        hn::Min(hn::Max(some, least), most)));
}

// 64 bits from float64, truncated, saturated, 0 for NaN: few targets have an instruction, so the significand
// is shifted to where it belongs. Its first bit is the highest of 64, which a number of 2^63 begins with.
template <class T, class V>
HWY_INLINE hn::Vec<hn::Rebind<T, hn::ScalableTag<double>>> DoubleToWideInteger(V number) {
  const hn::ScalableTag<double> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const hn::Rebind<T, decltype(d)> to;
  const auto magnitude = hn::BitCast(du, hn::Abs(number));
  const auto exponent = hn::ShiftRight<52>(magnitude);
  const auto of_two = hn::Set(du, uint64_t{1023 + 63});
  const auto significand = hn::Or(hn::ShiftLeft<11>(magnitude), hn::Set(du, uint64_t{1} << 63));
  const auto places = hn::And(hn::Sub(of_two, exponent), hn::Set(du, uint64_t{63}));
  const auto shifted = hn::Shr(significand, places);
  // Numbers below 1, and NaN, are 0.
  const auto counts = hn::Ge(hn::Abs(number), hn::Set(d, 1.0));
  const auto integer = hn::BitCast(to, hn::IfThenElseZero(hn::RebindMask(du, counts), shifted));
  const auto is_negative = hn::RebindMask(to, hn::Lt(number, hn::Zero(d)));
  const auto most = hn::Set(to, std::numeric_limits<T>::max());
  constexpr double kEnd = std::is_signed_v<T> ? 0x1p63 : 0x1p64;
  const auto beyond = hn::RebindMask(to, hn::Ge(number, hn::Set(d, kEnd)));
  if constexpr (std::is_signed_v<T>) {
    const auto below = hn::RebindMask(to, hn::Le(number, hn::Set(d, -kEnd)));
    const auto with_sign = hn::IfThenElse(is_negative, hn::Neg(integer), integer);
    const auto at_least = hn::IfThenElse(below, hn::Set(to, std::numeric_limits<T>::min()), with_sign);
    return hn::IfThenElse(beyond, most, at_least);
  } else {
    return hn::IfThenElse(beyond, most, hn::IfThenZeroElse(is_negative, integer));
  }
}

// One element after the other, because most targets have no instructions for it.
template <class From, class To>
struct WideIntegerToFloat : Elements<uint64_t, To, From> {
  template <class V>
  HWY_INLINE auto operator()(V x) const {
    const hn::ScalableTag<uint64_t> d;
    HWY_ALIGN From from[kMostLanes<uint64_t>];
    HWY_ALIGN To to[kMostLanes<uint64_t>];
    hn::Store(x, hn::Rebind<From, decltype(d)>(), from);
    for (size_t i = 0; i < hn::Lanes(d); ++i) to[i] = static_cast<To>(from[i]);
    return hn::Load(hn::Rebind<To, decltype(d)>(), to);
  }
};

// 32 and 64 bits to halves: beyond 65536 all are infinite, so that float32 is exact for what is left.
template <class From>
struct WideIntegerToHalf : Elements<double, Half, From> {
  template <class V>
  HWY_INLINE auto operator()(V x) const {
    const hn::ScalableTag<double> d;
    const hn::Rebind<From, decltype(d)> di;
    auto some = hn::Min(x, hn::Set(di, From{65536}));
    if constexpr (std::is_signed_v<From>) some = hn::Max(some, hn::Set(di, From{-65536}));
    const hn::Rebind<float, decltype(d)> df;
    return FloatToHalf(df, hn::DemoteTo(df, IntegerToDouble(Resize<int32_t>(d, some))));
  }
};

template <class From, class To>
struct IntegerToInteger : Elements<std::conditional_t<(sizeof(From) > sizeof(To)), From, To>, To, From> {
  using Widest = std::conditional_t<(sizeof(From) > sizeof(To)), From, To>;
  template <class V>
  HWY_INLINE auto operator()(V x) const {
    return Resize<To>(hn::ScalableTag<Widest>(), x);
  }
};

// At most 32 bits; those of 16 or less by float32.
template <class From, class To>
struct IntegerToFloat
    : Elements<std::conditional_t<(sizeof(From) <= 2 && sizeof(To) <= 4), float, double>, LaneOf<To>, From> {
  template <class V>
  HWY_INLINE auto operator()(V x) const {
    if constexpr (sizeof(From) <= 2 && sizeof(To) <= 4) {
      const hn::ScalableTag<float> df;
      const auto number = hn::ConvertTo(df, Resize<int32_t>(df, x));
      if constexpr (std::is_same_v<To, Float16>) {
        return FloatToHalf(df, number);
      } else {
        return number;
      }
    } else if constexpr (std::is_same_v<To, double>) {
      return IntegerToDouble(x);
    } else {
      return DoubleToFloat(IntegerToDouble(x));
    }
  }
};

// To at most 32 bits; halves become integers by float32.
template <class From, class To>
struct FloatToNarrowInteger
    : Elements<std::conditional_t<(sizeof(From) <= 4 && sizeof(To) <= 2), float, double>, To, LaneOf<From>> {
  template <class V>
  HWY_INLINE auto operator()(V x) const {
    if constexpr (std::is_same_v<From, double>) {
      return DoubleToInteger<To>(x);
    } else if constexpr (sizeof(To) <= 2) {
      return FloatToInteger<To>(Numbers<From>(hn::ScalableTag<float>(), x));
    } else {
      const hn::ScalableTag<double> d;
      return DoubleToInteger<To>(hn::PromoteTo(d, Numbers<From>(hn::Rebind<float, decltype(d)>(), x)));
    }
  }
};

template <class From, class To>
struct FloatToWideInteger : Elements<double, To, LaneOf<From>> {
  template <class V>
  HWY_INLINE auto operator()(V x) const {
    const hn::ScalableTag<double> d;
    if constexpr (std::is_same_v<From, double>) {
      return DoubleToWideInteger<To>(x);
    } else {
      return DoubleToWideInteger<To>(hn::PromoteTo(d, Numbers<From>(hn::Rebind<float, decltype(d)>(), x)));
    }
  }
};

template <class From, class To>
struct FloatToFloat : Elements<std::conditional_t<sizeof(From) == 8 || sizeof(To) == 8, double, float>,
                               LaneOf<To>, LaneOf<From>> {
  template <class V>
  HWY_INLINE auto operator()(V x) const {
    using Widest = std::conditional_t<sizeof(From) == 8 || sizeof(To) == 8, double, float>;
    const hn::ScalableTag<Widest> d;
    const hn::Rebind<float, decltype(d)> df;
    if constexpr (std::is_same_v<From, Float16>) {
      const auto number = QuietNan(df, HalfToFloat(df, x));
      if constexpr (std::is_same_v<To, float>) {
        return number;
      } else {
        return hn::PromoteTo(d, number);
      }
    } else if constexpr (std::is_same_v<From, float> && std::is_same_v<To, double>) {
      return hn::PromoteTo(d, QuietNan(df, x));
    } else if constexpr (std::is_same_v<From, float>) {
      return FloatToHalf(df, QuietNan(df, x));
    } else if constexpr (std::is_same_v<To, float>) {
      return DoubleToFloat(QuietNan(d, x));
    } else {
      return FloatToHalf(df, RoundToOdd(x));
    }
  }

  // float64 to float32 so that rounding once more is as good as rounding once: the last bit of an inexact
  // result is set.
  template <class V>
  static HWY_INLINE auto RoundToOdd(V x) {
    const hn::ScalableTag<double> d;
    const hn::RebindToUnsigned<decltype(d)> du;
    const auto quiet = QuietNan(d, x);
    const auto bits = hn::BitCast(du, quiet);
    const auto low = hn::Set(du, (uint64_t{1} << 29) - 1);
    const auto sticky = hn::And(hn::Add(hn::And(bits, low), low), hn::Set(du, uint64_t{1} << 29));
    const auto odd = hn::AndNot(low, hn::Or(bits, sticky));
    return DoubleToFloat(hn::BitCast(d, odd));
  }
};

template <class From, class To>
consteval auto ChooseCast() {
  constexpr bool kFromInteger = std::is_integral_v<From>;
  constexpr bool kToInteger = std::is_integral_v<To>;
  if constexpr (kFromInteger && kToInteger) {
    return std::type_identity<IntegerToInteger<From, To>>();
  } else if constexpr (std::is_same_v<From, To>) {
    return std::type_identity<IntegerToInteger<UnsignedOf<From>, UnsignedOf<To>>>();
  } else if constexpr (kFromInteger && sizeof(From) >= 4 && std::is_same_v<To, Float16>) {
    return std::type_identity<WideIntegerToHalf<From>>();
  } else if constexpr (kFromInteger && sizeof(From) <= 4) {
    return std::type_identity<IntegerToFloat<From, To>>();
  } else if constexpr (kToInteger && sizeof(To) <= 4) {
    return std::type_identity<FloatToNarrowInteger<From, To>>();
  } else if constexpr (kToInteger) {
    return std::type_identity<FloatToWideInteger<From, To>>();
  } else if constexpr (kFromInteger) {
    return std::type_identity<WideIntegerToFloat<From, To>>();
  } else {
    return std::type_identity<FloatToFloat<From, To>>();
  }
}
template <class T, class R>
using Cast = typename decltype(ChooseCast<T, R>())::type;

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
