// Prints every target, best first, and whether this build has it on this machine: "AVX2 yes", "SVE no".
#include <algorithm>
#include <cstdio>

#include "cpu/rows/target.h"

int main() {
  using residue::Target;
  const auto supported = residue::SupportedTargets();
  for (int i = static_cast<int>(Target::kSve); i >= 0; --i) {
    const auto target = static_cast<Target>(i);
    const bool here = std::ranges::find(supported, target) != supported.end();
    std::printf("%s %s\n", residue::TargetName(target), here ? "yes" : "no");
  }
}
