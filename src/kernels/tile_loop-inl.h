// The loops over memory, written once for every operator and type. Included once per target.
//
// No address needs alignment, no byte outside the tile is touched, and each vector is loaded before it is
// stored, so that the output may be one of the inputs. A row's last, partial vector goes through a small
// array whose idle lanes divide by 1, or by the row's one divisor.

// Per-target include guard
#if defined(RESIDUE_KERNELS_TILE_LOOP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_KERNELS_TILE_LOOP_INL_H_
#undef RESIDUE_KERNELS_TILE_LOOP_INL_H_
#else
#define RESIDUE_KERNELS_TILE_LOOP_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "kernels/kernel.h"

// For lambdas, which HWY_INLINE does not fit.
#ifndef RESIDUE_ALWAYS_INLINE
#define RESIDUE_ALWAYS_INLINE __attribute__((always_inline))
#endif

HWY_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Room for any vector of T. MaxLanes of a Math's Tag would not do: for the parts of scalable vectors that
// narrow types use, Highway 1.0.3 answers less than Lanes may be.
template <class T>
inline constexpr size_t kMostLanes = HWY_LANES(T);

template <class Math>
HWY_INLINE Math MakeMath(const Attributes& attributes) {
  if constexpr (std::is_constructible_v<Math, const Attributes&>) {
    return Math(attributes);
  } else {
    return Math();
  }
}

template <class T>
HWY_INLINE T LoadScalar(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

// `count` elements, packed output. In the scalar forms that operand is one element.
template <class Math, Form kForm>
HWY_INLINE void RunRow(const Math& math, const std::byte* a, const std::byte* b, std::byte* out,
                       size_t count) {
  using T = typename Math::Lane;
  if (count == 0) return;
  const typename Math::Tag d;
  const size_t lanes = hn::Lanes(d);
  const auto* a_lanes = reinterpret_cast<const T*>(a);
  const auto* b_lanes = reinterpret_cast<const T*>(b);
  auto* out_lanes = reinterpret_cast<T*>(out);

  const auto scalar_a = hn::Set(d, kForm == Form::kScalarVector ? LoadScalar<T>(a) : T{0});
  const auto scalar_b = hn::Set(d, kForm == Form::kVectorScalar ? LoadScalar<T>(b) : Math::kOne);
  const auto scalar_reciprocal = math.Reciprocal(d, scalar_b);

  const auto compute = [&](const T* from_a, const T* from_b) HWY_ATTR RESIDUE_ALWAYS_INLINE {
    if constexpr (kForm == Form::kVectorScalar) {
      (void)from_b;
      return math(d, hn::LoadU(d, from_a), scalar_b, scalar_reciprocal);
    } else {
      const auto divisor = hn::LoadU(d, from_b);
      const auto dividend = kForm == Form::kScalarVector ? scalar_a : hn::LoadU(d, from_a);
      return math(d, dividend, divisor, math.Reciprocal(d, divisor));
    }
  };

  size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    hn::StoreU(compute(a_lanes + i, b_lanes + i), d, out_lanes + i);
  }
  const size_t rest = count - i;
  if (rest == 0) return;

  HWY_ALIGN T tail_a[kMostLanes<T>];
  HWY_ALIGN T tail_b[kMostLanes<T>];
  hn::Store(hn::Zero(d), d, tail_a);
  hn::Store(hn::Set(d, Math::kOne), d, tail_b);
  if constexpr (kForm != Form::kScalarVector) std::memcpy(tail_a, a + i * sizeof(T), rest * sizeof(T));
  if constexpr (kForm != Form::kVectorScalar) std::memcpy(tail_b, b + i * sizeof(T), rest * sizeof(T));
  hn::Store(compute(tail_a, tail_b), d, tail_a);
  std::memcpy(out + i * sizeof(T), tail_a, rest * sizeof(T));
}

template <class T>
HWY_INLINE void Gather(const std::byte* from, ptrdiff_t stride, size_t count, T* to) {
  for (size_t i = 0; i < count; ++i) to[i] = LoadScalar<T>(from + static_cast<ptrdiff_t>(i) * stride);
}

template <class T>
HWY_INLINE void Scatter(const T* from, size_t count, std::byte* to, ptrdiff_t stride) {
  for (size_t i = 0; i < count; ++i)
    std::memcpy(to + static_cast<ptrdiff_t>(i) * stride, from + i, sizeof(T));
}

// Any strides: pieces are gathered into packed buffers, computed there and scattered. What is packed already
// is used where it lies, and a single divisor is not multiplied.
template <class Math>
HWY_INLINE void RunStridedRow(const Math& math, const std::byte* a, const std::byte* b, std::byte* out,
                              size_t count, const OperandStrides& stride) {
  using T = typename Math::Lane;
  constexpr size_t kPiece = 512;
  constexpr auto kPacked = static_cast<ptrdiff_t>(sizeof(T));
  HWY_ALIGN T buffer_a[kPiece];
  HWY_ALIGN T buffer_b[kPiece];
  for (size_t begin = 0; begin < count; begin += kPiece) {
    const size_t piece = std::min(kPiece, count - begin);
    const auto offset = static_cast<ptrdiff_t>(begin);
    const std::byte* from_a = a + offset * stride.a;
    const std::byte* from_b = b + offset * stride.b;
    std::byte* to = out + offset * stride.out;
    if (stride.a != kPacked) {
      Gather(from_a, stride.a, piece, buffer_a);
      from_a = reinterpret_cast<const std::byte*>(buffer_a);
    }
    if (stride.b != kPacked && stride.b != 0) {
      Gather(from_b, stride.b, piece, buffer_b);
      from_b = reinterpret_cast<const std::byte*>(buffer_b);
    }
    std::byte* result = stride.out == kPacked ? to : reinterpret_cast<std::byte*>(buffer_a);
    if (stride.b == 0) {
      RunRow<Math, Form::kVectorScalar>(math, from_a, from_b, result, piece);
    } else {
      RunRow<Math, Form::kVectorVector>(math, from_a, from_b, result, piece);
    }
    if (stride.out != kPacked) Scatter(buffer_a, piece, to, stride.out);
  }
}

template <class Math, Form kForm>
void RunTile(const Tile& tile) noexcept {
  const Math math = MakeMath<Math>(*tile.attributes);
  for (size_t row = 0; row < tile.rows; ++row) {
    const auto r = static_cast<ptrdiff_t>(row);
    const std::byte* a = tile.a + r * tile.row_stride.a;
    const std::byte* b = tile.b + r * tile.row_stride.b;
    std::byte* out = tile.out + r * tile.row_stride.out;
    if constexpr (kForm == Form::kStrided) {
      RunStridedRow<Math>(math, a, b, out, tile.columns, tile.column_stride);
    } else {
      RunRow<Math, kForm>(math, a, b, out, tile.columns);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace residue
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
