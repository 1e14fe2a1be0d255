// The functions of every target, and the lookup.
#include "cpu/access/access.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/access/access.cc"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/access/gather-inl.h"
#include "cpu/access/transpose-inl.h"

HWY_BEFORE_NAMESPACE();
namespace residue {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class U>
void Gather(const std::byte* from, ptrdiff_t stride, size_t count, std::byte* to) noexcept {
  GatherRow(from, stride, count, reinterpret_cast<U*>(to));
}

template <class U>
void Scatter(const std::byte* from, size_t count, std::byte* to, ptrdiff_t stride) noexcept {
  for (size_t i = 0; i < count; ++i, from += sizeof(U), to += stride) std::memcpy(to, from, sizeof(U));
}

template <class U>
void TransposeBlock(const std::byte* from, ptrdiff_t line_stride, size_t rows, size_t columns, std::byte* to,
                    size_t to_pitch) noexcept {
  Transpose(from, line_stride, rows, columns, reinterpret_cast<U*>(to), to_pitch / sizeof(U));
}

void StreamRows(const std::byte* from, size_t from_pitch, size_t rows, size_t bytes, std::byte* to,
                ptrdiff_t to_stride) noexcept {
  for (size_t r = 0; r < rows; ++r, from += from_pitch, to += to_stride) {
#if HWY_ARCH_X86 && HWY_NATIVE_FMA
    constexpr size_t kLineBytes = 64;
    if (bytes % kLineBytes == 0 && reinterpret_cast<uintptr_t>(to) % kLineBytes == 0) {
      const hn::ScalableTag<uint64_t> d;
      const auto* words = reinterpret_cast<const uint64_t*>(from);
      auto* target = reinterpret_cast<uint64_t*>(to);
      for (size_t i = 0; i < bytes / sizeof(uint64_t); i += hn::Lanes(d)) {
        hn::Stream(hn::LoadU(d, words + i), d, target + i);
      }
      continue;
    }
#endif
    std::memcpy(to, from, bytes);
  }
}

template <class U>
constexpr Access kAccess = {&Gather<U>, &Scatter<U>, &TransposeBlock<U>, &StreamRows};

const Access* AccessOfSize(size_t element_size) noexcept {
  switch (element_size) {
    case 1:
      return &kAccess<uint8_t>;
    case 2:
      return &kAccess<uint16_t>;
    case 4:
      return &kAccess<uint32_t>;
    default:
      return &kAccess<uint64_t>;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace residue
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <array>
#include <bit>
#include <cstring>

#include "cpu/rows/dispatch.h"

namespace residue {
namespace {

RESIDUE_DEFINE_FINDER(const Access*, FindAccessOnTarget, size_t, AccessOfSize)

// Where a build has no portable code of Highway's and the reference is wanted.
namespace plain {

template <size_t kSize>
void Gather(const std::byte* from, ptrdiff_t stride, size_t count, std::byte* to) noexcept {
  for (size_t i = 0; i < count; ++i, from += stride, to += kSize) std::memcpy(to, from, kSize);
}

template <size_t kSize>
void Scatter(const std::byte* from, size_t count, std::byte* to, ptrdiff_t stride) noexcept {
  for (size_t i = 0; i < count; ++i, from += kSize, to += stride) std::memcpy(to, from, kSize);
}

template <size_t kSize>
void Transpose(const std::byte* from, ptrdiff_t line_stride, size_t rows, size_t columns, std::byte* to,
               size_t to_pitch) noexcept {
  for (size_t column = 0; column < columns; ++column) {
    const std::byte* line = from + static_cast<ptrdiff_t>(column) * line_stride;
    for (size_t row = 0; row < rows; ++row) {
      std::memcpy(to + row * to_pitch + column * kSize, line + row * kSize, kSize);
    }
  }
}

void CopyRows(const std::byte* from, size_t from_pitch, size_t rows, size_t bytes, std::byte* to,
              ptrdiff_t to_stride) noexcept {
  for (size_t r = 0; r < rows; ++r, from += from_pitch, to += to_stride) std::memcpy(to, from, bytes);
}

template <size_t kSize>
constexpr Access kAccess = {&Gather<kSize>, &Scatter<kSize>, &Transpose<kSize>, &CopyRows};

constexpr const Access* kBySize[] = {&kAccess<1>, &kAccess<2>, &kAccess<4>, &kAccess<8>};

}  // namespace plain

const Access* SearchAccess(size_t element_size, Target max) noexcept {
  for (const Target target : SupportedTargets()) {
    if (target > max) continue;
    if (const Access* found = FindAccessOnTarget(element_size, target); found != nullptr) return found;
  }
  return plain::kBySize[std::countr_zero(element_size)];
}

}  // namespace

const Access& FindAccess(size_t element_size, Target max) noexcept {
  static const auto kBest = [] {
    std::array<const Access*, 4> best{};
    for (size_t i = 0; i < best.size(); ++i) best[i] = SearchAccess(size_t{1} << i, BestTarget());
    return best;
  }();
  const auto index = static_cast<size_t>(std::countr_zero(element_size));
  return max == BestTarget() ? *kBest[index] : *SearchAccess(element_size, max);
}

void FlushStreams() noexcept { hwy::FlushStream(); }

}  // namespace residue
#endif
