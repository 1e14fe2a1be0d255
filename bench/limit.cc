#include "limit.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "limit.cc"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace residue::bench {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// What is done with the vector of a that begins at element i.
struct AddTensor {
  const float* HWY_RESTRICT b;
  HWY_INLINE void Prefetch(size_t i) const { hwy::Prefetch(b + i); }
  template <class D, class V>
  HWY_INLINE V operator()(D d, size_t i, V a) const {
    return hn::Add(a, hn::Load(d, b + i));
  }
};
struct AddNumber {
  float b;
  HWY_INLINE void Prefetch(size_t) const {}
  template <class D, class V>
  HWY_INLINE V operator()(D d, size_t, V a) const {
    return hn::Add(a, hn::Set(d, b));
  }
};
struct ScaleNumber {
  float scale;
  float bias;
  HWY_INLINE void Prefetch(size_t) const {}
  template <class D, class V>
  HWY_INLINE V operator()(D d, size_t, V a) const {
    return hn::MulAdd(a, hn::Set(d, scale), hn::Set(d, bias));
  }
};

// Eight vectors a turn keep both load ports and the store port busy.
template <bool kStream, class Math>
void Loop(const float* HWY_RESTRICT a, Math math, float* HWY_RESTRICT out, size_t count) {
  const hn::ScalableTag<float> d;
  const size_t lanes = hn::Lanes(d);
  for (size_t i = 0; i + 8 * lanes <= count; i += 8 * lanes) {
    for (size_t k = 0; k < 8; ++k) {
      const size_t at = i + k * lanes;
      const auto result = math(d, at, hn::Load(d, a + at));
      if (kStream) {
        hn::Stream(result, d, out + at);
      } else {
        hn::Store(result, d, out + at);
      }
    }
  }
  if (kStream) hwy::FlushStream();
}

// Two pages by turns, the inputs asked for one window ahead: where the arithmetic is nothing, this is no
// faster than the plain order on some machines and a tenth faster on others.
template <class Math>
void Pages(const float* HWY_RESTRICT a, Math math, float* HWY_RESTRICT out, size_t count) {
  const hn::ScalableTag<float> d;
  constexpr size_t kPage = 4096 / sizeof(float);
  constexpr size_t kLine = 64 / sizeof(float);
  for (size_t window = 0; window + 2 * kPage <= count; window += 2 * kPage) {
    const size_t ahead = window + 4 * kPage <= count ? 2 * kPage : 0;
    for (size_t line = 0; line < kPage; line += kLine) {
      for (size_t page = 0; page < 2 * kPage; page += kPage) {
        const size_t i = window + page + line;
        hwy::Prefetch(a + i + ahead);
        math.Prefetch(i + ahead);
        for (size_t k = i; k < i + kLine; k += hn::Lanes(d)) {
          hn::Stream(math(d, k, hn::Load(d, a + k)), d, out + k);
        }
      }
    }
  }
  hwy::FlushStream();
}

template <class Math>
void Run(const float* a, Math math, float* out, size_t count, Store store) {
  switch (store) {
    case Store::kPlain:
      return Loop<false>(a, math, out, count);
    case Store::kStreaming:
      return Loop<true>(a, math, out, count);
    case Store::kStreamingPages:
      return Pages(a, math, out, count);
  }
}

void AddFloats(const float* a, const float* b, float* out, size_t count, bool scalar_b, Store store) {
  if (scalar_b) return Run(a, AddNumber{b[0]}, out, count, store);
  Run(a, AddTensor{b}, out, count, store);
}

void ScaleFloats(const float* a, float scale, float bias, float* out, size_t count, Store store) {
  Run(a, ScaleNumber{scale, bias}, out, count, store);
}

}  // namespace HWY_NAMESPACE
}  // namespace residue::bench
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace residue::bench {

HWY_EXPORT(AddFloats);
HWY_EXPORT(ScaleFloats);

void Add(const std::byte* a, const std::byte* b, std::byte* out, std::size_t bytes, bool scalar_b,
         Store store) {
  HWY_DYNAMIC_DISPATCH(AddFloats)
  (reinterpret_cast<const float*>(a), reinterpret_cast<const float*>(b), reinterpret_cast<float*>(out),
   bytes / sizeof(float), scalar_b, store);
}

void Scale(const std::byte* a, float scale, float bias, std::byte* out, std::size_t bytes, Store store) {
  HWY_DYNAMIC_DISPATCH(ScaleFloats)
  (reinterpret_cast<const float*>(a), scale, bias, reinterpret_cast<float*>(out), bytes / sizeof(float),
   store);
}

}  // namespace residue::bench
#endif
