// Powers of integers, modulo 2^n. A negative exponent gives the reciprocal, truncated: 1 and -1 have one, and
// all others give 0. Included once per target.

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_POWER_INT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_POWER_INT_INL_H_
#undef RESIDUE_CPU_ROWS_POWER_INT_INL_H_
#else
#define RESIDUE_CPU_ROWS_POWER_INT_INL_H_
#endif

#include <hwy/highway.h>

#include <type_traits>

#include "cpu/rows/arithmetic-inl.h"
#include "cpu/rows/light_functor-inl.h"
#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// By squaring, as often as the longest exponent of a vector has bits.
template <class T>
struct IntegerPow : Elements<T, T, T, T> {
  using V = typename IntegerPow::Result;
  using D = hn::ScalableTag<T>;
  using DU = hn::RebindToUnsigned<D>;
  using VU = hn::Vec<DU>;

  static HWY_INLINE VU OfNaturals(VU base, VU exponent) {
    const DU du;
    VU result = hn::Set(du, 1u);
    VU bit = result;
    while (!hn::AllTrue(du, hn::Eq(exponent, hn::Zero(du)))) {
      const auto counts = hn::Eq(hn::And(exponent, bit), bit);
      result = hn::IfThenElse(counts, MultiplyLanes::Of(du, result, base), result);
      base = MultiplyLanes::Of(du, base, base);
      exponent = hn::AndNot(bit, exponent);
      bit = hn::Add(bit, bit);
    }
    return result;
  }

  HWY_INLINE V operator()(V base, V exponent) const {
    const D d;
    const DU du;
    const VU bits = hn::BitCast(du, base);
    if constexpr (std::is_unsigned_v<T>) {
      return OfNaturals(bits, exponent);
    } else {
      const auto negative = hn::Lt(exponent, hn::Zero(d));
      const VU natural = hn::BitCast(du, hn::IfThenZeroElse(negative, exponent));
      const V power = hn::BitCast(d, OfNaturals(bits, natural));
      // 1, or -1 to the last bit of the exponent.
      const V one = hn::Set(d, T{1});
      const auto is_odd = hn::Eq(hn::And(exponent, one), one);
      const auto is_unit = hn::Or(hn::Eq(base, one), hn::Eq(base, hn::Set(d, T{-1})));
      const V reciprocal = hn::IfThenElseZero(is_unit, hn::IfThenElse(is_odd, base, one));
      return hn::IfThenElse(negative, reciprocal, power);
    }
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
