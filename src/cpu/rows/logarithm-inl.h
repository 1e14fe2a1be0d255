// Logarithms in float64 lanes, with an error below 2^-46 of the result. Included once per target.
//
// log(2^k m) = k log 2 + 2 atanh(s), s = (m - 1) / (m + 1), for sqrt(1/2) <= m < sqrt 2. What 1 is taken from
// is exact wherever k is 0, and elsewhere k log 2 is the larger part. The quotient is rounded three times,
// the fit is off by 2^-49 at most: together less than 2^-47 of the result.

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_LOGARITHM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_LOGARITHM_INL_H_
#undef RESIDUE_CPU_ROWS_LOGARITHM_INL_H_
#else
#define RESIDUE_CPU_ROWS_LOGARITHM_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "cpu/rows/function-inl.h"
#include "cpu/rows/function_coefficients.h"
#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

inline constexpr double kLog2 = 0x1.62e42fefa39efp-1;
inline constexpr uint64_t kBitsOfOne = 0x3FF0000000000000;
inline constexpr uint64_t kExponentBits = 0xFFF0000000000000;

// The bits of 2^k for a positive number of these bits, with k as above.
template <class DU, class VU>
HWY_INLINE VU NearestPower(DU du, VU bits) {
  constexpr uint64_t kBitsOfRoot = 0x3FE6A09E667F3BCD;  // of sqrt(1/2)
  return hn::And(hn::Add(bits, hn::Set(du, kBitsOfOne - kBitsOfRoot)), hn::Set(du, kExponentBits));
}

// k from the bits of 2^k.
template <class D, class VU>
HWY_INLINE hn::Vec<D> ExponentOf(D d, VU power) {
  const hn::RebindToUnsigned<D> du;
  const auto digits = hn::Or(hn::ShiftRight<52>(power), hn::BitCast(du, hn::Set(d, 0x1p52)));
  return hn::Sub(hn::BitCast(d, digits), hn::Set(d, 0x1p52 + 1023));
}

// k log 2 + 2 atanh(numerator / denominator), for a quotient of at most (sqrt 2 - 1) / (sqrt 2 + 1).
template <size_t kCount, class D, class V>
HWY_INLINE V LogOfQuotient(D d, V k, V numerator, V denominator, const double (&fit)[kCount]) {
  const V s = hn::Div(numerator, denominator);
  return hn::MulAdd(k, hn::Set(d, kLog2), hn::Mul(s, Polynomial(d, fit, hn::Mul(s, s))));
}

#if RESIDUE_AVX3

// Without a division: x = 2^k (1 + j / 16) nearly, and r is nearly 1 / (1 + j / 16). Then log x = k log 2 -
// log r + log(1 + t), where t = 2^-k r x - 1 is exact and at most 1/32. Where k and j are 0, so is all except
// log(1 + t). Elsewhere 2^-53 is lost of k log 2 - log r, and the sum is not smaller than 1/64. The fit is
// off by 2^-43 of t^2 / 2.
template <class D, class V>
HWY_INLINE V LogOf(D d, V x) {
  const hn::RebindToUnsigned<D> du;
  const hn::RebindToSigned<D> di;
  // k as the exponent without its bias, and j as the next four digits.
  const auto near = hn::Add(hn::BitCast(du, x), hn::Set(du, (uint64_t{1} << 47) - kBitsOfOne));
  const auto j = hn::ShiftRight<48>(near);
  const auto k = hn::And(near, hn::Set(du, kExponentBits));
  const V scaled = hn::BitCast(d, hn::Sub(hn::BitCast(du, LookUp(d, kInverses, j)), k));
  const V t = hn::MulSub(x, scaled, hn::Set(d, 1.0));
  const V large = hn::MulAdd(hn::ConvertTo(d, hn::BitCast(di, k)), hn::Set(d, kLog2 * 0x1p-52),
                             LookUp(d, kInverseLogs, j));
  return hn::Add(large, hn::MulAdd(hn::Mul(t, t), Polynomial(d, kShortLog1pFit, t), t));
}

#else

template <class D, class V>
HWY_INLINE V LogOf(D d, V x) {
  const hn::RebindToUnsigned<D> du;
  const V one = hn::Set(d, 1.0);
  const auto bits = hn::BitCast(du, x);
  const auto power = NearestPower(du, bits);
  const V m = hn::BitCast(d, hn::Add(hn::Sub(bits, power), hn::Set(du, kBitsOfOne)));
  return LogOfQuotient(d, ExponentOf(d, power), hn::Sub(m, one), hn::Add(m, one), kLogFit);
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
