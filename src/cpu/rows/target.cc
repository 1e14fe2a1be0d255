#include "cpu/rows/target.h"

#include <hwy/targets.h>
#if HWY_ARCH_X86
#include <cpuid.h>
#endif

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cpu/rows/compiler.h"

namespace residue {
namespace {

struct TargetEntry {
  Target target;
  int64_t highway_bit;  // 0: always available
  const char* name;
};

// Best first.
constexpr TargetEntry kTargets[] = {
    {Target::kSve, HWY_SVE, "SVE"},
    {Target::kNeon, HWY_NEON, "NEON"},
    {Target::kAvx3Spr, HWY_AVX3_DL, "AVX3_SPR"},
    {Target::kAvx3, HWY_AVX3, "AVX3"},
    {Target::kAvx2, HWY_AVX2, "AVX2"},
    {Target::kSse4, HWY_SSE4, "SSE4"},
    {Target::kEmu128, HWY_EMU128, "EMU128"},
    {Target::kScalar, HWY_SCALAR, "SCALAR"},
    {Target::kReference, 0, "REFERENCE"},
};

struct TargetList {
  std::array<Target, std::size(kTargets)> targets;
  size_t count;
};

// Highway 1.0.3 does not ask for AVX512-FP16.
bool HasFp16() noexcept {
#if RESIDUE_HAVE_AVX3_SPR
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) != 0 && (edx & (1u << 23)) != 0;
#else
  return false;
#endif
}

TargetList FindSupportedTargets() noexcept {
  // AVX3_DL is ours only together with FP16, and not in a build without SIMD or without its rows.
  constexpr int64_t kLeftOut = RESIDUE_DISABLED_TARGETS;
  const bool spr = (HWY_TARGETS & HWY_AVX3) != 0 && (kLeftOut & HWY_AVX3_DL) == 0 && HasFp16();
  const int64_t wanted = (HWY_TARGETS & ~int64_t{HWY_AVX3_DL}) | (spr ? int64_t{HWY_AVX3_DL} : 0);
  const int64_t available = hwy::SupportedTargets() & wanted;
  TargetList list{};
  for (const TargetEntry& entry : kTargets) {
    // Highway lists its portable code only where nothing better exists; it runs anywhere.
    const bool portable = (entry.highway_bit & HWY_TARGETS & (HWY_EMU128 | HWY_SCALAR)) != 0;
    if (entry.highway_bit == 0 || portable || (entry.highway_bit & available) != 0) {
      list.targets[list.count++] = entry.target;
    }
  }
  return list;
}

// What the environment says. A copy: programs may change it later.
struct MaxTarget {
  Target best;
  std::array<char, 64> unknown;  // the beginning of a name that no target has, and a zero
};

const MaxTarget& ReadMaxTarget() noexcept {
  static const MaxTarget read = [] {
    MaxTarget max{SupportedTargets().front(), {}};
    const char* name = std::getenv(kMaxTargetVariable);
    Target cap;
    if (name == nullptr) return max;
    if (!ParseTarget(name, &cap)) {
      std::strncpy(max.unknown.data(), name, max.unknown.size() - 1);
      return max;
    }
    // The last one, kReference, is no better than any.
    max.best = *std::ranges::find_if(SupportedTargets(), [cap](Target target) { return target <= cap; });
    return max;
  }();
  return read;
}

constexpr char ToUpper(char c) noexcept { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }

}  // namespace

std::span<const Target> SupportedTargets() noexcept {
  static const TargetList list = FindSupportedTargets();
  return {list.targets.data(), list.count};
}

Target BestTarget() noexcept { return ReadMaxTarget().best; }

std::string_view UnknownMaxTarget() noexcept { return ReadMaxTarget().unknown.data(); }

const char* TargetName(Target target) noexcept {
  for (const TargetEntry& entry : kTargets) {
    if (entry.target == target) return entry.name;
  }
  return "unknown";
}

bool ParseTarget(std::string_view name, Target* target) noexcept {
  for (const TargetEntry& entry : kTargets) {
    const std::string_view known = entry.name;
    if (std::equal(name.begin(), name.end(), known.begin(), known.end(),
                   [](char given, char wanted) { return ToUpper(given) == wanted; })) {
      *target = entry.target;
      return true;
    }
  }
  return false;
}

size_t FormatTargetNames(char* text, size_t size) noexcept {
  size_t length = 0;
  for (const TargetEntry& entry : kTargets) {
    const size_t begin = std::min(length, size);
    const int added = std::snprintf(text + begin, size - begin, "%s%s", length == 0 ? "" : ", ", entry.name);
    length += static_cast<size_t>(std::max(added, 0));
  }
  return length;
}

}  // namespace residue
