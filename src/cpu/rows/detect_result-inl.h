// Which exceptions the elements of a row have, seen from operands and results. Included once per target.
//
// The row is computed in pieces. What its operands were is kept meanwhile, because results may take their
// place. The usual answer, none, costs a look at the results: where all of them are finite, nothing happened.

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_DETECT_RESULT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_DETECT_RESULT_INL_H_
#undef RESIDUE_CPU_ROWS_DETECT_RESULT_INL_H_
#else
#define RESIDUE_CPU_ROWS_DETECT_RESULT_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/exceptions.h"
#include "cpu/rows/detect-inl.h"
#include "cpu/rows/partial-inl.h"
#include "cpu/rows/row.h"
#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Of all operands.
inline constexpr size_t kKeptBytes = 1024;

template <class R>
HWY_INLINE bool AreFinite(const R* results, size_t count) {
  const hn::ScalableTag<R> d;
  const size_t lanes = hn::Lanes(d);
  const auto absolute = hn::Set(d, Magnitudes<R>::kAbsolute);
  auto largest = hn::Zero(d);
  size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    largest = hn::Max(largest, hn::And(hn::LoadU(d, results + i), absolute));
  }
  if (i < count) {
    largest = hn::Max(largest, hn::And(LoadFew(d, results + i, false, count - i), absolute));
  }
  return hn::AllTrue(d, hn::Lt(largest, hn::Set(d, Magnitudes<R>::kInfinity)));
}

// U and R hold the bits of operands and results. An operator of one operand gives it twice.
template <class U, class R>
HWY_NOINLINE Exceptions CompareResults(const U* a, const U* b, const R* results, size_t count,
                                       bool has_poles) {
  if (HWY_LIKELY(AreFinite(results, count))) return kNoException;
  using In = Magnitudes<U>;
  using Out = Magnitudes<R>;
  Exceptions found = kNoException;
  for (size_t i = 0; i < count; ++i) {
    const auto x = static_cast<U>(a[i] & In::kAbsolute);
    const auto y = static_cast<U>(b[i] & In::kAbsolute);
    const auto result = static_cast<R>(LoadScalar(results + i) & Out::kAbsolute);
    const bool of_nan = x > In::kInfinity || y > In::kInfinity;
    const bool signalling = (x > In::kInfinity && x < In::kQuiet) || (y > In::kInfinity && y < In::kQuiet);
    if (result > Out::kInfinity && (!of_nan || signalling)) found |= kInvalidOperation;
    if (result == Out::kInfinity && x < In::kInfinity && y < In::kInfinity) {
      found |= has_poles && (x == 0 || x == In::kOne) ? kDivisionByZero : kOverflow;
    }
  }
  return found;
}

// The sizes of elements tell their types, because all of them are floats.
HWY_INLINE Exceptions CompareBytes(const std::byte* a, const std::byte* b, size_t in_bytes,
                                   const std::byte* results, size_t out_bytes, size_t count, bool has_poles) {
  const auto compare = [&](auto in, auto out) {
    using U = decltype(in);
    using R = decltype(out);
    return CompareResults(reinterpret_cast<const U*>(a), reinterpret_cast<const U*>(b),
                          reinterpret_cast<const R*>(results), count, has_poles);
  };
  if (in_bytes == 8) return compare(uint64_t{}, uint64_t{});
  if (in_bytes == 2) return compare(uint16_t{}, uint16_t{});
  return out_bytes == 2 ? compare(uint32_t{}, uint16_t{}) : compare(uint32_t{}, uint32_t{});
}

// `run` computes a row whose exceptions nobody asks for, of one or two operands of one type.
HWY_NOINLINE inline Exceptions RunAndCompare(const Row& row, RowFn run, size_t inputs, size_t in_bytes,
                                             size_t out_bytes, bool has_poles) {
  HWY_ALIGN std::byte kept[kKeptBytes];
  const size_t share = kKeptBytes / inputs;
  Row piece = row;
  piece.detect = false;
  piece.stream = false;
  Exceptions found = kNoException;
  const size_t most = share / in_bytes;
  for (size_t first = 0; first < row.count; first += most) {
    piece.count = std::min(most, row.count - first);
    for (size_t k = 0; k < inputs; ++k) {
      const bool single = (row.single >> k & 1) != 0;
      const auto* from = static_cast<const std::byte*>(row.in[k]);
      if (!single) piece.in[k] = from += first * in_bytes;
      std::byte* copy = kept + k * share;
      for (size_t i = 0; single && i < piece.count; ++i) std::memcpy(copy + i * in_bytes, from, in_bytes);
      if (!single) std::memcpy(copy, from, piece.count * in_bytes);
    }
    auto* results = static_cast<std::byte*>(row.out) + first * out_bytes;
    piece.out = results;
    run(piece);
    found |=
        CompareBytes(kept, kept + (inputs - 1) * share, in_bytes, results, out_bytes, piece.count, has_poles);
  }
  return found;
}

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
