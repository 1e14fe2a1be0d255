#include "directml/operator_schema.h"

#include <gtest/gtest.h>

#include <string>

namespace residue::testing {
namespace {

// Level 1_0 has no type of 64 bits.
TEST(OperatorSchemaTest, TypesOfTheFirstLevel) {
  EXPECT_TRUE(IsTypeSupported(DML_TENSOR_DATA_TYPE_FLOAT32, FeatureLevel::k1_0));
  EXPECT_TRUE(IsTypeSupported(DML_TENSOR_DATA_TYPE_FLOAT16, FeatureLevel::k1_0));
  EXPECT_FALSE(IsTypeSupported(DML_TENSOR_DATA_TYPE_INT64, FeatureLevel::k1_0));
  EXPECT_FALSE(IsTypeSupported(DML_TENSOR_DATA_TYPE_FLOAT64, FeatureLevel::k1_0));
}

TEST(OperatorSchemaTest, TypesOfTheLastLevel) {
  for (const DataType type : kAllDataTypes) {
    EXPECT_TRUE(IsTypeSupported(static_cast<int32_t>(type), kHighestFeatureLevel));
  }
  for (const int32_t type : {0, -1, 12, 13, 14, INT32_MAX, INT32_MIN}) {
    EXPECT_FALSE(IsTypeSupported(type, kHighestFeatureLevel)) << type;
  }
}

TEST(OperatorSchemaTest, NamesOfTypes) {
  EXPECT_STREQ(TypeConstantName(DML_TENSOR_DATA_TYPE_UNKNOWN), "DML_TENSOR_DATA_TYPE_UNKNOWN");
  EXPECT_STREQ(TypeConstantName(DML_TENSOR_DATA_TYPE_UINT4), "DML_TENSOR_DATA_TYPE_UINT4");
  EXPECT_STREQ(TypeConstantName(DML_TENSOR_DATA_TYPE_INT4), "DML_TENSOR_DATA_TYPE_INT4");
  for (const DataType type : kAllDataTypes) {
    EXPECT_EQ(std::string(TypeConstantName(static_cast<int32_t>(type))),
              std::string("DML_TENSOR_DATA_TYPE_") + DirectMlName(type));
  }
  EXPECT_STREQ(TypeConstantName(99), "unknown");
}

}  // namespace
}  // namespace residue::testing
