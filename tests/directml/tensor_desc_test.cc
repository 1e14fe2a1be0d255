#include "directml/tensor_desc.h"

#include <gtest/gtest.h>

#include <vector>

namespace residue::testing {
namespace {

uint64_t Minimum(DML_TENSOR_DATA_TYPE type, const std::vector<UINT>& sizes,
                 const std::vector<UINT>& strides = {}) {
  DML_BUFFER_TENSOR_DESC desc{};
  desc.DataType = type;
  desc.DimensionCount = static_cast<UINT>(sizes.size());
  desc.Sizes = sizes.data();
  desc.Strides = strides.empty() ? nullptr : strides.data();
  return MinimumBytes(desc);
}

TEST(TensorDescTest, MinimumBytes) {
  EXPECT_EQ(Minimum(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 3}), 24u);
  EXPECT_EQ(Minimum(DML_TENSOR_DATA_TYPE_UINT8, {5}), 8u) << "in whole words";
  EXPECT_EQ(Minimum(DML_TENSOR_DATA_TYPE_INT64, {2, 3}, {10, 2}), (10u + 4u + 1u) * 8u);
  EXPECT_EQ(Minimum(DML_TENSOR_DATA_TYPE_INT64, {7, 7}, {0, 0}), 8u) << "one element for all";
  EXPECT_EQ(Minimum(DML_TENSOR_DATA_TYPE_UINT8, {UINT32_MAX}), uint64_t{1} << 32)
      << "as many as there can be";
}

// What makes no tensor has no size.
TEST(TensorDescTest, MinimumBytesOfNoTensor) {
  EXPECT_EQ(Minimum(DML_TENSOR_DATA_TYPE_FLOAT32, {}), 0u);
  EXPECT_EQ(Minimum(DML_TENSOR_DATA_TYPE_FLOAT32, std::vector<UINT>(9, 1)), 0u);
  EXPECT_EQ(Minimum(DML_TENSOR_DATA_TYPE_FLOAT32, {2, 0}), 0u);
  EXPECT_EQ(Minimum(DML_TENSOR_DATA_TYPE_FLOAT32, {UINT32_MAX, UINT32_MAX, UINT32_MAX}), 0u);
  EXPECT_EQ(Minimum(DML_TENSOR_DATA_TYPE_UINT8, {UINT32_MAX, 2}), 0u);
  EXPECT_EQ(Minimum(DML_TENSOR_DATA_TYPE_UNKNOWN, {4}), 0u);
  DML_BUFFER_TENSOR_DESC without_sizes{};
  without_sizes.DataType = DML_TENSOR_DATA_TYPE_INT32;
  without_sizes.DimensionCount = 1;
  EXPECT_EQ(MinimumBytes(without_sizes), 0u);
}

}  // namespace
}  // namespace residue::testing
