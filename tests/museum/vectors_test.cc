// The edge vectors of the specification: type, operands and both results, floats as bit patterns.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "support/placement.h"
#include "support/row_run.h"
#include "support/type_test.h"
#include "verification/vectors.h"

namespace residue::testing {
namespace {

class VectorsTest : public ::testing::TestWithParam<DataType> {};

TEST_P(VectorsTest, EveryRowOfThisType) {
  std::ifstream file(RESIDUE_TEST_DATA "/modulus_vectors.csv");
  ASSERT_TRUE(file.is_open());
  size_t rows = 0;
  VisitType(GetParam(), [&]<class T>(T) {
    for (const auto& [a, b, truncate, floor] : ReadVectors<T>(file)) {
      ASSERT_NO_FATAL_FAILURE(CheckAtPlaces(OperatorId::kModulusTruncate, a, b, truncate));
      ASSERT_NO_FATAL_FAILURE(CheckAtPlaces(OperatorId::kModulusFloor, a, b, floor));
      ++rows;
    }
  });
  if (HasFatalFailure()) return;
  // The specification has no FLOAT64, which DirectML does not know for this operator.
  if (GetParam() != DataType::kFloat64) {
    EXPECT_GE(rows, 100u);
  }
}

INSTANTIATE_TEST_SUITE_P(AllTypes, VectorsTest, ::testing::ValuesIn(kAllDataTypes),
                         [](const auto& type) { return std::string(DirectMlName(type.param)); });

}  // namespace
}  // namespace residue::testing
