// Running a chain of rows in registers: eight vectors go from stage to stage, each of which calls the next
// with what it computed. Eight are as many as calling conventions keep in registers, and enough to fill the
// time that one of them waits for its arithmetic. GCC passes them in registers and makes the call a jump;
// Clang passes vectors longer than 16 bytes in memory, which costs speed. Included once per target.

// Per-target include guard
#if defined(RESIDUE_CPU_ROWS_CHAIN_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RESIDUE_CPU_ROWS_CHAIN_INL_H_
#undef RESIDUE_CPU_ROWS_CHAIN_INL_H_
#else
#define RESIDUE_CPU_ROWS_CHAIN_INL_H_
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>

#include "cpu/rows/chain.h"
#include "cpu/rows/row_loop-inl.h"
#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Stages hand on bits, so that functors on numbers and on bits of one size can follow each other.
template <class DU, class V = hn::Vec<DU>>
using Stage = void (*)(V x0, V x1, V x2, V x3, V x4, V x5, V x6, V x7, const ChainLink* link,
                       const ChainLink* last, hn::TFromD<DU>* out, bool stream);
template <class DU>
HWY_INLINE Stage<DU> StageOf(const ChainLink* link) {
  return reinterpret_cast<Stage<DU>>(link->stage);
}

// Elements that take a turn together.
template <class DU>
HWY_INLINE size_t Turn() {
  return 8 * hn::Lanes(DU());
}

template <class DU, class V = hn::Vec<DU>>
HWY_INLINE void StoreTurn(V x0, V x1, V x2, V x3, V x4, V x5, V x6, V x7, hn::TFromD<DU>* out, bool stream) {
  const DU du;
  const size_t lanes = hn::Lanes(du);
  if constexpr (kStreams) {
    if (stream) {
      hn::Stream(x0, du, out);
      hn::Stream(x1, du, out + lanes);
      hn::Stream(x2, du, out + 2 * lanes);
      hn::Stream(x3, du, out + 3 * lanes);
      hn::Stream(x4, du, out + 4 * lanes);
      hn::Stream(x5, du, out + 5 * lanes);
      hn::Stream(x6, du, out + 6 * lanes);
      hn::Stream(x7, du, out + 7 * lanes);
      return;
    }
  }
  hn::StoreU(x0, du, out);
  hn::StoreU(x1, du, out + lanes);
  hn::StoreU(x2, du, out + 2 * lanes);
  hn::StoreU(x3, du, out + 3 * lanes);
  hn::StoreU(x4, du, out + 4 * lanes);
  hn::StoreU(x5, du, out + 5 * lanes);
  hn::StoreU(x6, du, out + 6 * lanes);
  hn::StoreU(x7, du, out + 7 * lanes);
}

template <class Math>
concept HasRaw = requires(const Math& math, typename Math::Tag d, hn::Vec<typename Math::Tag> v) {
  math.Raw(d, v);
};

template <bool kRaw, class Math, class DU, class V = hn::Vec<DU>>
HWY_INLINE V ComputeLink(const Math& math, DU du, V x) {
  const typename Math::Tag d;
  if constexpr (kRaw) {
    return hn::BitCast(du, math.Raw(d, hn::BitCast(d, x)));
  } else {
    return hn::BitCast(du, math(d, hn::BitCast(d, x)));
  }
}

template <class Math, bool kRaw, class DU = hn::RebindToUnsigned<typename Math::Tag>, class V = hn::Vec<DU>>
void RunStage(V x0, V x1, V x2, V x3, V x4, V x5, V x6, V x7, const ChainLink* link, const ChainLink* last,
              hn::TFromD<DU>* out, bool stream) {
  const DU du;
  const Math math = MakeMath<Math>(link->params);
  x0 = ComputeLink<kRaw>(math, du, x0);
  x1 = ComputeLink<kRaw>(math, du, x1);
  x2 = ComputeLink<kRaw>(math, du, x2);
  x3 = ComputeLink<kRaw>(math, du, x3);
  x4 = ComputeLink<kRaw>(math, du, x4);
  x5 = ComputeLink<kRaw>(math, du, x5);
  x6 = ComputeLink<kRaw>(math, du, x6);
  x7 = ComputeLink<kRaw>(math, du, x7);
  if (link == last) return StoreTurn<DU>(x0, x1, x2, x3, x4, x5, x6, x7, out, stream);
  ++link;
  return StageOf<DU>(link)(x0, x1, x2, x3, x4, x5, x6, x7, link, last, out, stream);
}

// One turn, beginning at element i.
template <class DU, class T = hn::TFromD<DU>>
HWY_INLINE void RunTurn(const ChainLink* first, const ChainLink* last, const T* in, T* out, size_t i,
                        bool stream) {
  const DU du;
  const size_t lanes = hn::Lanes(du);
  const T* from = in + i;
  StageOf<DU>(first)(hn::LoadU(du, from), hn::LoadU(du, from + lanes), hn::LoadU(du, from + 2 * lanes),
                     hn::LoadU(du, from + 3 * lanes), hn::LoadU(du, from + 4 * lanes),
                     hn::LoadU(du, from + 5 * lanes), hn::LoadU(du, from + 6 * lanes),
                     hn::LoadU(du, from + 7 * lanes), first, last, out + i, stream);
}

// Asks for the input of a later turn. With much arithmetic between loads, a processor does not ask for it
// early enough by itself.
template <class DU, class T = hn::TFromD<DU>>
HWY_INLINE void PrefetchTurn(const T* from) {
  if constexpr (kStreams) {
    for (size_t k = 0; k < Turn<DU>(); k += kLineBytes / sizeof(T)) hwy::Prefetch(from + k);
  }
}

// Whole turns.
template <class DU, class T = hn::TFromD<DU>>
HWY_INLINE void RunTurns(const ChainParams& chain, const T* in, T* out, size_t count) {
  constexpr size_t kAhead = 2048 / sizeof(T);
  const ChainLink* last = chain.links + chain.count - 1;
  for (size_t i = 0; i < count; i += Turn<DU>()) {
    PrefetchTurn<DU>(in + i + kAhead);
    RunTurn<DU>(chain.links, last, in, out, i, false);
  }
}

// As StreamVectors does: whole windows, whose halves take turns; `out` is aligned to a line.
template <class DU, class T = hn::TFromD<DU>>
HWY_INLINE void StreamTurns(const ChainParams& chain, const T* in, T* out, size_t count, size_t window) {
  const ChainLink* last = chain.links + chain.count - 1;
  const size_t half = window / 2;
  for (size_t begin = 0; begin < count; begin += window) {
    for (size_t turn = begin; turn < begin + half; turn += Turn<DU>()) {
      HWY_UNROLL(1)
      for (size_t i = turn; i < begin + window; i += half) {
        PrefetchTurn<DU>(in + i + window);
        RunTurn<DU>(chain.links, last, in, out, i, true);
      }
    }
  }
}

// One row after the other, each in the place of the one before, in pieces that stay in the first cache.
inline Exceptions RunLinks(const ChainParams& chain, const Row& row, size_t begin,
                           size_t element_bytes) noexcept {
  constexpr size_t kPieceBytes = 4096;
  Exceptions found = kNoException;
  Row part = row;
  part.stream = false;
  for (size_t i = begin; i < row.count; i += part.count) {
    part.count = std::min(kPieceBytes / element_bytes, row.count - i);
    part.in[0] = static_cast<const std::byte*>(row.in[0]) + ((row.single & 1) != 0 ? 0 : i * element_bytes);
    part.out = static_cast<std::byte*>(row.out) + i * element_bytes;
    part.single = row.single;
    for (uint32_t k = 0; k < chain.count; ++k) {
      part.params = chain.links[k].params;
      found |= chain.links[k].run(part);
      part.in[0] = part.out;
      part.single = 0;
    }
  }
  return found;
}

// The row that a chain is.
template <class DU>
Exceptions RunChain(const Row& row) noexcept {
  using T = hn::TFromD<DU>;
  const auto chain = ReadParams<ChainParams>(row.params);
  if (row.detect || (row.single & 1) != 0) return RunLinks(chain, row, 0, sizeof(T));
  const auto* in = static_cast<const T*>(row.in[0]);
  auto* out = static_cast<T*>(row.out);
  const size_t turn = Turn<DU>();
  size_t done = 0;
  if constexpr (kStreams) {
    static_assert(kStreamWindow<T> % (16 * hn::MaxLanes(DU())) == 0);  // two turns
    const Streamed streamed = row.stream ? FindStreamed(out, row.count, 2 * turn) : Streamed{};
    if (streamed.count != 0) {
      Row first = row;
      first.count = streamed.head;
      RunLinks(chain, first, 0, sizeof(T));
      StreamTurns<DU>(chain, in + streamed.head, out + streamed.head, streamed.count, streamed.window);
      done = streamed.head + streamed.count;
    }
  }
  const size_t turns = (row.count - done) / turn * turn;
  RunTurns<DU>(chain, in + done, out + done, turns);
  return RunLinks(chain, row, done + turns, sizeof(T));
}

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
