// Parts of vectors: what is left at the end of a row, and rows of few elements. Included once per target.
//
// Only AVX-512 has masked accesses that touch no other byte for every width; elsewhere parts go through an
// array that is written and read as a whole.

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_PARTIAL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_PARTIAL_INL_H_
#undef RESIDUE_CPU_ROWS_PARTIAL_INL_H_
#else
#define RESIDUE_CPU_ROWS_PARTIAL_INL_H_
#endif

#include <hwy/highway.h>

#include <cstring>

#include "cpu/rows/estimates-inl.h"
#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Room for any vector of T. MaxLanes of a Math's Tag would not do: for the parts of scalable vectors that
// narrow types use, Highway 1.0.3 answers less than Lanes may be.
template <class T>
inline constexpr size_t kMostLanes = HWY_LANES(T);

template <class T>
HWY_INLINE T LoadScalar(const T* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

template <class D, class T = hn::TFromD<D>>
HWY_INLINE void LoadPart(D d, const T* from, size_t count, T idle, T* HWY_RESTRICT to) {
#if RESIDUE_AVX3
  const auto mask = hn::FirstN(d, count);
  hn::Store(hn::IfThenElse(mask, hn::MaskedLoad(mask, d, from), hn::Set(d, idle)), d, to);
#else
  hn::Store(hn::Set(d, idle), d, to);
  std::memcpy(to, from, count * sizeof(T));
#endif
}

template <class D, class T = hn::TFromD<D>>
HWY_INLINE void StorePart(D d, const T* HWY_RESTRICT from, size_t count, T* to) {
#if RESIDUE_AVX3
  hn::BlendedStore(hn::Load(d, from), hn::FirstN(d, count), d, to);
#else
  (void)d;
  std::memcpy(to, from, count * sizeof(T));
#endif
}

// The first `count` elements, or one for all. Idle lanes repeat the first, in all operands, so that they are
// elements of the row as well.
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

template <class D, class T = hn::TFromD<D>>
HWY_INLINE void StoreFew(D d, hn::Vec<D> result, size_t count, T* to) {
#if RESIDUE_AVX3
  hn::BlendedStore(result, hn::FirstN(d, count), d, to);
#else
  if (kMostLanes<T> == 1 || count == hn::Lanes(d)) return hn::StoreU(result, d, to);
  HWY_ALIGN T part[kMostLanes<T>];
  hn::Store(result, d, part);
  StorePart(d, part, count, to);
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
