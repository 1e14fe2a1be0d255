// The loops over packed rows, written once for every operator and type. Included once per target.
//
// No address needs alignment, no byte outside the tile is touched, and each vector is loaded before it is
// stored, so that the output may be one of the inputs. A row's last, partial vector goes through a small
// array whose idle lanes divide by 1, or by the row's one divisor. The maths is compiled twice per operator
// and type, for vectors and for a scalar divisor, and twice more where outputs are streamed; all other loops
// call these.

// Per-target include guard
#if defined(RESIDUE_KERNELS_TILE_LOOP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_KERNELS_TILE_LOOP_INL_H_
#undef RESIDUE_KERNELS_TILE_LOOP_INL_H_
#else
#define RESIDUE_KERNELS_TILE_LOOP_INL_H_
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "kernels/estimates-inl.h"
#include "kernels/kernel.h"
#include "kernels/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Room for any vector of T. MaxLanes of a Math's Tag would not do: for the parts of scalable vectors that
// narrow types use, Highway 1.0.3 answers less than Lanes may be.
template <class T>
inline constexpr size_t kMostLanes = HWY_LANES(T);

// What is computed at a time where a row goes through memory of our own: a page, which stays in the first
// cache together with its inputs.
template <class T>
inline constexpr size_t kBlock = 4096 / sizeof(T);

// Other targets have no streaming stores, or vectors too short to make up for their price.
inline constexpr bool kStreams = HWY_ARCH_X86 && HWY_NATIVE_FMA;

template <class Math>
HWY_INLINE Math MakeMath(const Attributes& attributes) {
  if constexpr (std::is_constructible_v<Math, const Attributes&>) {
    return Math(attributes);
  } else {
    return Math();
  }
}

template <class T>
HWY_INLINE T LoadScalar(const T* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

template <class Math>
concept InPairs = Math::kInPairs;

// Two vectors a turn, as far as they go; returns how many elements. b is one element if kScalarB.
template <class Math, bool kScalarB, class T, class D, class V, class P>
HWY_INLINE size_t RunPairs(const Math& math, D d, const T* a, const T* b, T* out, size_t count, V divisor,
                           P prepared) {
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + 2 * lanes <= count; i += 2 * lanes) {
    const auto a0 = hn::LoadU(d, a + i);
    const auto a1 = hn::LoadU(d, a + i + lanes);
    const auto b0 = kScalarB ? divisor : hn::LoadU(d, b + i);
    const auto b1 = kScalarB ? divisor : hn::LoadU(d, b + i + lanes);
    auto result0 = a0;
    auto result1 = a1;
    bool fast;
    if constexpr (kScalarB) {
      fast = math.Fast(d, a0, b0, prepared, result0);
      fast = math.Fast(d, a1, b1, prepared, result1) && fast;
    } else {
      fast = math.Fast(d, a0, b0, result0);
      fast = math.Fast(d, a1, b1, result1) && fast;
    }
    if (HWY_UNLIKELY(!fast)) {
      auto long0 = a0;  // apart from the results, which stay in registers
      auto long1 = a1;
      math.Long(d, a0, b0, a1, b1, long0, long1);
      result0 = long0;
      result1 = long1;
    }
    hn::StoreU(result0, d, out + i);
    hn::StoreU(result1, d, out + i + lanes);
  }
  return i;
}

// Whole vectors only. b is one element if kScalarB.
template <class Math, bool kScalarB, class T = typename Math::Lane>
HWY_NOINLINE void RunVectors(const Math& math, const T* a, const T* b, T* out, size_t count) {
  const typename Math::Tag d;
  const size_t lanes = hn::Lanes(d);
  const auto divisor = hn::Set(d, kScalarB ? LoadScalar(b) : Math::kOne);
  const auto prepared = math.Prepare(d, divisor);
  size_t i = 0;
  if constexpr (InPairs<Math>) i = RunPairs<Math, kScalarB>(math, d, a, b, out, count, divisor, prepared);
  HWY_UNROLL(2)
  for (; i < count; i += lanes) {
    if constexpr (kScalarB) {
      hn::StoreU(math(d, hn::LoadU(d, a + i), divisor, prepared), d, out + i);
    } else {
      hn::StoreU(math(d, hn::LoadU(d, a + i), hn::LoadU(d, b + i)), d, out + i);
    }
  }
}

// Part of a vector, through an array that is written and read as a whole. Only AVX-512 has masked accesses
// that touch no other byte for every width.
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

template <class Math, bool kScalarB, class T = typename Math::Lane>
HWY_INLINE void RunPacked(const Math& math, const T* a, const T* b, T* out, size_t count) {
  const typename Math::Tag d;
  const size_t rest = count % hn::Lanes(d);
  const size_t whole = count - rest;
  if (whole != 0) RunVectors<Math, kScalarB>(math, a, b, out, whole);
  if (rest == 0) return;
  HWY_ALIGN T tail_a[kMostLanes<T>];
  HWY_ALIGN T tail_b[kMostLanes<T>];
  LoadPart(d, a + whole, rest, T{0}, tail_a);
  if constexpr (!kScalarB) LoadPart(d, b + whole, rest, Math::kOne, tail_b);
  RunVectors<Math, kScalarB>(math, tail_a, kScalarB ? b : tail_b, tail_a, hn::Lanes(d));
  StorePart(d, tail_a, rest, out + whole);
}

// One row of a form. In the scalar-dividend form, `a` is a block filled with the dividend.
template <class Math, Form kForm, class T = typename Math::Lane>
HWY_INLINE void RunRow(const Math& math, const T* a, const T* b, T* out, size_t count) {
  if constexpr (kForm == Form::kScalarVector) {
    for (size_t i = 0; i < count; i += kBlock<T>) {
      RunPacked<Math, false>(math, a, b + i, out + i, std::min(kBlock<T>, count - i));
    }
  } else {
    RunPacked<Math, kForm == Form::kVectorScalar>(math, a, b, out, count);
  }
}

// As RunVectors, for outputs too large for the caches, which are stored past them: whole windows of two
// pages, `out` aligned to a line. The two pages take turns and the inputs are asked for one window ahead,
// because a long chain of arithmetic between loads and streaming stores would otherwise leave the memory
// idle. What is ahead may lie past the end: asking never faults, and usually the next call begins there.
template <class T>
inline constexpr size_t kStreamWindow = 2 * 4096 / sizeof(T);

template <class Math, bool kScalarB, class T = typename Math::Lane>
HWY_NOINLINE void StreamVectors(const Math& math, const T* a, const T* b, T* out, size_t count) {
  const typename Math::Tag d;
  constexpr size_t kLine = 64 / sizeof(T);  // no x86 vector is longer
  constexpr size_t kPage = kStreamWindow<T> / 2;
  const auto divisor = hn::Set(d, kScalarB ? LoadScalar(b) : Math::kOne);
  const auto prepared = math.Prepare(d, divisor);
  for (size_t window = 0; window < count; window += kStreamWindow<T>) {
    for (size_t line = 0; line < kPage; line += kLine) {
      HWY_UNROLL(1)
      for (size_t page = 0; page < kStreamWindow<T>; page += kPage) {
        const size_t i = window + page + line;
        hwy::Prefetch(a + i + kStreamWindow<T>);
        if constexpr (!kScalarB) hwy::Prefetch(b + i + kStreamWindow<T>);
        HWY_UNROLL(1)
        for (size_t k = i; k < i + kLine; k += hn::Lanes(d)) {
          if constexpr (kScalarB) {
            hn::Stream(math(d, hn::LoadU(d, a + k), divisor, prepared), d, out + k);
          } else {
            hn::Stream(math(d, hn::LoadU(d, a + k), hn::LoadU(d, b + k)), d, out + k);
          }
        }
      }
    }
  }
  hwy::FlushStream();
}

template <class Math, bool kScalarB, class T = typename Math::Lane>
HWY_NOINLINE void StreamPacked(const Math& math, const T* a, const T* b, T* out, size_t count) {
  constexpr size_t kLineBytes = 64;
  const auto at_b = [b](size_t i) { return kScalarB ? b : b + i; };
  const size_t past_line = reinterpret_cast<uintptr_t>(out) % kLineBytes;
  const size_t head = (kLineBytes - past_line) % kLineBytes / sizeof(T);
  if (past_line % sizeof(T) != 0 || count < head + kStreamWindow<T>) {
    return RunPacked<Math, kScalarB>(math, a, b, out, count);
  }
  const size_t streamed = (count - head) / kStreamWindow<T> * kStreamWindow<T>;
  const size_t rest = head + streamed;
  RunPacked<Math, kScalarB>(math, a, b, out, head);
  StreamVectors<Math, kScalarB>(math, a + head, at_b(head), out + head, streamed);
  RunPacked<Math, kScalarB>(math, a + rest, at_b(rest), out + rest, count - rest);
}

template <class Math, Form kForm>
void RunTile(const Tile& tile) noexcept {
  using T = typename Math::Lane;
  const Math math = MakeMath<Math>(*tile.attributes);
  HWY_ALIGN T dividends[kForm == Form::kScalarVector ? kBlock<T> : 1];
  for (size_t row = 0; row < tile.rows; ++row) {
    const auto r = static_cast<ptrdiff_t>(row);
    const auto* a = reinterpret_cast<const T*>(tile.a + r * tile.row_stride.a);
    const auto* b = reinterpret_cast<const T*>(tile.b + r * tile.row_stride.b);
    auto* out = reinterpret_cast<T*>(tile.out + r * tile.row_stride.out);
    if constexpr (kForm == Form::kScalarVector) {
      std::fill_n(dividends, std::min(kBlock<T>, tile.columns), LoadScalar(a));
      a = dividends;
    }
    if constexpr (kForm != Form::kScalarVector && kStreams) {
      if (tile.stream) {
        StreamPacked<Math, kForm == Form::kVectorScalar>(math, a, b, out, tile.columns);
        continue;
      }
    }
    RunRow<Math, kForm>(math, a, b, out, tile.columns);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
