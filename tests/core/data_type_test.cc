#include "core/data_type.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "core/operator_id.h"

namespace residue {
namespace {

TEST(DataTypeTest, ElevenTypesWithDistinctNames) {
  std::set<std::string> names;
  for (const DataType type : kAllDataTypes) {
    EXPECT_TRUE(names.insert(ShortName(type)).second);
    EXPECT_TRUE(names.insert(DirectMlName(type)).second);
    EXPECT_EQ(SizeOf(type), VisitType(type, []<class T>(T) { return sizeof(T); }));
  }
  EXPECT_EQ(std::size(kAllDataTypes), 11u);
}

TEST(DataTypeTest, OtherNumbersAreNoType) {
  for (const int32_t number : {0, 12, -1, 1000}) {
    EXPECT_EQ(SizeOf(static_cast<DataType>(number)), 0u);
    EXPECT_EQ(ShortName(static_cast<DataType>(number)), nullptr);
    EXPECT_EQ(DirectMlName(static_cast<DataType>(number)), nullptr);
  }
}

TEST(OperatorIdTest, NamesAreDistinctAndOtherNumbersAreNoOperator) {
  std::set<std::string> names;
  for (const OperatorId op : kAllOperators) EXPECT_TRUE(names.insert(OperatorName(op)).second);
  EXPECT_EQ(OperatorName(static_cast<OperatorId>(0)), nullptr);
}

}  // namespace
}  // namespace residue
