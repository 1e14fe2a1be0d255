// The C++ face, as a caller sees it.
#include "residue/residue.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <span>
#include <vector>

namespace {

using residue::ModulusFloor;
using residue::ModulusTruncate;
using residue::StridedView;

TEST(CppApiTest, ArraysSpansAndNumbers) {
  const std::vector<int> a = {7, -7, 8};
  const std::array<int, 3> b = {3, 3, -3};
  int out[3];
  ASSERT_TRUE(ModulusFloor(a, b, out));
  EXPECT_EQ((std::vector<int>(out, out + 3)), (std::vector<int>{1, 2, -1}));
  ASSERT_TRUE(ModulusTruncate(a, b, std::span(out)));
  EXPECT_EQ((std::vector<int>(out, out + 3)), (std::vector<int>{1, -1, 2}));
  ASSERT_TRUE(ModulusFloor(a, 5, out));
  EXPECT_EQ((std::vector<int>(out, out + 3)), (std::vector<int>{2, 3, 3}));
  ASSERT_TRUE(ModulusFloor(100, b, out));
  EXPECT_EQ((std::vector<int>(out, out + 3)), (std::vector<int>{1, 1, -2}));
}

template <class T>
class CppApiTypeTest : public ::testing::Test {};
using Types = ::testing::Types<char, signed char, unsigned char, short, unsigned short, int, unsigned, long,
                               unsigned long, long long, unsigned long long, float, double>;
TYPED_TEST_SUITE(CppApiTypeTest, Types);

TYPED_TEST(CppApiTypeTest, EveryArithmeticType) {
  const std::vector<TypeParam> a = {TypeParam(17), TypeParam(100), std::numeric_limits<TypeParam>::max()};
  std::vector<TypeParam> out(3);
  ASSERT_TRUE(ModulusTruncate(a, TypeParam(9), out));
  EXPECT_EQ(out[0], TypeParam(8));
  EXPECT_EQ(out[1], TypeParam(1));
}

TEST(CppApiTest, Half) {
  const std::vector<residue::Half> a = {{0x4700}};  // 7
  const residue::Half three{0x4200};
  std::vector<residue::Half> out(1);
  ASSERT_TRUE(ModulusFloor(a, three, out));
  EXPECT_EQ(out[0], residue::Half{0x3C00});
}

// A number is taken at its value or not at all.
TEST(CppApiTest, NumbersMustBeValuesOfTheElementType) {
  std::vector<uint8_t> bytes(3, 200);
  EXPECT_EQ(ModulusFloor(bytes, 256, bytes).status(), RESIDUE_NUMBER_NOT_REPRESENTABLE);
  EXPECT_EQ(ModulusFloor(bytes, -1, bytes).status(), RESIDUE_NUMBER_NOT_REPRESENTABLE);
  EXPECT_EQ(ModulusFloor(-1, bytes, bytes).status(), RESIDUE_NUMBER_NOT_REPRESENTABLE);
  ASSERT_TRUE(ModulusFloor(bytes, 255, bytes));
  std::vector<int64_t> longs(3, -5);
  EXPECT_EQ(ModulusFloor(longs, UINT64_MAX, longs).status(), RESIDUE_NUMBER_NOT_REPRESENTABLE);
  std::vector<float> floats(3, 5.0f);
  EXPECT_EQ(ModulusFloor(floats, 16777217, floats).status(), RESIDUE_NUMBER_NOT_REPRESENTABLE);
  EXPECT_EQ(ModulusFloor(floats, INT64_MAX, floats).status(), RESIDUE_NUMBER_NOT_REPRESENTABLE);
  ASSERT_TRUE(ModulusFloor(floats, INT64_MIN, floats));
  ASSERT_TRUE(ModulusFloor(floats, 16777216, floats));
  static_assert(!residue::detail::NumberFor<double, float>);
  static_assert(!residue::detail::NumberFor<float, int>);
  static_assert(!residue::detail::NumberFor<bool, int>);
#ifdef __SIZEOF_INT128__
  __extension__ using Wide = __int128;  // an integer to some dialects
  static_assert(!residue::detail::NumberFor<Wide, float> && !residue::detail::NumberFor<Wide, int64_t>);
#endif
}

template <class T>
concept ComparesWithResult = requires(residue::Result result, T other) {
  result == other;
};

// What says true on success must not equal false.
TEST(CppApiTest, ResultsAreNoNumbers) {
  static_assert(ComparesWithResult<residue::Result> && ComparesWithResult<residue_status>);
  static_assert(!ComparesWithResult<bool>);
  EXPECT_EQ(residue::Result(RESIDUE_OK), RESIDUE_OK);
}

// An output that would be lost, or cannot be written, does not compile.
TEST(CppApiTest, OutputsAreChecked) {
  using residue::detail::OutputRange;
  static_assert(OutputRange<std::vector<float>&> && OutputRange<std::span<float>> && OutputRange<int(&)[3]>);
  static_assert(!OutputRange<std::vector<float>> && !OutputRange<const std::vector<float>&>);
  static_assert(!OutputRange<std::span<const float>>);
}

TEST(CppApiTest, SizesMustAgree) {
  const std::vector<float> three(3);
  std::vector<float> four(4);
  EXPECT_EQ(ModulusFloor(three, four, four).status(), RESIDUE_SIZE_MISMATCH);
  EXPECT_EQ(ModulusFloor(four, three, four).status(), RESIDUE_SIZE_MISMATCH);
  EXPECT_EQ(ModulusFloor(three, 1.0f, four).status(), RESIDUE_SIZE_MISMATCH);
  EXPECT_EQ(ModulusFloor(1.0f, three, four).status(), RESIDUE_SIZE_MISMATCH);
  EXPECT_STREQ(ModulusFloor(three, four, four).text(), residue_status_text(RESIDUE_SIZE_MISMATCH));
}

TEST(CppApiTest, ViewsBroadcastAndTranspose) {
  const int a[2][3] = {{10, 11, 12}, {13, 14, 15}};
  const int column[2] = {4, -4};
  int out[3][2];  // written transposed
  ASSERT_TRUE(ModulusFloor(StridedView(&a[0][0], {2, 3}), StridedView(column, {2, 1}),
                           StridedView(&out[0][0], {2, 3}, {1, 2})));
  const int expected[3][2] = {{2, -3}, {3, -2}, {0, -1}};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 2; ++j) EXPECT_EQ(out[i][j], expected[i][j]);
  }
}

TEST(CppApiTest, ViewsThatDoNotFitAreRefused) {
  int x[16] = {};
  const StridedView<int> square(x, {4, 4});
  EXPECT_EQ(ModulusFloor(StridedView(x, {4}), square, square).status(), RESIDUE_SIZE_MISMATCH);
  EXPECT_EQ(ModulusFloor(StridedView(x, {4, 2}), square, square).status(), RESIDUE_SIZE_MISMATCH);
  const StridedView<int> nine(x, {1, 1, 1, 1, 1, 1, 1, 1, 1});
  EXPECT_EQ(ModulusFloor(square, square, nine).status(), RESIDUE_INVALID_RANK);
  EXPECT_EQ(ModulusFloor(nine, square, square).status(), RESIDUE_INVALID_RANK);
  EXPECT_EQ(ModulusFloor(square, square, StridedView(x, {4, 4}, {0, 1})).status(),
            RESIDUE_OUTPUT_OVERLAPS_ITSELF);
  EXPECT_EQ(ModulusFloor(square, square, StridedView(x, {4, 4}, {INT64_MAX, 1})).status(), RESIDUE_TOO_LARGE);
}

TEST(CppApiTest, StridesThatMeanNothingAreNotLookedAt) {
  double x[4] = {5, 6, 7, 8};
  const StridedView<double> row(x, {1, 4}, {INT64_MAX, 1});
  EXPECT_TRUE(ModulusFloor(row, StridedView(x, {1, 1}), row));
  const uint64_t large = uint64_t{1} << 31;
  const StridedView<double> empty(x, {0, large, large});
  EXPECT_TRUE(ModulusFloor(empty, empty, empty));
  const StridedView<double> nine(x, {1, 1, 1, 1, 1, 1, 1, 1, 1});
  EXPECT_EQ(nine.size(8), 0u);
  EXPECT_EQ(nine.stride(8), 0);
}

TEST(CppApiTest, InPlaceAndOptions) {
  std::vector<double> a(100'000, 10.5);
  residue_options options = {};
  options.num_threads = 1;
  ASSERT_TRUE(ModulusFloor(a, -4.0, a, options));
  EXPECT_EQ(a[99'999], -1.5);
}

}  // namespace
