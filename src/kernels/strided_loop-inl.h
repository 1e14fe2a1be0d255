// The loops over tiles with any strides. Included once per target.
//
// What is packed already is used where it lies; the rest is gathered into packed buffers, computed there and,
// if the output is not packed, scattered. Three ways, by the shape of the tile:
//   long rows           a row in blocks
//   short rows          several rows together, so that vectors are full
//   an exchanged input  one that is packed along the rows of the tile: square blocks, transposed in the cache
// Each block's inputs are gathered before its output is stored, so that the output may be one of the inputs.

// Per-target include guard
#if defined(RESIDUE_KERNELS_STRIDED_LOOP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_KERNELS_STRIDED_LOOP_INL_H_
#undef RESIDUE_KERNELS_STRIDED_LOOP_INL_H_
#else
#define RESIDUE_KERNELS_STRIDED_LOOP_INL_H_
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

#include "kernels/gather-inl.h"
#include "kernels/kernel.h"
#include "kernels/target-inl.h"
#include "kernels/tile_loop-inl.h"
#include "kernels/transpose-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// One operand of a tile: where it begins, and its steps in bytes.
struct Source {
  const std::byte* begin;
  ptrdiff_t row_stride;
  ptrdiff_t column_stride;

  const std::byte* At(size_t row, size_t column) const {
    return begin + static_cast<ptrdiff_t>(row) * row_stride + static_cast<ptrdiff_t>(column) * column_stride;
  }
};

template <class T>
inline constexpr auto kPacked = static_cast<ptrdiff_t>(sizeof(T));

template <class U>
HWY_INLINE void Gather(const Source& from, size_t row, size_t rows, size_t column, size_t columns, U* to) {
  for (size_t r = 0; r < rows; ++r) {
    GatherRow(from.At(row + r, column), from.column_stride, columns, to + r * columns);
  }
}

template <class U>
HWY_NOINLINE void Scatter(const U* from, size_t row, size_t rows, size_t column, size_t columns,
                          const Source& to) {
  for (size_t r = row; r < row + rows; ++r) {
    auto* p = const_cast<std::byte*>(to.At(r, column));  // the output's begin is writable
    for (size_t i = 0; i < columns; ++i, p += to.column_stride) std::memcpy(p, from++, sizeof(U));
  }
}

template <class Math>
class StridedTile {
 public:
  using T = typename Math::Lane;
  using U = hwy::MakeUnsigned<T>;

  HWY_INLINE explicit StridedTile(const Tile& tile)
      : math_(MakeMath<Math>(*tile.attributes)),
        rows_(tile.rows),
        columns_(tile.columns),
        a_{tile.a, tile.row_stride.a, tile.column_stride.a},
        b_{tile.b, tile.row_stride.b, tile.column_stride.b},
        out_{tile.out, tile.row_stride.out, tile.column_stride.out},
        stream_(tile.stream) {}

  HWY_INLINE void Run() {
    if (rows_ > 1 && (IsExchanged(a_) || IsExchanged(b_))) return RunSquares();
    if (rows_ > 1 && columns_ < kShortRow) return RunShortRows();
    RunLongRows();
  }

 private:
  static constexpr size_t kShortRow = kShortRowBytes / sizeof(T);
  static constexpr size_t kSquareRows = 256 / sizeof(T);  // four lines of an exchanged input
  static constexpr size_t kSquareColumns = sizeof(T) == 1 ? 128 : 64;

  static HWY_INLINE bool IsExchanged(const Source& source) {
    return source.row_stride == kPacked<T> && source.column_stride != kPacked<T> && source.column_stride != 0;
  }

  static HWY_INLINE U* Bits(T* elements) { return reinterpret_cast<U*>(elements); }
  static HWY_INLINE const T* Elements(const std::byte* bytes) { return reinterpret_cast<const T*>(bytes); }

  // Part of a row: where it is packed, or in the buffer.
  static HWY_INLINE const T* FetchRow(const Source& from, size_t row, size_t column, size_t count,
                                      T* buffer) {
    if (from.column_stride == kPacked<T>) return Elements(from.At(row, column));
    Gather(from, row, 1, column, count, Bits(buffer));
    return buffer;
  }

  // Computes part of a row into the output, by way of the buffer if that is not packed.
  HWY_INLINE void StoreRow(const T* a, const T* b, bool scalar_b, size_t row, size_t column, size_t count,
                           T* buffer) const {
    const bool packed = out_.column_stride == kPacked<T>;
    auto* to = packed ? reinterpret_cast<T*>(const_cast<std::byte*>(out_.At(row, column))) : buffer;
    if (scalar_b) {
      RunPacked<Math, true>(math_, a, b, to, count);
    } else {
      RunPacked<Math, false>(math_, a, b, to, count);
    }
    if (!packed) Scatter(Bits(buffer), row, 1, column, count, out_);
  }

  HWY_INLINE void RunLongRows() const {
    HWY_ALIGN T buffer_a[kBlock<T>];
    HWY_ALIGN T buffer_b[kBlock<T>];
    const bool scalar_b = b_.column_stride == 0;
    for (size_t row = 0; row < rows_; ++row) {
      for (size_t column = 0; column < columns_; column += kBlock<T>) {
        const size_t count = std::min(kBlock<T>, columns_ - column);
        const T* a = FetchRow(a_, row, column, count, buffer_a);
        const T* b = scalar_b ? Elements(b_.At(row, 0)) : FetchRow(b_, row, column, count, buffer_b);
        StoreRow(a, b, scalar_b, row, column, count, buffer_a);
      }
    }
  }

  // Rows that follow each other without a gap are as good as one.
  HWY_INLINE bool AreJoined(const Source& source) const {
    return source.column_stride == kPacked<T> &&
           source.row_stride == static_cast<ptrdiff_t>(columns_ * sizeof(T));
  }

  HWY_INLINE void RunShortRows() const {
    HWY_ALIGN T buffer_a[kBlock<T>];
    HWY_ALIGN T buffer_b[kBlock<T>];
    const size_t rows_at_once = kBlock<T> / columns_;
    const auto fetch = [&](const Source& from, size_t row, size_t rows, T* buffer) {
      if (AreJoined(from)) return Elements(from.At(row, 0));
      // Rows that are all the same one stay in the buffer.
      if (row == 0 || from.row_stride != 0) Gather(from, row, rows, 0, columns_, Bits(buffer));
      return static_cast<const T*>(buffer);
    };
    for (size_t row = 0; row < rows_; row += rows_at_once) {
      const size_t rows = std::min(rows_at_once, rows_ - row);
      const T* a = fetch(a_, row, rows, buffer_a);
      const T* b = fetch(b_, row, rows, buffer_b);
      if (AreJoined(out_)) {
        auto* to = reinterpret_cast<T*>(const_cast<std::byte*>(out_.At(row, 0)));
        RunPacked<Math, false>(math_, a, b, to, rows * columns_);
      } else {
        HWY_ALIGN T results[kBlock<T>];
        RunPacked<Math, false>(math_, a, b, results, rows * columns_);
        Scatter(Bits(results), row, rows, 0, columns_, out_);
      }
    }
  }

  // Part of the tile, as large as the first cache can hold twice.
  struct Square {
    size_t row;
    size_t rows;
    size_t column;
    size_t columns;
  };

  // No processor foresees steps as large as those between a square's lines, along its rows or, exchanged,
  // along its columns.
  HWY_INLINE void PrefetchNextSquare(const Source& from, const Square& at) const {
    const bool row_ends = at.column + kSquareColumns >= columns_;
    const size_t column = row_ends ? 0 : at.column + kSquareColumns;
    const size_t row = row_ends ? at.row + kSquareRows : at.row;
    if (column + kSquareColumns > columns_ || row + kSquareRows > rows_) return;
    const bool exchanged = IsExchanged(from);
    const size_t lines = exchanged ? kSquareColumns : kSquareRows;
    const size_t bytes = (exchanged ? kSquareRows : kSquareColumns) * sizeof(T);
    for (size_t line = 0; line < lines; ++line) {
      const std::byte* p = exchanged ? from.At(row, column + line) : from.At(row + line, column);
      for (size_t i = 0; i < bytes; i += 64) hwy::Prefetch(p + i);
    }
  }

  HWY_INLINE void FillSquare(const Source& from, const Square& at, T* square) const {
    if (IsExchanged(from) || from.column_stride == kPacked<T>) PrefetchNextSquare(from, at);
    if (IsExchanged(from)) {
      Transpose(from.At(at.row, at.column), from.column_stride, at.rows, at.columns, Bits(square),
                kSquareColumns);
    } else if (from.column_stride != kPacked<T>) {
      for (size_t r = 0; r < at.rows; ++r) {
        GatherRow(from.At(at.row + r, at.column), from.column_stride, at.columns,
                  Bits(square + r * kSquareColumns));
      }
    }
  }

  HWY_INLINE void StoreSquare(const T* square, const Square& at) const {
    for (size_t r = 0; r < at.rows; ++r) {
      const T* row = square + r * kSquareColumns;
      if (out_.column_stride != kPacked<T>) {
        Scatter(reinterpret_cast<const U*>(row), at.row + r, 1, at.column, at.columns, out_);
      } else {
        CopyRow(row, at.columns,
                reinterpret_cast<T*>(const_cast<std::byte*>(out_.At(at.row + r, at.column))));
      }
    }
  }

  // Past the caches if that is wanted and whole lines are written.
  HWY_INLINE void CopyRow(const T* row, size_t count, T* to) const {
    const hn::ScalableTag<T> d;
    constexpr size_t kLineBytes = 64;
    const bool whole_lines = reinterpret_cast<uintptr_t>(to) % kLineBytes == 0 && count == kSquareColumns;
    if (kStreams && stream_ && whole_lines) {
      for (size_t i = 0; i < kSquareColumns; i += hn::Lanes(d)) hn::Stream(hn::Load(d, row + i), d, to + i);
    } else {
      std::memcpy(to, row, count * sizeof(T));
    }
  }

  // All of a square is read before any of it is written: rows of tensors often lie a power of two apart, and
  // a processor takes a load for one of the store that it just made a page or more before.
  HWY_INLINE void RunSquares() const {
    HWY_ALIGN T square_a[kSquareRows * kSquareColumns];
    HWY_ALIGN T square_b[kSquareRows * kSquareColumns];
    const bool scalar_b = b_.column_stride == 0;
    Square at{};
    for (at.row = 0; at.row < rows_; at.row += kSquareRows) {
      at.rows = std::min(kSquareRows, rows_ - at.row);
      for (at.column = 0; at.column < columns_; at.column += kSquareColumns) {
        at.columns = std::min(kSquareColumns, columns_ - at.column);
        FillSquare(a_, at, square_a);
        if (!scalar_b) FillSquare(b_, at, square_b);
        for (size_t r = 0; r < at.rows; ++r) {
          T* to = square_a + r * kSquareColumns;
          const auto locate = [&](const Source& from, const T* square) {
            const bool packed = from.column_stride == kPacked<T>;
            return packed ? Elements(from.At(at.row + r, at.column)) : square + r * kSquareColumns;
          };
          if (scalar_b) {
            RunPacked<Math, true>(math_, locate(a_, square_a), Elements(b_.At(at.row + r, 0)), to,
                                  at.columns);
          } else {
            RunPacked<Math, false>(math_, locate(a_, square_a), locate(b_, square_b), to, at.columns);
          }
        }
        StoreSquare(square_a, at);
      }
    }
    if (kStreams && stream_) hwy::FlushStream();
  }

  const Math math_;
  const size_t rows_;
  const size_t columns_;
  const Source a_;
  const Source b_;
  const Source out_;
  const bool stream_;
};

template <class Math>
void RunStridedTile(const Tile& tile) noexcept {
  StridedTile<Math>(tile).Run();
}

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
