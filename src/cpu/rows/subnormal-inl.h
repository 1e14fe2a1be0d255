// Subnormal numbers by their bits: which are, and what they are as normal numbers. x86 processors take a
// hundred cycles and more for a floating-point operation that sees or makes one. Included once per target.

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_SUBNORMAL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_SUBNORMAL_INL_H_
#undef RESIDUE_CPU_ROWS_SUBNORMAL_INL_H_
#else
#define RESIDUE_CPU_ROWS_SUBNORMAL_INL_H_
#endif

#include <hwy/highway.h>

#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Whether operations that see or make subnormal numbers are slow.
inline constexpr bool kSlowSubnormals = HWY_ARCH_X86;

// Comparisons on bits, which no processor is slow with.
template <class D, class V>
HWY_INLINE bool AnyBelow(D d, V magnitude, hn::TFromD<D> border) {
  const hn::RebindToSigned<D> di;
  return !hn::AllFalse(di, hn::Lt(hn::BitCast(di, magnitude), hn::BitCast(di, hn::Set(d, border))));
}
template <class D>
HWY_INLINE hn::Vec<hn::RebindToSigned<D>> NormalBits(D) {
  const hn::RebindToSigned<D> di;
  return hn::Set(di, hn::TFromD<decltype(di)>{1} << hwy::MantissaBits<hn::TFromD<D>>());
}
// One below the bits, zero is the largest of unsigned numbers.
template <class D, class V>
HWY_INLINE hn::Mask<hn::RebindToSigned<D>> IsSubnormal(D d, V magnitude) {
  const hn::RebindToUnsigned<D> du;
  const hn::RebindToSigned<D> di;
  using Bits = hn::TFromD<decltype(du)>;
  const auto one = hn::Set(du, Bits{1});
  const auto below =
      hn::Lt(hn::Sub(hn::BitCast(du, magnitude), one), hn::Sub(hn::BitCast(du, NormalBits(d)), one));
  return hn::RebindMask(di, below);
}
template <class D, class V>
HWY_INLINE bool AnySubnormal(D d, V v0, V v1) {
  return !hn::AllFalse(hn::RebindToSigned<D>(), hn::Or(IsSubnormal(d, v0), IsSubnormal(d, v1)));
}
// Zero counts as subnormal here.
template <class D, class V>
HWY_INLINE bool AllSubnormal(D d, V a_magnitude, V b_magnitude) {
  const hn::RebindToSigned<D> di;
  return hn::AllTrue(di, hn::Lt(hn::BitCast(di, hn::Or(a_magnitude, b_magnitude)), NormalBits(d)));
}

// A subnormal number as the integer that its bits are, and back, for integers below 2^52, or 2^23 for
// float32.
template <class T>
inline constexpr T kBitsUnit = sizeof(T) == 4 ? T(0x1p23) : T(0x1p52);

template <class D, class V>
HWY_INLINE V SubnormalToInteger(D d, V magnitude) {
  const V unit = hn::Set(d, kBitsUnit<hn::TFromD<D>>);
  return hn::Sub(hn::Or(magnitude, unit), unit);
}
template <class D, class V>
HWY_INLINE V IntegerToSubnormal(D d, V integer) {
  const hn::RebindToUnsigned<D> du;
  const V unit = hn::Set(d, kBitsUnit<hn::TFromD<D>>);
  return hn::BitCast(d, hn::Sub(hn::BitCast(du, hn::Add(integer, unit)), hn::BitCast(du, unit)));
}

#if HWY_TARGET != HWY_SCALAR
// Conversions for numbers among which some are subnormal as float32, by their bits: what the instructions
// take for those depends on the processor. A float32's exponent and fraction, moved into place, become the
// same number once 896 is added to the exponent. Subnormal ones get one more, as if 1 stood before their
// fraction, and that 1 is taken off again.
template <class D, class V = hn::Vec<hn::Rebind<float, D>>>
HWY_INLINE hn::Vec<D> PromoteSubnormal(D wide, V v) {
  const hn::RebindToUnsigned<D> du;
  const hn::RebindToSigned<D> di;
  const hn::Rebind<uint32_t, D> narrow;
  constexpr uint64_t kExponent = uint64_t{1} << 52;
  const auto bits = hn::PromoteTo(du, hn::BitCast(narrow, v));
  const auto sign = hn::And(hn::ShiftLeft<32>(bits), hn::BitCast(du, hn::SignBit(wide)));
  const auto moved = hn::ShiftLeft<29>(hn::And(bits, hn::Set(du, 0x7FFFFFFFu)));
  const auto subnormal = hn::Lt(hn::BitCast(di, moved), hn::Set(di, int64_t{kExponent}));
  const auto one_more = hn::IfThenElseZero(hn::RebindMask(du, subnormal), hn::Set(du, kExponent));
  const auto biased = hn::Add(moved, hn::Add(one_more, hn::Set(du, 896 * kExponent)));
  const auto first = hn::IfThenElseZero(hn::RebindMask(wide, subnormal), hn::Set(wide, 0x1p-126));
  return hn::Or(hn::Sub(hn::BitCast(wide, biased), first), hn::BitCast(wide, sign));
}

// A number m below 2^-126 is a multiple of u = 2^-149, and m / u its bits. The bits of any m are those of
// max(m, 2^-126), which is normal, minus those of 2^-126 = 2^23 u, plus those of min(m, 2^-126), which are
// the lowest after an addition of 1.5 * 2^52 u.
template <class D, class V>
HWY_INLINE hn::Vec<hn::Rebind<float, D>> DemoteSubnormal(D wide, V magnitude) {
  const hn::RebindToUnsigned<D> du;
  const hn::Rebind<float, D> half;
  const hn::Rebind<uint32_t, D> narrow;
  const V border = hn::Set(wide, 0x1p-126);
  const V units = hn::Add(hn::Min(magnitude, border), hn::Set(wide, 0x1.8p-97 - 0x1p-126));
  const auto normal = hn::BitCast(narrow, hn::DemoteTo(half, hn::Max(magnitude, border)));
  return hn::BitCast(half, hn::Add(normal, hn::TruncateTo(narrow, hn::BitCast(du, units))));
}
#endif

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
