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

// Eight vectors a turn keep both load ports and the store port busy.
template <bool kScalar, bool kStream>
void AddLoop(const float* HWY_RESTRICT a, const float* HWY_RESTRICT b, float* HWY_RESTRICT out,
             size_t count) {
  const hn::ScalableTag<float> d;
  const size_t lanes = hn::Lanes(d);
  const auto scalar = hn::Set(d, b[0]);
  for (size_t i = 0; i + 8 * lanes <= count; i += 8 * lanes) {
    for (size_t k = 0; k < 8; ++k) {
      const size_t at = i + k * lanes;
      const auto sum = hn::Add(hn::Load(d, a + at), kScalar ? scalar : hn::Load(d, b + at));
      if (kStream) {
        hn::Stream(sum, d, out + at);
      } else {
        hn::Store(sum, d, out + at);
      }
    }
  }
  if (kStream) hwy::FlushStream();
}

// Two pages by turns, the inputs asked for one window ahead: where the arithmetic is nothing, this is no
// faster than the plain order on some machines and a tenth faster on others.
template <bool kScalar>
void AddPages(const float* HWY_RESTRICT a, const float* HWY_RESTRICT b, float* HWY_RESTRICT out,
              size_t count) {
  const hn::ScalableTag<float> d;
  constexpr size_t kPage = 4096 / sizeof(float);
  constexpr size_t kLine = 64 / sizeof(float);
  const auto scalar = hn::Set(d, b[0]);
  for (size_t window = 0; window + 2 * kPage <= count; window += 2 * kPage) {
    const size_t ahead = window + 4 * kPage <= count ? 2 * kPage : 0;
    for (size_t line = 0; line < kPage; line += kLine) {
      for (size_t page = 0; page < 2 * kPage; page += kPage) {
        const size_t i = window + page + line;
        hwy::Prefetch(a + i + ahead);
        if (!kScalar) hwy::Prefetch(b + i + ahead);
        for (size_t k = i; k < i + kLine; k += hn::Lanes(d)) {
          hn::Stream(hn::Add(hn::Load(d, a + k), kScalar ? scalar : hn::Load(d, b + k)), d, out + k);
        }
      }
    }
  }
  hwy::FlushStream();
}

void AddBytes(const float* a, const float* b, float* out, size_t count, bool scalar_b, Store store) {
  switch (store) {
    case Store::kPlain:
      return scalar_b ? AddLoop<true, false>(a, b, out, count) : AddLoop<false, false>(a, b, out, count);
    case Store::kStreaming:
      return scalar_b ? AddLoop<true, true>(a, b, out, count) : AddLoop<false, true>(a, b, out, count);
    case Store::kStreamingPages:
      return scalar_b ? AddPages<true>(a, b, out, count) : AddPages<false>(a, b, out, count);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace residue::bench
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace residue::bench {

HWY_EXPORT(AddBytes);

void Add(const std::byte* a, const std::byte* b, std::byte* out, std::size_t bytes, bool scalar_b,
         Store store) {
  HWY_DYNAMIC_DISPATCH(AddBytes)
  (reinterpret_cast<const float*>(a), reinterpret_cast<const float*>(b), reinterpret_cast<float*>(out),
   bytes / sizeof(float), scalar_b, store);
}

}  // namespace residue::bench
#endif
