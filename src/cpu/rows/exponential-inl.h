// e^x and e^x - 1 in float64 lanes, with an error below 2^-46 of the result. Included once per target.
//
// e^x = 2^m 2^f, where m is the multiple of a unit that is nearest to x / log 2, and f is the rest. The
// product x / log 2 is off by 2^-53 of itself, which is at most 2^7 where results are not all 0 or infinity,
// so f by 2^-46.4 at most, and 2^f by 2^-46.9 of itself; the fits of 2^f - 1 by 2^-49. e^x - 1 = 2^m (2^f -
// 1) + (2^m - 1), where little cancels: for m = 0 the second part is 0, and else it is not smaller than half
// of the result.
//
// SWISH and PARAMETRIC_SOFTPLUS multiply e^x by large numbers, so there the product may be near 2^9 where
// results are not yet 0. The error is then below 2^-45, which is half of what is allowed for (kMostError).
//
// Where one instruction looks into a table of 16 numbers, the unit is 1/16. Then 2^m is off by 2^-53 of
// itself, and 2^m - 1 by 2^-48 of itself. Elsewhere the unit is 1, and the fit has four coefficients more.

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_EXPONENTIAL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_EXPONENTIAL_INL_H_
#undef RESIDUE_CPU_ROWS_EXPONENTIAL_INL_H_
#else
#define RESIDUE_CPU_ROWS_EXPONENTIAL_INL_H_
#endif

#include <hwy/highway.h>

#include <array>
#include <bit>
#include <cstdint>

#include "cpu/rows/function-inl.h"
#include "cpu/rows/function_coefficients.h"
#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

inline constexpr double kInverseLog2 = 0x1.71547652b82fep+0;

// Adding kUnitPlace leaves m in the last digits, as a multiple of the unit.
#if RESIDUE_AVX3

inline constexpr double kUnitPlace = kIntegerPlace / 16;

// The bits of 2^(j / 16) less j 2^48. PowerAt adds 16 m 2^48; j is the last four bits of 16 m, and the rest
// of it is the exponent.
consteval std::array<double, 16> MakePowers() {
  std::array<double, 16> powers{};
  for (uint64_t j = 0; j < 16; ++j) {
    powers[j] = std::bit_cast<double>(std::bit_cast<uint64_t>(kSixteenths[j]) - (j << 48));
  }
  return powers;
}
inline constexpr std::array<double, 16> kPowersOfSixteenths = MakePowers();

// 2^m.
template <class D, class V>
HWY_INLINE V PowerAt(D d, V place) {
  const hn::RebindToUnsigned<D> du;
  const auto m = hn::BitCast(du, place);
  const auto power = hn::BitCast(du, LookUp(d, kPowersOfSixteenths.data(), m));
  return hn::BitCast(d, hn::Add(power, hn::ShiftLeft<48>(m)));
}

// 2^f - 1.
template <class D, class V>
HWY_INLINE V RestOf(D d, V f) {
  return hn::Mul(Polynomial(d, kShortExpm1Fit, f), f);
}

// 2^m 2^f.
template <class D, class V>
HWY_INLINE V Raise(D d, V f, V place) {
  const V power = PowerAt(d, place);
  return hn::MulAdd(RestOf(d, f), power, power);
}

#else

inline constexpr double kUnitPlace = kIntegerPlace;

template <class D, class V>
HWY_INLINE V TimesPower(D d, V p, V place) {
  const hn::RebindToUnsigned<D> du;
  return hn::BitCast(d, hn::Add(hn::BitCast(du, p), hn::ShiftLeft<52>(hn::BitCast(du, place))));
}
template <class D, class V>
HWY_INLINE V PowerAt(D d, V place) {
  return TimesPower(d, hn::Set(d, 1.0), place);
}
template <class D, class V>
HWY_INLINE V RestOf(D d, V f) {
  return hn::Mul(Polynomial(d, kExpm1Fit, f), f);
}
template <class D, class V>
HWY_INLINE V Raise(D d, V f, V place) {
  return TimesPower(d, hn::MulAdd(Polynomial(d, kExpm1Fit, f), f, hn::Set(d, 1.0)), place);
}

#endif

// m is in the last digits of the place.
template <class D, class V>
HWY_INLINE V PlaceOf(D d, V x) {
  return hn::MulAdd(x, hn::Set(d, kInverseLog2), hn::Set(d, kUnitPlace));
}
// f.
template <class D, class V>
HWY_INLINE V FractionOf(D d, V x, V place) {
  return hn::MulSub(x, hn::Set(d, kInverseLog2), hn::Sub(place, hn::Set(d, kUnitPlace)));
}

// For |x| < 700.
template <class D, class V>
HWY_INLINE V ExpOf(D d, V x) {
  const V place = PlaceOf(d, x);
  return Raise(d, FractionOf(d, x, place), place);
}
template <class D, class V>
HWY_INLINE V Expm1Of(D d, V x) {
  const V place = PlaceOf(d, x);
  const V power = PowerAt(d, place);
  return hn::MulAdd(RestOf(d, FractionOf(d, x, place)), power, hn::Sub(power, hn::Set(d, 1.0)));
}

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
