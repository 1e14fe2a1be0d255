#include "limit.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "limit.cc"
#include <hwy/foreach_target.h>
#include <hwy/cache_control.h>
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

void AddBytes(const float* a, const float* b, float* out, size_t count, bool scalar_b, bool stream) {
  if (scalar_b) {
    stream ? AddLoop<true, true>(a, b, out, count) : AddLoop<true, false>(a, b, out, count);
  } else {
    stream ? AddLoop<false, true>(a, b, out, count) : AddLoop<false, false>(a, b, out, count);
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
   bytes / sizeof(float), scalar_b, store == Store::kStreaming);
}

}  // namespace residue::bench
#endif
