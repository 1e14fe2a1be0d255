#include "kernels/kernel.h"

#include <hwy/targets.h>
#if HWY_ARCH_X86
#include <cpuid.h>
#endif

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

#include "kernels/compiler.h"
#include "kernels/dispatch.h"
#include "kernels/reference.h"

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
  // AVX3_DL is ours only together with FP16, and not in a build without SIMD.
  const bool spr = (HWY_TARGETS & HWY_AVX3) != 0 && HasFp16();
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

KernelFunctions FindInTarget(KernelKey key, Target target) noexcept {
  if (target == Target::kReference) return {reference::FindTile(key), reference::FindShortRow(key)};
  for (auto* find : {&FindFp16Kernel, &FindFloatKernel, &FindNarrowIntegerKernel, &FindWideIntegerKernel}) {
    if (const KernelFunctions found = find(key, target); found.run != nullptr) return found;
  }
  return {};
}

ExamineFn SearchExaminer(KernelKey key, Target max) noexcept {
  if (ExceptionRuleOf(key.op) == ExceptionRule::kNone) return nullptr;
  for (const Target target : SupportedTargets()) {
    if (target > max) continue;
    if (const ExamineFn examine = FindExaminer(key, target); examine != nullptr) return examine;
  }
  return reference::FindExaminer(key);
}

Kernel SearchKernel(KernelKey key, Target max) noexcept {
  const ExamineFn examine = SearchExaminer(key, max);
  for (const Target target : SupportedTargets()) {
    if (target > max) continue;
    const KernelFunctions found = FindInTarget(key, target);
    if (found.run != nullptr) return {found.run, target, examine, found.run_short};
  }
  return {reference::FindTile(key), Target::kReference, examine, reference::FindShortRow(key)};
}

// The kernels of the best target, found once: small calls look them up every time.
class BestKernels {
 public:
  BestKernels() noexcept {
    for (const OperatorId op : kAllOperators) {
      for (const DataType type : kAllDataTypes) {
        for (const Form form : kAllForms) At(op, type, form) = SearchKernel({op, type, form}, BestTarget());
      }
    }
  }

  Kernel& At(OperatorId op, DataType type, Form form) noexcept {
    return kernels_[static_cast<size_t>(op)][static_cast<size_t>(type)][static_cast<size_t>(form)];
  }

 private:
  static constexpr auto kOperators = static_cast<size_t>(*std::ranges::max_element(kAllOperators)) + 1;
  static constexpr auto kTypes = static_cast<size_t>(*std::ranges::max_element(kAllDataTypes)) + 1;
  Kernel kernels_[kOperators][kTypes][std::size(kAllForms)] = {};
};

constexpr char ToUpper(char c) noexcept { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }

}  // namespace

std::span<const Target> SupportedTargets() noexcept {
  static const TargetList list = FindSupportedTargets();
  return {list.targets.data(), list.count};
}

Target BestTarget() noexcept {
  static const Target best = [] {
    const char* name = std::getenv("RESIDUE_MAX_TARGET");
    Target cap;
    if (name == nullptr || !ParseTarget(name, &cap)) return SupportedTargets().front();
    for (const Target target : SupportedTargets()) {
      if (target <= cap) return target;
    }
    return Target::kReference;
  }();
  return best;
}

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

const Kernel& FindBestKernel(OperatorId op, DataType type, Form form) noexcept {
  static BestKernels best;
  return best.At(op, type, form);
}

Kernel FindKernel(KernelKey key, Target max) noexcept {
  return max == BestTarget() ? FindBestKernel(key.op, key.type, key.form) : SearchKernel(key, max);
}

const char* FormName(Form form) noexcept {
  switch (form) {
    case Form::kVectorVector:
      return "vv";
    case Form::kVectorScalar:
      return "vs";
    case Form::kScalarVector:
      return "sv";
    case Form::kStrided:
      return "strided";
  }
  return "unknown";
}

size_t FormatKernelName(KernelKey key, Target target, char* text, size_t size) noexcept {
  const int length = std::snprintf(text, size, "%s.%s.%s@%s", OperatorName(key.op), ShortName(key.type),
                                   FormName(key.form), TargetName(target));
  return static_cast<size_t>(std::max(length, 0));
}

}  // namespace residue
