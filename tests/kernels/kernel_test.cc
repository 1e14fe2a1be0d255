#include "kernels/kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "support/kernel_run.h"

namespace residue::testing {
namespace {

TEST(KernelTest, TargetsAreOrderedBestFirstAndEndWithTheReference) {
  const auto targets = SupportedTargets();
  ASSERT_GE(targets.size(), 2u);
  EXPECT_EQ(targets.back(), Target::kReference);
  EXPECT_TRUE(std::is_sorted(targets.rbegin(), targets.rend()));
}

// Every operator, type and form has its own kernel on every target, and the name says which.
TEST(KernelTest, EveryKeyHasAKernelOnEveryTarget) {
  std::set<std::string> names;
  std::set<TileFn> functions;
  for (const Target target : SupportedTargets()) {
    for (const OperatorId op : kAllOperators) {
      for (const DataType type : kAllDataTypes) {
        for (const Form form : kAllForms) {
          const Kernel kernel = FindKernel({op, type, form}, target);
          ASSERT_NE(kernel.run, nullptr);
          EXPECT_EQ(kernel.target, TargetOfKernels(target, type));
          if (kernel.target != target) continue;
          char name[64];
          FormatKernelName({op, type, form}, target, name, sizeof(name));
          EXPECT_TRUE(names.insert(name).second) << name;
          if (target != Target::kReference) {
            EXPECT_TRUE(functions.insert(kernel.run).second) << name;
          }
        }
      }
    }
  }
}

TEST(KernelTest, NameIsReadable) {
  char name[64];
  FormatKernelName({OperatorId::kModulusFloor, DataType::kFloat32, Form::kVectorScalar}, Target::kAvx3, name,
                   sizeof(name));
  EXPECT_STREQ(name, "modulus_floor.f32.vs@AVX3");
}

TEST(KernelTest, TargetNamesAreReadInAnyCase) {
  for (const Target target : SupportedTargets()) {
    Target parsed;
    std::string name = TargetName(target);
    EXPECT_TRUE(ParseTarget(name, &parsed));
    EXPECT_EQ(parsed, target);
    for (char& c : name) c = static_cast<char>(std::tolower(c));
    EXPECT_TRUE(ParseTarget(name, &parsed));
    EXPECT_EQ(parsed, target);
  }
  Target parsed;
  EXPECT_FALSE(ParseTarget("", &parsed));
  EXPECT_FALSE(ParseTarget("AVX", &parsed));
  EXPECT_FALSE(ParseTarget("AVX22", &parsed));
  EXPECT_STREQ(TargetName(static_cast<Target>(200)), "unknown");
  EXPECT_STREQ(FormName(static_cast<Form>(9)), "unknown");
}

// The cap is read once per process, so ctest runs this binary again with RESIDUE_MAX_TARGET=reference.
TEST(KernelTest, BestTargetHonoursTheEnvironment) {
  const char* cap = std::getenv("RESIDUE_MAX_TARGET");
  if (cap == nullptr) {
    EXPECT_EQ(BestTarget(), SupportedTargets().front());
  } else {
    EXPECT_EQ(BestTarget(), Target::kReference) << cap;
  }
}

}  // namespace
}  // namespace residue::testing
