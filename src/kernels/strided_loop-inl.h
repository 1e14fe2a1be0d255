// The loops over tiles with any strides. Included once per target.

// Per-target include guard
#if defined(RESIDUE_KERNELS_STRIDED_LOOP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_KERNELS_STRIDED_LOOP_INL_H_
#undef RESIDUE_KERNELS_STRIDED_LOOP_INL_H_
#else
#define RESIDUE_KERNELS_STRIDED_LOOP_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

#include "kernels/kernel.h"
#include "kernels/target-inl.h"
#include "kernels/tile_loop-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
HWY_INLINE void Gather(const std::byte* from, ptrdiff_t stride, size_t count, T* to) {
  for (size_t i = 0; i < count; ++i) {
    std::memcpy(to + i, from + static_cast<ptrdiff_t>(i) * stride, sizeof(T));
  }
}

template <class T>
HWY_INLINE void Scatter(const T* from, size_t count, std::byte* to, ptrdiff_t stride) {
  for (size_t i = 0; i < count; ++i) {
    std::memcpy(to + static_cast<ptrdiff_t>(i) * stride, from + i, sizeof(T));
  }
}

// Any strides: pieces are gathered into packed buffers, computed there and scattered. What is packed already
// is used where it lies, and a single divisor is not multiplied.
template <class Math>
HWY_INLINE void RunStridedRow(const Math& math, const std::byte* a, const std::byte* b, std::byte* out,
                              size_t count, const OperandStrides& stride) {
  using T = typename Math::Lane;
  constexpr auto kPacked = static_cast<ptrdiff_t>(sizeof(T));
  HWY_ALIGN T buffer_a[kBlock<T>];
  HWY_ALIGN T buffer_b[kBlock<T>];
  for (size_t begin = 0; begin < count; begin += kBlock<T>) {
    const size_t piece = std::min(kBlock<T>, count - begin);
    const auto offset = static_cast<ptrdiff_t>(begin);
    const std::byte* from_a = a + offset * stride.a;
    const std::byte* from_b = b + offset * stride.b;
    std::byte* to = out + offset * stride.out;
    const T* packed_a = reinterpret_cast<const T*>(from_a);
    const T* packed_b = reinterpret_cast<const T*>(from_b);
    if (stride.a != kPacked) {
      Gather(from_a, stride.a, piece, buffer_a);
      packed_a = buffer_a;
    }
    if (stride.b != kPacked && stride.b != 0) {
      Gather(from_b, stride.b, piece, buffer_b);
      packed_b = buffer_b;
    }
    T* result = stride.out == kPacked ? reinterpret_cast<T*>(to) : buffer_a;
    if (stride.b == 0) {
      RunPacked<Math, true>(math, packed_a, packed_b, result, piece);
    } else {
      RunPacked<Math, false>(math, packed_a, packed_b, result, piece);
    }
    if (stride.out != kPacked) Scatter(buffer_a, piece, to, stride.out);
  }
}

template <class Math>
void RunStridedTile(const Tile& tile) noexcept {
  const Math math = MakeMath<Math>(*tile.attributes);
  for (size_t row = 0; row < tile.rows; ++row) {
    const auto r = static_cast<ptrdiff_t>(row);
    RunStridedRow<Math>(math, tile.a + r * tile.row_stride.a, tile.b + r * tile.row_stride.b,
                        tile.out + r * tile.row_stride.out, tile.columns, tile.column_stride);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
