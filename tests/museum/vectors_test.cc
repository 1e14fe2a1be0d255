// The edge vectors of the specification: type, operands and both results, floats as bit patterns.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "support/kernel_run.h"
#include "support/placement.h"
#include "support/type_test.h"

namespace residue::testing {
namespace {

template <class T>
T ParseCell(const std::string& cell) {
  if constexpr (std::integral<T>) {
    return static_cast<T>(std::is_signed_v<T> ? static_cast<uint64_t>(std::strtoll(cell.c_str(), nullptr, 10))
                                              : std::strtoull(cell.c_str(), nullptr, 10));
  } else {
    if (cell == "nan") return FromBits<T>(reference::FloatBits<T>::kNan);
    return FromBits<T>(std::strtoull(cell.c_str(), nullptr, 16));
  }
}

class VectorsTest : public ::testing::TestWithParam<DataType> {};

TEST_P(VectorsTest, EveryRowOfThisType) {
  std::ifstream file(RESIDUE_TEST_DATA "/modulus_vectors.csv");
  ASSERT_TRUE(file.is_open());
  std::string line;
  size_t rows = 0;
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    std::string type, a, b, truncate, floor;
    std::getline(cells, type, ',');
    if (type != DirectMlName(GetParam())) continue;
    std::getline(cells, a, ',');
    std::getline(cells, b, ',');
    std::getline(cells, truncate, ',');
    std::getline(cells, floor, ',');
    VisitType(GetParam(), [&]<class T>(T) {
      ASSERT_NO_FATAL_FAILURE(CheckAtEveryPlace(OperatorId::kModulusTruncate, ParseCell<T>(a),
                                                ParseCell<T>(b), ParseCell<T>(truncate)));
      ASSERT_NO_FATAL_FAILURE(CheckAtEveryPlace(OperatorId::kModulusFloor, ParseCell<T>(a), ParseCell<T>(b),
                                                ParseCell<T>(floor)));
    });
    if (HasFatalFailure()) return;
    ++rows;
  }
  // The specification has no FLOAT64, which DirectML does not know for this operator.
  if (GetParam() != DataType::kFloat64) {
    EXPECT_GE(rows, 100u);
  }
}

INSTANTIATE_TEST_SUITE_P(AllTypes, VectorsTest, ::testing::ValuesIn(kAllDataTypes),
                         [](const auto& type) { return std::string(DirectMlName(type.param)); });

}  // namespace
}  // namespace residue::testing
