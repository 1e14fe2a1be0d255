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
#include <cstddef>
#include <cstdint>

#include "cpu/rows/chain.h"
#include "cpu/rows/exception_flags.h"
#include "cpu/rows/partial-inl.h"
#include "cpu/rows/row_loop-inl.h"
#include "cpu/rows/target-inl.h"

RESIDUE_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A link on the elements of one row.
struct StageLink {
  StageFn stage;
  const void* params;
  const std::byte* side;  // what it reads besides, or a vector of copies if that is one element for all
  size_t side_bytes;      // from one element to the next
};

// Stages hand on bits, so that functors on numbers and on bits of one size can follow each other. The vectors
// begin with element `at` of the row.
template <class DU, class V = hn::Vec<DU>>
using Stage = void (*)(V x0, V x1, V x2, V x3, V x4, V x5, V x6, V x7, const StageLink* link,
                       const StageLink* last, hn::TFromD<DU>* out, size_t at, bool stream);
template <class DU>
HWY_INLINE Stage<DU> StageOf(const StageLink* link) {
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

// Stores what the last link computed, or hands it on to the next.
template <class DU, class V = hn::Vec<DU>>
HWY_INLINE void HandOn(V x0, V x1, V x2, V x3, V x4, V x5, V x6, V x7, const StageLink* link,
                       const StageLink* last, hn::TFromD<DU>* out, size_t at, bool stream) {
  if (link == last) return StoreTurn<DU>(x0, x1, x2, x3, x4, x5, x6, x7, out, stream);
  ++link;
  return StageOf<DU>(link)(x0, x1, x2, x3, x4, x5, x6, x7, link, last, out, at, stream);
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
void RunStage(V x0, V x1, V x2, V x3, V x4, V x5, V x6, V x7, const StageLink* link, const StageLink* last,
              hn::TFromD<DU>* out, size_t at, bool stream) {
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
  return HandOn<DU>(x0, x1, x2, x3, x4, x5, x6, x7, link, last, out, at, stream);
}

// The same of a light functor of one or two inputs.
template <class Math, class DU = hn::RebindToUnsigned<typename Math::Tag>, class V = hn::Vec<DU>>
void RunLightStage(V x0, V x1, V x2, V x3, V x4, V x5, V x6, V x7, const StageLink* link,
                   const StageLink* last, hn::TFromD<DU>* out, size_t at, bool stream) {
  const DU du;
  const Math math = MakeMath<Math>(link->params);
  const std::byte* side = link->side + at * link->side_bytes;
  const size_t next = hn::Lanes(du) * link->side_bytes;
  x0 = Math::ComputeBits(math, du, x0, side);
  x1 = Math::ComputeBits(math, du, x1, side + next);
  x2 = Math::ComputeBits(math, du, x2, side + 2 * next);
  x3 = Math::ComputeBits(math, du, x3, side + 3 * next);
  x4 = Math::ComputeBits(math, du, x4, side + 4 * next);
  x5 = Math::ComputeBits(math, du, x5, side + 5 * next);
  x6 = Math::ComputeBits(math, du, x6, side + 6 * next);
  x7 = Math::ComputeBits(math, du, x7, side + 7 * next);
  return HandOn<DU>(x0, x1, x2, x3, x4, x5, x6, x7, link, last, out, at, stream);
}

// A chain on the elements of one row.
template <class DU>
class ChainRun {
 public:
  using T = hn::TFromD<DU>;

  ChainRun(const ChainParams& chain, const Row& row)
      : row_(row), in_(static_cast<const T*>(row.in[0])), out_(static_cast<T*>(row.out)) {
    const DU du;
    for (uint32_t k = 1; k < chain.inputs; ++k) {
      if (IsSingle(k)) hn::StoreU(hn::Set(du, LoadScalar(static_cast<const T*>(row.in[k]))), du, copies_[k]);
      if (!IsSingle(k)) also_[also_count_++] = static_cast<const T*>(row.in[k]);
    }
    for (uint32_t i = 0; i < chain.count; ++i) {
      const ChainLink& link = chain.links[i];
      const uint8_t side = link.side == kNoSide ? 0 : link.side;
      const void* from = IsSingle(side) ? copies_[side] : row.in[side];
      links_[i] = {link.stage, link.params, static_cast<const std::byte*>(from),
                   IsSingle(side) ? 0 : sizeof(T)};
    }
    last_ = links_ + chain.count - 1;
  }
  ChainRun(const ChainRun&) = delete;
  ChainRun& operator=(const ChainRun&) = delete;

  // Whole turns.
  HWY_INLINE void RunTurns(size_t begin, size_t end) const {
    constexpr size_t kAhead = 2048 / sizeof(T);
    for (size_t i = begin; i < end; i += Turn<DU>()) {
      AskFor(i + kAhead);
      RunTurn(i, false);
    }
  }

  // As StreamVectors does: whole windows, whose halves take turns; the output is aligned to a line.
  HWY_INLINE void StreamTurns(size_t begin, size_t end, size_t window) const {
    const size_t half = window / 2;
    for (; begin < end; begin += window) {
      for (size_t turn = begin; turn < begin + half; turn += Turn<DU>()) {
        HWY_UNROLL(1)
        for (size_t i = turn; i < begin + window; i += half) {
          AskFor(i + window);
          RunTurn(i, true);
        }
      }
    }
  }

 private:
  bool IsSingle(uint32_t input) const { return (row_.single >> input & 1) != 0; }

  // One turn, beginning at element i.
  HWY_INLINE void RunTurn(size_t i, bool stream) const {
    const DU du;
    const size_t lanes = hn::Lanes(du);
    const T* from = in_ + i;
    StageOf<DU>(links_)(hn::LoadU(du, from), hn::LoadU(du, from + lanes), hn::LoadU(du, from + 2 * lanes),
                        hn::LoadU(du, from + 3 * lanes), hn::LoadU(du, from + 4 * lanes),
                        hn::LoadU(du, from + 5 * lanes), hn::LoadU(du, from + 6 * lanes),
                        hn::LoadU(du, from + 7 * lanes), links_, last_, out_ + i, i, stream);
  }

  // Asks for the inputs of a later turn. With much arithmetic between loads, a processor does not ask for
  // them early enough by itself.
  HWY_INLINE void AskFor(size_t i) const {
    if constexpr (kStreams) {
      PrefetchTurn(in_ + i);
      for (uint32_t k = 0; k < also_count_; ++k) PrefetchTurn(also_[k] + i);
    }
  }
  static HWY_INLINE void PrefetchTurn(const T* from) {
    for (size_t k = 0; k < Turn<DU>(); k += kLineBytes / sizeof(T)) hwy::Prefetch(from + k);
  }

  const Row& row_;
  const T* in_;
  T* out_;
  const T* also_[kMostInputs] = {};  // the other inputs that are tensors
  uint32_t also_count_ = 0;
  StageLink links_[kMostLinks];
  const StageLink* last_;
  HWY_ALIGN T copies_[kMostInputs][kMostLanes<T>];
};

// One row after the other, in pieces that stay in the first cache. Only the last writes to the output, which
// may be one of the inputs.
inline Exceptions RunLinks(const ChainParams& chain, const Row& row, size_t begin,
                           size_t element_bytes) noexcept {
  constexpr size_t kPieceBytes = 2048;
  alignas(kLineBytes) std::byte piece[kPieceBytes];
  Exceptions found = kNoException;
  const auto at = [&](uint32_t input, size_t i) {
    const bool single = (row.single >> input & 1) != 0;
    return static_cast<const std::byte*>(row.in[input]) + (single ? 0 : i * element_bytes);
  };
  Row part = row;
  part.stream = false;
  for (size_t i = begin; i < row.count; i += part.count) {
    part.count = std::min(kPieceBytes / element_bytes, row.count - i);
    for (uint32_t k = 0; k < chain.count; ++k) {
      const ChainLink& link = chain.links[k];
      const uint8_t side = link.side == kNoSide ? 0 : link.side;
      part.in[0] = k == 0 ? at(0, i) : piece;
      part.in[1] = at(side, i);
      part.single = static_cast<uint8_t>((k == 0 ? row.single & 1 : 0) | (row.single >> side & 1) << 1);
      part.out = k + 1 == chain.count ? static_cast<std::byte*>(row.out) + i * element_bytes : piece;
      part.params = link.params;
      found |= link.run(part);
    }
  }
  return found;
}

// Whole turns, and what they raise if that is asked for.
template <class Turns>
HWY_INLINE Exceptions Watched(const Row& row, Turns&& turns) {
  if (!row.detect) {
    turns();
    return kNoException;
  }
  const ExceptionWatch watch;
  turns();
  return watch.Found();
}

// The row that a chain is.
template <class DU>
Exceptions RunChain(const Row& row) noexcept {
  using T = hn::TFromD<DU>;
  const auto chain = ReadParams<ChainParams>(row.params);
  const size_t turn = Turn<DU>();
  const bool looks = row.detect && !chain.watched;
  if (looks || (row.single & 1) != 0 || row.count < turn) return RunLinks(chain, row, 0, sizeof(T));
  const ChainRun<DU> run(chain, row);
  Exceptions found = kNoException;
  size_t done = 0;
  if constexpr (kStreams) {
    static_assert(kStreamWindow<T> % (16 * hn::MaxLanes(DU())) == 0);  // two turns
    const Streamed streamed =
        row.stream ? FindStreamed(static_cast<T*>(row.out), row.count, 2 * turn) : Streamed{};
    if (streamed.count != 0) {
      Row first = row;
      first.count = streamed.head;
      found |= RunLinks(chain, first, 0, sizeof(T));
      done = streamed.head + streamed.count;
      found |= Watched(row, [&] { run.StreamTurns(streamed.head, done, streamed.window); });
    }
  }
  const size_t turns = (row.count - done) / turn * turn;
  found |= Watched(row, [&] { run.RunTurns(done, done + turns); });
  return found | RunLinks(chain, row, done + turns, sizeof(T));
}

}  // namespace HWY_NAMESPACE
}  // namespace residue
RESIDUE_AFTER_NAMESPACE();

#endif  // per-target include guard
