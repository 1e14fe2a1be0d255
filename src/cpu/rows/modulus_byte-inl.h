// Modulus of 8-bit integers on x86, in bytes and 16-bit products. Included once per target.

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_MODULUS_BYTE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_MODULUS_BYTE_INL_H_
#undef RESIDUE_CPU_ROWS_MODULUS_BYTE_INL_H_
#else
#define RESIDUE_CPU_ROWS_MODULUS_BYTE_INL_H_
#endif

#include <hwy/highway.h>

#include <array>
#include <type_traits>

#include "cpu/rows/estimates-inl.h"
#include "cpu/rows/modulus_int-inl.h"
#include "cpu/rows/rounding.h"
#include "cpu/rows/simd_compat-inl.h"
#include "cpu/rows/target-inl.h"

#undef RESIDUE_BYTE_TABLES
#if HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_AVX2 || RESIDUE_AVX3
#define RESIDUE_BYTE_TABLES 1
#else
#define RESIDUE_BYTE_TABLES 0
#endif

#if RESIDUE_BYTE_TABLES

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// 256 / b, more or less, from three tables of sixteen bytes: one for divisors below 16, one for those below
// 32, one for eight divisors at a time from there on. From 128 on it is 0.
using ByteTable = std::array<uint8_t, 16>;

consteval ByteTable MakeByteTable(unsigned first, unsigned step) {
  ByteTable table{};
  for (unsigned i = 0; i < 16; ++i) {
    const unsigned largest = first + (i + 1) * step - 1;
    const bool is_other = (first == 0 && step == 1 && i == 0) || (step == 8 && i < 4);
    table[i] = static_cast<uint8_t>(is_other ? 0 : 256 / largest - (largest == 1 ? 1 : 0));
  }
  return table;
}
inline constexpr ByteTable kBelow16 = MakeByteTable(0, 1);
inline constexpr ByteTable kBelow32 = MakeByteTable(16, 1);
inline constexpr ByteTable kByEight = MakeByteTable(0, 8);

consteval unsigned ByteReciprocal(unsigned b) {
  if (b < 16) return kBelow16[b];
  if (b < 32) return kBelow32[b - 16];
  return b < 128 ? kByEight[b / 8] : 0;
}
consteval bool ByteReciprocalsFit() {
  for (unsigned b = 1; b < 256; ++b) {
    if (ByteReciprocal(b) * b > 256 || (ByteReciprocal(b) + 2) * b < 256) return false;
  }
  return true;
}
static_assert(ByteReciprocalsFit());

// 8-bit integers, on magnitudes.
//
// Let x = |a|, and t the table's number for b = |b|: t * b <= 256 <= (t + 2) * b, which the compiler has
// checked for every b. The quotient's estimate is n = floor((x + f) * t / 256) with some 0 <= f < 1. It is at
// most floor((x + f) / b) = floor(x / b). And x * t / 256 is at least x / b - x * 2 / 256, so n is too small
// by one at most where x <= 128, which signed numbers are, and by two at most elsewhere. x - n * b, below 256
// in either case, therefore needs b subtracted once or twice at most: min(r, r - b) unsigned subtracts b
// exactly when r >= b.
//
// The bytes take turns in 16-bit lanes, even ones and odd ones. f is the even byte below an odd one.
template <class T, Rounding kRounding>
struct ByteModulus {
  using Lane = T;
  static constexpr Lane kOne = 1;
  using Tag = hn::ScalableTag<T>;
  using DU8 = hn::RebindToUnsigned<Tag>;
  using DU16 = hn::Repartition<uint16_t, Tag>;
  using VU8 = hn::Vec<DU8>;
  static constexpr bool kSigned = std::is_signed_v<T>;

  static HWY_INLINE VU8 Table(const ByteTable& table) { return hn::LoadDup128(DU8(), table.data()); }

  // With it, the zero rule.
  template <class V>
  static HWY_INLINE VU8 Divisor(V b) {
    return hn::Max(Magnitude(Tag(), b), hn::Set(DU8(), uint8_t{1}));
  }

  // The lookups use the lowest four bits of an index, or give 0 if its highest is set.
  static HWY_INLINE VU8 Lookup(VU8 table, VU8 index) { return hn::TableLookupBytesOr0(table, index); }

  static HWY_INLINE VU8 Reciprocal(VU8 b) {
    const DU8 du;
    const VU8 eighth = hn::BitCast(du, hn::ShiftRight<3>(hn::BitCast(DU16(), b)));
#if RESIDUE_AVX3
    constexpr int kSelect = 0xCA;  // first ? second : third
    const VU8 high = hn::Set(du, uint8_t{0x80});
    const VU8 index = VU8{_mm512_ternarylogic_epi32(high.raw, b.raw, eighth.raw, kSelect)};
    const auto below_32 = _mm512_cmplt_epu8_mask(b.raw, hn::Set(du, uint8_t{32}).raw);
    const auto below_16 = _mm512_cmplt_epu8_mask(b.raw, hn::Set(du, uint8_t{16}).raw);
    auto t = Lookup(Table(kByEight), index).raw;
    t = _mm512_mask_shuffle_epi8(t, below_32, Table(kBelow32).raw, b.raw);
    return VU8{_mm512_mask_shuffle_epi8(t, below_16, Table(kBelow16).raw, b.raw)};
#else
    // Saturated addition sets the highest bit of every index from 16 on. The tables are 0 for each other's.
    const VU8 beyond = hn::Set(du, uint8_t{0x70});
    const VU8 by_eight = hn::And(eighth, hn::Set(du, uint8_t{0x1F}));
    const VU8 above_16 = hn::Xor(b, hn::Set(du, uint8_t{16}));
    const VU8 t = hn::Or(Lookup(Table(kBelow16), hn::SaturatedAdd(b, beyond)),
                         Lookup(Table(kBelow32), hn::SaturatedAdd(above_16, beyond)));
    return hn::Or(t, Lookup(Table(kByEight), hn::SaturatedAdd(by_eight, beyond)));
#endif
  }

  // The quotient's estimates, in words: those of even and of odd bytes.
  template <class Use>
  static HWY_INLINE VU8 WithEstimates(VU8 x, VU8 t, const Use& use) {
    const DU16 du16;
    const auto x_words = hn::BitCast(du16, x);
    const auto t_words = hn::BitCast(du16, t);
    return use(hn::MulHigh(hn::ShiftLeft<8>(x_words), hn::And(t_words, hn::Set(du16, 0x00FFu))),
               hn::MulHigh(x_words, hn::ShiftRight<8>(t_words)));
  }

  static HWY_INLINE VU8 Remainder(VU8 x, VU8 b, VU8 t) {
    return WithEstimates(x, t, [x, b](auto even, auto odd) RESIDUE_ALWAYS_INLINE {
      VU8 r = hn::Sub(x, MultiplyBytes(DU8(), even, odd, b));
      r = hn::Min(r, hn::Sub(r, b));
      if constexpr (!kSigned) r = hn::Min(r, hn::Sub(r, b));
      return r;
    });
  }

  // One more for each time that b is subtracted, and b is where what it leaves is not more.
  static HWY_INLINE VU8 Quotient(VU8 x, VU8 b, VU8 t) {
    return WithEstimates(x, t, [x, b](auto even, auto odd) RESIDUE_ALWAYS_INLINE {
      const DU8 du;
      const VU8 one = hn::Set(du, uint8_t{1});
      VU8 r = hn::Sub(x, MultiplyBytes(du, even, odd, b));
      VU8 n = hn::BitCast(du, hn::Or(even, hn::ShiftLeft<8>(odd)));
      for (int times = kSigned ? 1 : 2; times != 0; --times) {
        const VU8 left = hn::Min(r, hn::Sub(r, b));
        n = hn::Add(n, hn::IfThenZeroElse(hn::Eq(left, r), one));
        r = left;
      }
      return n;
    });
  }

  // r with the sign of `giver`.
  template <class V>
  static HWY_INLINE V Signed(V r, V giver) {
#if HWY_TARGET == HWY_SSE4
    return V{_mm_sign_epi8(r.raw, giver.raw)};
#elif HWY_TARGET == HWY_AVX2
    return V{_mm256_sign_epi8(r.raw, giver.raw)};
#else
    const __m512i zero = _mm512_setzero_si512();
    return V{_mm512_mask_sub_epi8(r.raw, _mm512_movepi8_mask(giver.raw), zero, r.raw)};
#endif
  }

  // |b| - r where the signs differ and r is not zero.
  template <class V>
  static HWY_INLINE V Floored(V a, V b, V r, V divisor) {
#if RESIDUE_AVX3
    const auto differ = _mm512_movepi8_mask(hn::Xor(a, b).raw);
    const auto moves = _mm512_mask_test_epi8_mask(differ, r.raw, r.raw);
    return V{_mm512_mask_sub_epi8(r.raw, moves, divisor.raw, r.raw)};
#else
    const DU8 du;
    const VU8 b_magnitude = hn::BitCast(du, divisor);
    const VU8 moved = hn::Sub(b_magnitude, hn::BitCast(du, r));
    const VU8 other = hn::Min(moved, hn::Sub(moved, b_magnitude));
    const Tag d;
    return hn::IfThenElse(hn::Lt(hn::Xor(a, b), hn::Zero(d)), hn::BitCast(d, other), r);
#endif
  }

  template <class D, class V>
  HWY_INLINE VU8 Prepare(D, V b) const {
    return Reciprocal(Divisor(b));
  }

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b, VU8 reciprocal) const {
    const VU8 divisor = Divisor(b);
    const V r = hn::BitCast(d, Remainder(Magnitude(d, a), divisor, reciprocal));
    if constexpr (!kSigned) {
      return r;
    } else if constexpr (kRounding == Rounding::kTruncate) {
      return Signed(r, a);
    } else {
      return Signed(Floored(a, b, r, hn::BitCast(d, divisor)), b);
    }
  }

  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    return operator()(d, a, b, Prepare(d, b));
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // RESIDUE_BYTE_TABLES

#endif  // per-target include guard
