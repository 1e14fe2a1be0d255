// Sums of more digits than a float64 has, for curves that lie next to a line. Where a curve is a line and a
// tiny rest, results of the line that are ties of float32 cannot be told from others by float64 numbers, but
// the sign of the rest decides them. Subnormal elements are such: every second one, halved, is a tie.
// Included once per target.

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_FUNCTION_LINE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_FUNCTION_LINE_INL_H_
#undef RESIDUE_CPU_ROWS_FUNCTION_LINE_INL_H_
#else
#define RESIDUE_CPU_ROWS_FUNCTION_LINE_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>
#include <limits>

#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// What is left of a + b behind the digits of `sum`, exactly.
template <class V>
HWY_INLINE V RestOfSum(V a, V b, V sum) {
  const V from_b = hn::Sub(sum, a);
  const V from_a = hn::Sub(sum, from_b);
  return hn::Add(hn::Sub(a, from_a), hn::Sub(b, from_b));
}

// The number with its first digits alone.
template <int kDigits, class D, class V>
HWY_INLINE V FirstDigits(D d, V x) {
  const hn::RebindToUnsigned<D> du;
  constexpr uint64_t kMask = ~((uint64_t{1} << (53 - kDigits)) - 1);
  return hn::BitCast(d, hn::And(hn::BitCast(du, x), hn::Set(du, kMask)));
}

// a b = high + low, exactly, where b has 24 digits. Digits of a are taken apart, because not every target has
// a fused multiply-add.
template <class D, class V>
HWY_INLINE void MultiplyExactly(D d, V a, V b, V* high, V* low) {
  const V first = FirstDigits<26>(d, a);
  const V large = hn::Mul(first, b);
  const V small = hn::Mul(hn::Sub(a, first), b);
  *high = hn::Add(large, small);
  *low = RestOfSum(large, small, *high);
}

// a + b to odd: what is not exact gets an odd last digit, so that fewer digits are then rounded as if at
// once.
template <class D, class V>
HWY_INLINE V AddToOdd(D d, V a, V b) {
  const hn::RebindToUnsigned<D> du;
  const V sum = hn::Add(a, b);
  const V rest = RestOfSum(a, b, sum);
  const auto bits = hn::BitCast(du, sum);
  const auto one = hn::Set(du, uint64_t{1});
  const auto apart =
      hn::ShiftRight<63>(hn::Xor(bits, hn::BitCast(du, rest)));  // 1 if the signs are not equal
  const auto odd = hn::Sub(hn::Add(bits, one), hn::Add(apart, apart));
  const auto even = hn::RebindMask(d, hn::Eq(hn::And(bits, one), hn::Zero(du)));
  const auto inexact = hn::Ne(rest, hn::Zero(d));
  return hn::IfThenElse(hn::And(inexact, even), hn::BitCast(d, odd), sum);
}

// high + low + rest to odd, after a step of 2^-50 of what is least of it in the direction of `slack`, which
// is 1 or -1. So it is on that side of the sum, or rounds to the same.
template <class D, class V>
HWY_INLINE V AddAllToOdd(D d, V high, V low, V rest, double slack) {
  const V line = hn::Add(high, low);
  const V sum = hn::Add(line, rest);
  const V least = hn::Add(RestOfSum(high, low, line), RestOfSum(line, rest, sum));
  return AddToOdd(d, sum, hn::Add(least, hn::Mul(hn::Abs(least), hn::Set(d, slack * 0x1p-50))));
}

// Where three terms of a curve's series have a rest that is off by less than 2^-41 of itself.
template <class D, class V>
HWY_INLINE auto IsNearZero(D d, V x) {
  return hn::Lt(hn::Abs(x), hn::Set(d, 0x1p-10));
}
// What is allowed for.
template <class D, class V>
HWY_INLINE V ErrorOfRest(D d, V rest) {
  return hn::Mul(hn::Abs(rest), hn::Set(d, 0x1p-40));
}
template <class D, class V>
HWY_INLINE auto IsFinite(D d, V x) {
  return hn::Lt(hn::Abs(x), hn::Set(d, std::numeric_limits<double>::infinity()));
}

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
