// Copying a block of a matrix with rows and columns exchanged. Included once per target.

// Per-target include guard
#if defined(RESIDUE_CPU_ACCESS_TRANSPOSE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ACCESS_TRANSPOSE_INL_H_
#undef RESIDUE_CPU_ACCESS_TRANSPOSE_INL_H_
#else
#define RESIDUE_CPU_ACCESS_TRANSPOSE_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstring>

#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Squares of 16 bytes a side go through registers, where targets have vectors that may be kept in arrays.
#if HWY_TARGET == HWY_SCALAR || HWY_HAVE_SCALABLE
template <class U>
inline constexpr size_t kSquare = 1;
#else
template <class U>
inline constexpr size_t kSquare = 16 / sizeof(U);

// Interleaving the first half of the lines with the second, as often as a line's length can be halved,
// exchanges rows and columns.
template <class U>
HWY_INLINE void TransposeSquare(const std::byte* from, ptrdiff_t line_stride, U* to, size_t to_stride) {
  constexpr size_t kSide = kSquare<U>;
  const hn::FixedTag<U, kSide> d;
  hn::Vec<decltype(d)> lines[kSide];
  HWY_UNROLL(16)
  for (size_t i = 0; i < kSide; ++i) {
    lines[i] = hn::LoadU(d, reinterpret_cast<const U*>(from + static_cast<ptrdiff_t>(i) * line_stride));
  }
  HWY_UNROLL(4)
  for (size_t length = 1; length < kSide; length *= 2) {
    hn::Vec<decltype(d)> mixed[kSide];
    HWY_UNROLL(8)
    for (size_t i = 0; i < kSide / 2; ++i) {
      mixed[2 * i] = hn::InterleaveLower(d, lines[i], lines[i + kSide / 2]);
      mixed[2 * i + 1] = hn::InterleaveUpper(d, lines[i], lines[i + kSide / 2]);
    }
    HWY_UNROLL(16)
    for (size_t i = 0; i < kSide; ++i) lines[i] = mixed[i];
  }
  HWY_UNROLL(16)
  for (size_t i = 0; i < kSide; ++i) hn::StoreU(lines[i], d, to + i * to_stride);
}
#endif

// to[row * to_stride + column] = the element `row` of line `column`, whose elements are packed; lines lie
// line_stride bytes apart. U is the unsigned integer of the elements' size.
template <class U>
HWY_NOINLINE void Transpose(const std::byte* from, ptrdiff_t line_stride, size_t rows, size_t columns, U* to,
                            size_t to_stride) {
  constexpr size_t kSide = kSquare<U>;
  const auto line = [&](size_t column) { return from + static_cast<ptrdiff_t>(column) * line_stride; };
  const auto copy_one = [&](size_t row, size_t column) {
    std::memcpy(to + row * to_stride + column, line(column) + row * sizeof(U), sizeof(U));
  };
  const size_t square_rows = kSide == 1 ? 0 : rows - rows % kSide;
  const size_t square_columns = kSide == 1 ? 0 : columns - columns % kSide;
#if HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE
  // A few lines at a time, along them: their cache lines are used up before others are wanted.
  for (size_t column = 0; column < square_columns; column += kSide) {
    for (size_t row = 0; row < square_rows; row += kSide) {
      TransposeSquare(line(column) + row * sizeof(U), line_stride, to + row * to_stride + column, to_stride);
    }
  }
#endif
  for (size_t column = 0; column < square_columns; ++column) {
    for (size_t row = square_rows; row < rows; ++row) copy_one(row, column);
  }
  for (size_t column = square_columns; column < columns; ++column) {
    for (size_t row = 0; row < rows; ++row) copy_one(row, column);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
