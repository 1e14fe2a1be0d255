#include "cpu/rows/row.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "support/row_run.h"

namespace residue::testing {
namespace {

TEST(RowTest, TargetsAreOrderedBestFirstAndEndWithTheReference) {
  const auto targets = SupportedTargets();
  ASSERT_GE(targets.size(), 2u);
  EXPECT_EQ(targets.back(), Target::kReference);
  EXPECT_TRUE(std::is_sorted(targets.rbegin(), targets.rend()));
}

// Every operator has a row for all types it takes and gives on every target, and the name says which. Only
// AVX3_SPR has few of its own.
TEST(RowTest, EveryKeyHasARowOnEveryTarget) {
  std::set<std::string> names;
  for (const Target target : SupportedTargets()) {
    for (const OperatorId op : kAllOperators) {
      for (const DataType type : kAllDataTypes) {
        for (const DataType result : kAllDataTypes) {
          const RowKey key = {op, type, result};
          const RowEntry row = FindRow(key, target);
          ASSERT_EQ(row.run != nullptr, Gives(op, type, result)) << OperatorName(op);
          if (row.run == nullptr) continue;
          EXPECT_TRUE(row.target == target || target == Target::kAvx3Spr) << OperatorName(op);
          if (row.target != target) continue;
          char name[64];
          FormatRowName(key, target, name, sizeof(name));
          EXPECT_TRUE(names.insert(name).second) << name;
        }
      }
    }
  }
}

TEST(RowTest, NameIsReadable) {
  char name[64];
  FormatRowName({OperatorId::kModulusFloor, DataType::kFloat32}, Target::kAvx3, name, sizeof(name));
  EXPECT_STREQ(name, "modulus_floor.f32@AVX3");
}

TEST(RowTest, TargetNamesAreReadInAnyCase) {
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
}

// The cap is read once per process, so ctest runs this binary again with RESIDUE_MAX_TARGET=reference.
TEST(RowTest, BestTargetHonoursTheEnvironment) {
  const char* cap = std::getenv("RESIDUE_MAX_TARGET");
  if (cap == nullptr) {
    EXPECT_EQ(BestTarget(), SupportedTargets().front());
  } else {
    EXPECT_EQ(BestTarget(), Target::kReference) << cap;
  }
  EXPECT_EQ(UnknownMaxTarget(), "");
}

TEST(RowTest, TargetNamesAreCutToTheirRoom) {
  char text[200];
  const size_t length = FormatTargetNames(text, sizeof(text));
  const std::string names = text;
  EXPECT_EQ(names.size(), length);
  for (const Target target : SupportedTargets()) EXPECT_NE(names.find(TargetName(target)), std::string::npos);
  for (size_t room = 1; room <= length; ++room) {
    EXPECT_EQ(FormatTargetNames(text, room), length);
    EXPECT_EQ(text, names.substr(0, room - 1));
  }
  EXPECT_EQ(FormatTargetNames(nullptr, 0), length);
}

}  // namespace
}  // namespace residue::testing
