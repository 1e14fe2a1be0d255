// Which exceptions the elements of a tile have, seen from the operands alone. Included once per target.
//
// Callers examine what they are about to compute while it is, or is being brought, in the first cache, so the
// usual answer, none, must cost next to nothing: one minimum per vector of integers, and for floats the
// larger of |a| and |b| - 1 as integers, which a divisor of 0 wraps round to the largest of all. Only where
// that finds something are the cases told apart.

// Per-target include guard
#if defined(RESIDUE_KERNELS_EXAMINE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_KERNELS_EXAMINE_INL_H_
#undef RESIDUE_KERNELS_EXAMINE_INL_H_
#else
#define RESIDUE_KERNELS_EXAMINE_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <concepts>

#include "base/exceptions.h"
#include "kernels/gather-inl.h"
#include "kernels/kernel.h"
#include "kernels/target-inl.h"
#include "kernels/tile_loop-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using BitsOf = hwy::UnsignedFromSize<sizeof(T)>;

// A row of an operand: packed, or one element for the whole row.
template <class U>
struct Row {
  const U* elements;
  bool single;
};

// The first `count` elements, or one for all. Idle lanes repeat the first, in both operands, so that they are
// a pair of the row as well.
template <class D, class T = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> LoadFew(D d, const T* from, bool single, size_t count) {
  if (single) return hn::Set(d, LoadScalar(from));
#if RESIDUE_AVX3
  const auto mask = hn::FirstN(d, count);
  return hn::IfThenElse(mask, hn::MaskedLoad(mask, d, from), hn::Set(d, LoadScalar(from)));
#else
  if (kMostLanes<T> == 1 || count == hn::Lanes(d)) return hn::LoadU(d, from);
  HWY_ALIGN T part[kMostLanes<T>];
  LoadPart(d, from, count, LoadScalar(from), part);
  return hn::Load(d, part);
#endif
}

// Lets Step see every vector of a row; what it returns is given to it again, and in the end to us.
template <class Step, class D, class U = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> Fold(D d, const Row<U>& a, const Row<U>& b, size_t count) {
  const size_t lanes = hn::Lanes(d);
  const auto one_a = hn::Set(d, LoadScalar(a.elements));
  const auto one_b = hn::Set(d, LoadScalar(b.elements));
  auto seen = Step::Begin(d);
  if (a.single && b.single) return Step::See(d, seen, one_a, one_b);
  size_t i = 0;
  if (a.single) {
    for (; i + lanes <= count; i += lanes) seen = Step::See(d, seen, one_a, hn::LoadU(d, b.elements + i));
  } else if (b.single) {
    for (; i + lanes <= count; i += lanes) seen = Step::See(d, seen, hn::LoadU(d, a.elements + i), one_b);
  } else {
    for (; i + lanes <= count; i += lanes) {
      seen = Step::See(d, seen, hn::LoadU(d, a.elements + i), hn::LoadU(d, b.elements + i));
    }
  }
  if (i == count) return seen;
  const auto end_a = LoadFew(d, a.single ? a.elements : a.elements + i, a.single, count - i);
  const auto end_b = LoadFew(d, b.single ? b.elements : b.elements + i, b.single, count - i);
  return Step::See(d, seen, end_a, end_b);
}

struct SmallestDivisor {
  template <class D>
  static HWY_INLINE hn::Vec<D> Begin(D d) {
    return hn::Set(d, hwy::LimitsMax<hn::TFromD<D>>());
  }
  template <class D, class V>
  static HWY_INLINE V See(D, V seen, V, V b) {
    return hn::Min(seen, b);
  }
  template <class D, class V>
  static HWY_INLINE Exceptions Verdict(D d, V seen) {
    return hn::AllFalse(d, hn::Eq(seen, hn::Zero(d))) ? kNoException : kDivisionByZero;
  }
};

// |x| as an integer is above kInfinity for NaN, and above kInfinity but below kQuiet for a signalling NaN.
template <class T>
struct Magnitudes {
  using U = BitsOf<T>;
  static constexpr int kFractionBits = sizeof(T) == 2 ? 10 : sizeof(T) == 4 ? 23 : 52;
  static constexpr auto kAbsolute = static_cast<U>(static_cast<U>(~U{0}) >> 1);
  static constexpr auto kInfinity = static_cast<U>(kAbsolute >> kFractionBits << kFractionBits);
  static constexpr auto kQuiet = static_cast<U>(kInfinity | U{1} << (kFractionBits - 1));

  template <class D>
  static HWY_INLINE hn::Vec<D> Begin(D d) {
    return hn::Zero(d);
  }
};

template <class T>
struct LargestMagnitude : Magnitudes<T> {
  template <class D, class V>
  static HWY_INLINE V See(D d, V seen, V a, V b) {
    const V absolute = hn::Set(d, LargestMagnitude::kAbsolute);
    const V above_zero = hn::Sub(hn::And(b, absolute), hn::Set(d, 1));
    return hn::Max(seen, hn::Max(hn::And(a, absolute), above_zero));
  }
};

template <class T>
struct InvalidOperations : Magnitudes<T> {
  template <class D, class V>
  static HWY_INLINE V See(D d, V seen, V a, V b) {
    const V absolute = hn::Set(d, InvalidOperations::kAbsolute);
    const V infinity = hn::Set(d, InvalidOperations::kInfinity);
    const V quiet = hn::Set(d, InvalidOperations::kQuiet);
    const V x = hn::And(a, absolute);
    const V y = hn::And(b, absolute);
    const auto x_is_nan = hn::Gt(x, infinity);
    const auto y_is_nan = hn::Gt(y, infinity);
    const auto infinite = hn::AndNot(y_is_nan, hn::Eq(x, infinity));
    const auto by_zero = hn::AndNot(x_is_nan, hn::Eq(y, hn::Zero(d)));
    const auto signalling = hn::Or(hn::And(x_is_nan, hn::Lt(x, quiet)), hn::And(y_is_nan, hn::Lt(y, quiet)));
    return hn::Or(seen, hn::VecFromMask(d, hn::Or(signalling, hn::Or(infinite, by_zero))));
  }
  template <class D, class V>
  static HWY_INLINE Exceptions Verdict(D d, V seen) {
    return hn::AllFalse(d, hn::Ne(seen, hn::Zero(d))) ? kNoException : kInvalidOperation;
  }
};

template <class T, class U = BitsOf<T>>
HWY_INLINE Exceptions ExamineRow(const Row<U>& a, const Row<U>& b, size_t count) {
  const hn::ScalableTag<U> d;
  if constexpr (std::integral<T>) {
    return SmallestDivisor::Verdict(d, Fold<SmallestDivisor>(d, b, b, count));
  } else {
    const auto largest = Fold<LargestMagnitude<T>>(d, a, b, count);
    const auto below_infinity = hn::Set(d, static_cast<U>(Magnitudes<T>::kInfinity - 1));
    if (HWY_LIKELY(hn::AllFalse(d, hn::Gt(largest, below_infinity)))) return kNoException;
    return InvalidOperations<T>::Verdict(d, Fold<InvalidOperations<T>>(d, a, b, count));
  }
}

// Part of a row: where it is packed, or in the buffer.
template <class U>
HWY_INLINE Row<U> FetchPart(const std::byte* row, ptrdiff_t stride, size_t column, size_t count, U* buffer) {
  if (stride == 0) return {reinterpret_cast<const U*>(row), true};
  const std::byte* from = row + static_cast<ptrdiff_t>(column) * stride;
  if (stride == static_cast<ptrdiff_t>(sizeof(U))) return {reinterpret_cast<const U*>(from), false};
  GatherRow(from, stride, count, buffer);
  return {buffer, false};
}

template <class T>
Exceptions ExamineTile(const Tile& tile) noexcept {
  using U = BitsOf<T>;
  constexpr bool kReadsA = !std::integral<T>;
  constexpr auto kPackedStride = static_cast<ptrdiff_t>(sizeof(U));
  HWY_ALIGN U buffer_a[kBlock<U>];
  HWY_ALIGN U buffer_b[kBlock<U>];
  const auto in_place = [](ptrdiff_t stride) { return stride == 0 || stride == kPackedStride; };
  const bool whole_rows = in_place(tile.column_stride.b) && (!kReadsA || in_place(tile.column_stride.a));
  const size_t block = whole_rows ? tile.columns : kBlock<U>;
  Exceptions found = kNoException;
  for (size_t row = 0; row < tile.rows; ++row) {
    const std::byte* row_a = tile.a + static_cast<ptrdiff_t>(row) * tile.row_stride.a;
    const std::byte* row_b = tile.b + static_cast<ptrdiff_t>(row) * tile.row_stride.b;
    for (size_t column = 0; column < tile.columns; column += block) {
      const size_t count = std::min(block, tile.columns - column);
      const Row<U> b = FetchPart(row_b, tile.column_stride.b, column, count, buffer_b);
      const Row<U> a = kReadsA ? FetchPart(row_a, tile.column_stride.a, column, count, buffer_a) : b;
      found |= ExamineRow<T>(a, b, count);
    }
  }
  return found;
}

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
