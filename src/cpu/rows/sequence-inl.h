// start + index * delta: integers modulo 2^n, floats as if all digits were there, rounded once. Included once
// per target.

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_SEQUENCE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_SEQUENCE_INL_H_
#undef RESIDUE_CPU_ROWS_SEQUENCE_INL_H_
#else
#define RESIDUE_CPU_ROWS_SEQUENCE_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <limits>

#include "core/params.h"
#include "cpu/rows/cast-inl.h"
#include "cpu/rows/light_functor-inl.h"
#include "cpu/rows/order-inl.h"
#include "cpu/rows/simd_compat-inl.h"
#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The low bits of an index, start and delta are enough.
template <class R>
struct IntegerSequence : Elements<uint64_t, R, uint64_t> {
  using Lane = std::conditional_t<sizeof(R) <= 4, uint32_t, uint64_t>;
  explicit HWY_INLINE IntegerSequence(const void* params) {
    const auto given = ReadParams<SequenceParams>(params);
    start = static_cast<Lane>(given.start);
    delta = static_cast<Lane>(given.delta);
  }
  template <class V>
  HWY_INLINE auto operator()(V index) const {
    const hn::ScalableTag<uint64_t> d;
    const hn::Rebind<Lane, decltype(d)> dl;
    const auto product = hn::Mul(Resize<Lane>(d, index), hn::Set(dl, delta));
    return Resize<R>(d, hn::Add(hn::Set(dl, start), product));
  }
  Lane start;
  Lane delta;
};

// In float64: an index has three parts of at most 29 bits, whose products with 24 bits are exact, and what
// each sum of exact numbers loses is exact as well. Only start can cancel, at most 24 leading bits, so that a
// sum is never smaller than what was lost before. What is lost in the end is remembered in the last bit,
// below all that float32 keeps, so that rounding to it is rounding once.
template <class R>
struct FloatSequence : Elements<double, LaneOf<R>, uint64_t> {
  using D = hn::ScalableTag<double>;
  using V = hn::Vec<D>;

  explicit HWY_INLINE FloatSequence(const void* params) {
    const auto* given = static_cast<const std::byte*>(params);
    start = static_cast<double>(ReadElement<R>(given + offsetof(SequenceParams, start)));
    delta = static_cast<double>(ReadElement<R>(given + offsetof(SequenceParams, delta)));
  }

  // What the sum of a and b has lost; exact.
  static HWY_INLINE V LostOf(V a, V b, V sum) {
    const V b_part = hn::Sub(sum, a);
    const V a_part = hn::Sub(sum, b_part);
    return hn::Add(hn::Sub(a, a_part), hn::Sub(b, b_part));
  }

  // 32 bits as a number: 2^52 has them in its low bits.
  template <class VU>
  static HWY_INLINE V ToNumber(VU bits) {
    const D d;
    const hn::RebindToUnsigned<D> du;
    const V magic = hn::Set(d, 0x1p52);
    return hn::Sub(hn::BitCast(d, hn::Or(bits, hn::BitCast(du, magic))), magic);
  }

  // A sum, and what it lost, as a number whose last bit says that something was lost. One unit less where the
  // rest goes toward zero; then the last bit is set. With an infinite operand, what is lost is NaN.
  static HWY_INLINE V RememberLost(V sum, V lost) {
    const D d;
    const hn::RebindToUnsigned<D> du;
    const auto toward_zero = hn::Lt(hn::Mul(hn::CopySign(hn::Set(d, 1.0), sum), lost), hn::Zero(d));
    const auto inexact = hn::And(hn::Ne(lost, hn::Zero(d)), hn::Eq(lost, lost));
    const auto bits = hn::BitCast(du, sum);
    const auto one = hn::Set(du, uint64_t{1});
    const auto cut = hn::Sub(bits, hn::IfThenElseZero(hn::RebindMask(du, toward_zero), one));
    return hn::BitCast(d, hn::IfThenElse(hn::RebindMask(du, inexact), hn::Or(cut, one), bits));
  }

  static HWY_INLINE auto ToResult(V number) {
    if constexpr (std::is_same_v<R, Float16>) {
      return FloatToHalf(hn::Rebind<float, D>(), FloatToFloat<double, Float16>::RoundToOdd(number));
    } else {
      return DoubleToFloat(QuietNan(D(), number));
    }
  }

  // Indices of one part, which tensors of less than 2^29 elements have: their product is exact.
  template <class VU>
  HWY_INLINE auto operator()(VU index) const {
    const hn::RebindToUnsigned<D> du;
    if (HWY_LIKELY(hn::AllTrue(du, hn::Eq(hn::ShiftRight<29>(index), hn::Zero(du))))) {
      const V product = hn::Mul(ToNumber(index), hn::Set(D(), delta));
      const V first = hn::Set(D(), start);
      const V sum = hn::Add(product, first);
      return ToResult(RememberLost(sum, LostOf(product, first, sum)));
    }
    return ToResult(OfThreeParts(index));
  }

  template <class VU>
  HWY_NOINLINE V OfThreeParts(VU index) const {
    const D d;
    const hn::RebindToUnsigned<D> du;
    const V by = hn::Set(d, delta);
    const auto digits = hn::Set(du, (uint64_t{1} << 29) - 1);
    const V low = ToNumber(hn::And(index, digits));
    const V middle = hn::Mul(ToNumber(hn::And(hn::ShiftRight<29>(index), digits)), hn::Set(d, 0x1p29));
    const V high = hn::Mul(ToNumber(hn::ShiftRight<58>(index)), hn::Set(d, 0x1p58));
    const V high_product = hn::Mul(high, by);
    const V middle_product = hn::Mul(middle, by);
    const V low_product = hn::Mul(low, by);
    const V first = hn::Set(d, start);
    const V upper = hn::Add(high_product, middle_product);
    const V product = hn::Add(upper, low_product);
    const V about = hn::Add(product, first);
    // The rest is what these three have lost.
    const V upper_lost = LostOf(high_product, middle_product, upper);
    const V product_lost = LostOf(upper, low_product, product);
    const V about_lost = LostOf(product, first, about);
    const V part = hn::Add(upper_lost, product_lost);
    const V rest = hn::Add(part, about_lost);
    const V all = hn::Add(about, rest);
    const V all_lost = LostOf(about, rest, all);
    const V rest_lost = hn::Add(LostOf(upper_lost, product_lost, part), LostOf(part, about_lost, rest));
    // Where nothing was lost at last, what the rest lost counts.
    const V lost = hn::IfThenElse(hn::Eq(all_lost, hn::Zero(d)), rest_lost, all_lost);
    // Plain sums are right with an infinite operand, and of zeros.
    const V plain = hn::Add(hn::Mul(hn::Add(high, hn::Add(middle, low)), by), hn::Set(d, start));
    const auto is_plain = hn::Or(hn::IsNaN(all), hn::Eq(all, hn::Zero(d)));
    return hn::IfThenElse(is_plain, plain, RememberLost(all, lost));
  }

  double start;
  double delta;
};

template <class T, class R>
using Sequence = std::conditional_t<std::is_integral_v<R>, IntegerSequence<R>, FloatSequence<R>>;

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
