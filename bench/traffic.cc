#include "traffic.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "traffic.cc"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <utility>

HWY_BEFORE_NAMESPACE();
namespace residue::bench {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Bytes = hn::ScalableTag<uint8_t>;
constexpr size_t kLine = 64;
constexpr size_t kPage = 4096;

// As many elements as fill a line of the smallest operand; the others have more lines for them.
template <size_t kOut, size_t... kIn>
struct Turn {
  static constexpr size_t kSmallest = std::min({kOut, kIn...});
  static constexpr size_t kElements = kLine / kSmallest;
  static constexpr size_t kPageElements = kPage / std::max({kOut, kIn...});

  // Bytes `at` to `at` + one vector of the results, and what they are made of.
  template <size_t kBytes>
  static HWY_INLINE hn::Vec<Bytes> Read(const uint8_t* in, size_t at) {
    const Bytes d;
    if constexpr (kBytes <= kOut) return hn::Load(d, in + at / (kOut / kBytes) / hn::Lanes(d) * hn::Lanes(d));
    auto all = hn::Zero(d);
    for (size_t k = 0; k < kBytes / kOut; ++k) {
      all = hn::Or(all, hn::Load(d, in + at * (kBytes / kOut) + k * hn::Lanes(d)));
    }
    return all;
  }

  template <bool kStream, size_t... k>
  static HWY_INLINE void Run(const uint8_t* const* in, uint8_t* out, size_t element,
                             std::index_sequence<k...>) {
    const Bytes d;
    for (size_t at = 0; at < kElements * kOut; at += hn::Lanes(d)) {
      auto all = hn::Zero(d);
      ((all = hn::Or(all, Read<kIn>(in[k] + element * kIn, at))), ...);
      if constexpr (kStream) {
        hn::Stream(all, d, out + element * kOut + at);
      } else {
        hn::Store(all, d, out + element * kOut + at);
      }
    }
  }

  template <size_t... k>
  static HWY_INLINE void Ask(const uint8_t* const* in, size_t element, std::index_sequence<k...>) {
    const auto ask = [&](const uint8_t* first, size_t bytes) {
      for (size_t i = 0; i < bytes; i += kLine) hwy::Prefetch(first + i);
    };
    (ask(in[k] + element * kIn, kElements * kIn), ...);
  }

  template <bool kStream>
  static void Straight(const uint8_t* const* in, uint8_t* out, size_t count) {
    constexpr auto kAll = std::make_index_sequence<sizeof...(kIn)>();
    for (size_t i = 0; i < count; i += 4 * kElements) {
      for (size_t k = 0; k < 4; ++k) Run<kStream>(in, out, i + k * kElements, kAll);
    }
  }

  // Two pages by turns, and the inputs asked for a window ahead.
  static void Pages(const uint8_t* const* in, uint8_t* out, size_t count) {
    constexpr auto kAll = std::make_index_sequence<sizeof...(kIn)>();
    constexpr size_t kWindow = 2 * kPageElements;
    for (size_t window = 0; window < count; window += kWindow) {
      const size_t ahead = window + 2 * kWindow <= count ? kWindow : 0;
      for (size_t i = window; i < window + kPageElements; i += kElements) {
        for (const size_t element : {i, i + kPageElements}) {
          Ask(in, element + ahead, kAll);
          Run<true>(in, out, element, kAll);
        }
      }
    }
  }

  static void Choose(const uint8_t* const* in, uint8_t* out, size_t count, Store store) {
    switch (store) {
      case Store::kPlain:
        return Straight<false>(in, out, count);
      case Store::kStreaming:
        Straight<true>(in, out, count);
        break;
      case Store::kStreamingPages:
        Pages(in, out, count);
        break;
    }
    hwy::FlushStream();
  }
};

// Operators have a type for inputs and one for results, so that at most two sizes occur.
template <size_t kOut, size_t... kIn>
constexpr bool AreTwoSizes() {
  constexpr size_t kSmallest = std::min({kOut, kIn...});
  constexpr size_t kLargest = std::max({kOut, kIn...});
  return sizeof...(kIn) != 0 && (kOut == kSmallest || kOut == kLargest) &&
         ((kIn == kSmallest || kIn == kLargest) && ...);
}

using Loop = void (*)(const uint8_t* const* in, uint8_t* out, size_t count, Store store);

// Inputs come with the smallest elements first. Their order makes no difference to memory, and there are
// half as many loops.
template <size_t kOut, size_t kLeast, size_t... kIn>
Loop FindByInputs(std::span<const Stream> left) {
  if (left.empty()) {
    if constexpr (AreTwoSizes<kOut, kIn...>()) return &Turn<kOut, kIn...>::Choose;
  } else if constexpr (sizeof...(kIn) < 3) {
    const size_t bytes = left[0].element_bytes;
    if constexpr (kLeast <= 1) {
      if (bytes == 1) return FindByInputs<kOut, 1, kIn..., 1>(left.subspan(1));
    }
    if constexpr (kLeast <= 2) {
      if (bytes == 2) return FindByInputs<kOut, 2, kIn..., 2>(left.subspan(1));
    }
    if constexpr (kLeast <= 4) {
      if (bytes == 4) return FindByInputs<kOut, 4, kIn..., 4>(left.subspan(1));
    }
    if (bytes == 8) return FindByInputs<kOut, 8, kIn..., 8>(left.subspan(1));
  }
  return nullptr;
}

Loop FindLoop(std::span<const Stream> inputs, size_t out_bytes) {
  switch (out_bytes) {
    case 1:
      return FindByInputs<1, 1>(inputs);
    case 2:
      return FindByInputs<2, 1>(inputs);
    case 4:
      return FindByInputs<4, 1>(inputs);
    case 8:
      return FindByInputs<8, 1>(inputs);
  }
  return nullptr;
}

bool MoveBytes(std::span<const Stream> inputs, const Stream& output, size_t count, Store store) {
  const Loop loop = FindLoop(inputs, output.element_bytes);
  if (loop == nullptr) return false;
  const uint8_t* in[3] = {};
  for (size_t k = 0; k < inputs.size(); ++k) in[k] = reinterpret_cast<const uint8_t*>(inputs[k].at);
  loop(in, reinterpret_cast<uint8_t*>(output.at), count, store);
  return true;
}

}  // namespace HWY_NAMESPACE
}  // namespace residue::bench
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace residue::bench {

HWY_EXPORT(MoveBytes);

constexpr std::size_t kMostInputs = 3;

bool Move(std::span<const Stream> inputs, const Stream& output, std::size_t count, Store store) {
  Stream sorted[kMostInputs];
  if (inputs.size() > kMostInputs) return false;
  std::ranges::copy(inputs, sorted);
  const std::span<Stream> smallest_first(sorted, inputs.size());
  std::ranges::sort(smallest_first, {}, &Stream::element_bytes);
  return HWY_DYNAMIC_DISPATCH(MoveBytes)(smallest_first, output, count, store);
}

}  // namespace residue::bench
#endif
