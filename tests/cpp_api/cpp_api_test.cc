// The C++ face, as a caller sees it: arrays, numbers, views, and what is said when they do not fit together.
#include "residue/residue.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <span>
#include <vector>

namespace {

using residue::ModulusFloor;
using residue::ModulusTruncate;
using residue::Result;
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

TEST(CppApiTest, OneElementIsRepeated) {
  const std::vector<int> a = {7, -7, 8};
  const std::vector<int> one = {5};
  std::vector<int> out(3);
  ASSERT_TRUE(ModulusFloor(a, one, out));
  EXPECT_EQ(out, (std::vector<int>{2, 3, 3}));
  ASSERT_TRUE(ModulusFloor(one, a, out));
  EXPECT_EQ(out, (std::vector<int>{5, -2, 5}));
  std::vector<int> none;
  EXPECT_TRUE(ModulusFloor(none, one, none));
  EXPECT_TRUE(ModulusFloor(none, 5, none));
}

// The list of operators names every function and every node, except those of several types.
namespace functions {
#define RESIDUE_OP(Name, ...) using residue::Name;
#define RESIDUE_MIXED_OP(...)
#include "core/ops.def"
}  // namespace functions
struct Nodes : residue::Graph {
#define RESIDUE_OP(Name, ...) using residue::Graph::Name;
#define RESIDUE_MIXED_OP(...)
#include "core/ops.def"
};

// What the compiler is told of an operator is what the library says.
template <residue_operator kOp, class T>
void CompareRule() {
  residue_operand operands[4] = {};
  for (residue_operand& operand : operands) operand.type = residue::kTypeOf<T>;
  residue_problem problem = {};
  problem.size = sizeof(problem);
  problem.op = kOp;
  problem.operands = operands;
  residue_refusal refusal;
  problem.operand_count = 1;  // nobody's, and the answer has the right one
  residue_check(&problem, &refusal, sizeof(refusal));
  ASSERT_STREQ(refusal.field, "operand_count");
  problem.operand_count = static_cast<uint32_t>(refusal.expected);
  using Rule = residue::detail::RuleOf<kOp>;
  operands[problem.operand_count - 1].type = residue::kTypeOf<typename Rule::template Output<T>>;
  EXPECT_EQ(residue_check(&problem, &refusal, sizeof(refusal)),
            Rule::template kTakes<T> ? RESIDUE_OK : RESIDUE_TYPE_NOT_TAKEN)
      << "operator " << kOp << ", type " << residue::kTypeOf<T>;
}

TEST(CppApiTest, RulesAreThoseOfTheLibrary) {
#define RESIDUE_OP(Name, C_NAME, ...)             \
  CompareRule<RESIDUE_##C_NAME, int8_t>();        \
  CompareRule<RESIDUE_##C_NAME, uint64_t>();      \
  CompareRule<RESIDUE_##C_NAME, residue::Half>(); \
  CompareRule<RESIDUE_##C_NAME, float>();         \
  CompareRule<RESIDUE_##C_NAME, double>();
#define RESIDUE_MIXED_OP(...)
#include "core/ops.def"
}

TEST(CppApiTest, EveryOperator) {
  const std::vector<float> a = {1.5f, -2.0f};
  std::vector<float> out(2);
  ASSERT_TRUE(residue::Identity(a, out));
  EXPECT_EQ(out, a);
  ASSERT_TRUE(residue::ScaleBias(a, 2.0f, 1.0f, out));
  EXPECT_EQ(out, (std::vector<float>{4.0f, -3.0f}));
  EXPECT_EQ(residue::Identity(a), a);
  EXPECT_EQ(residue::ScaleBias(a, 2.0f, 1.0f), out);
  EXPECT_EQ(residue::ScaleBias(1.5f, 2.0f, 1.0f), 4.0f);
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
  EXPECT_EQ(ModulusTruncate(TypeParam(17), TypeParam(9)), TypeParam(8));
}

TEST(CppApiTest, Half) {
  const std::vector<residue::Half> a = {{0x4700}};  // 7
  const residue::Half three{0x4200};
  std::vector<residue::Half> out(1);
  ASSERT_TRUE(ModulusFloor(a, three, out));
  EXPECT_EQ(out[0], residue::Half{0x3C00});
}

#ifdef RESIDUE_HAS_FLOAT16
TEST(CppApiTest, TheCompilersOwnHalf) {
  const std::vector<_Float16> a = {_Float16(7), _Float16(-7.5f)};
  std::vector<_Float16> out(2);
  ASSERT_TRUE(ModulusFloor(a, 3, out));
  EXPECT_EQ(static_cast<float>(out[0]), 1.0f);
  EXPECT_EQ(static_cast<float>(out[1]), 1.5f);
  EXPECT_EQ(ModulusFloor(a, 2049, out).status(), RESIDUE_NUMBER_NOT_REPRESENTABLE);
  EXPECT_EQ(ModulusFloor(a, 65536, out).status(), RESIDUE_NUMBER_NOT_REPRESENTABLE);
  EXPECT_TRUE(ModulusFloor(a, -65504, out));
}
#endif

TEST(CppApiTest, WithoutAnOutputTheResultIsTheValue) {
  EXPECT_EQ(ModulusFloor(725.0f, 360.0f), 5.0f);
  EXPECT_EQ(ModulusFloor(-7, 3), 2);
  EXPECT_EQ(ModulusTruncate(-7, 3), -1);
  static_assert(noexcept(residue::detail::Evaluate<RESIDUE_MODULUS_FLOOR>(nullptr, 0, 1, 2)));
  const std::vector<int> a = {7, -7};
  EXPECT_EQ(ModulusFloor(a, 3), (std::vector<int>{1, 2}));
  EXPECT_EQ(ModulusFloor(10, std::vector<int>{3, -3}), (std::vector<int>{1, -2}));
  EXPECT_EQ(ModulusFloor(std::vector<int>{10}, std::vector<int>{3, -3}), (std::vector<int>{1, -2}));
  EXPECT_TRUE(ModulusFloor(std::vector<int>(), 3).empty());
  EXPECT_TRUE(ModulusFloor(std::vector<int>(), std::vector<int>{3}).empty());
  try {
    static_cast<void>(ModulusFloor(a, std::vector<int>{1, 2, 3}));
    FAIL() << "sizes that do not fit together";
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(std::string(error.what()).find("residue: "), 0u) << error.what();
  }
}

// A number is taken at its value or not at all.
TEST(CppApiTest, NumbersMustBeValuesOfTheElementType) {
  std::vector<uint8_t> bytes(3, 200);
  EXPECT_EQ(ModulusFloor(bytes, 256, bytes).status(), RESIDUE_NUMBER_NOT_REPRESENTABLE);
  EXPECT_EQ(ModulusFloor(bytes, -1, bytes).status(), RESIDUE_NUMBER_NOT_REPRESENTABLE);
  EXPECT_EQ(ModulusFloor(-1, bytes, bytes).status(), RESIDUE_NUMBER_NOT_REPRESENTABLE);
  EXPECT_STREQ(ModulusFloor(bytes, -1, bytes).operand(), "b");
  EXPECT_EQ(ModulusFloor(StridedView(bytes.data(), {3}), 256, StridedView(bytes.data(), {3})).status(),
            RESIDUE_NUMBER_NOT_REPRESENTABLE);
  ASSERT_TRUE(ModulusFloor(bytes, 255, bytes));
  std::vector<int64_t> longs(3, -5);
  EXPECT_EQ(ModulusFloor(longs, UINT64_MAX, longs).status(), RESIDUE_NUMBER_NOT_REPRESENTABLE);
  std::vector<float> floats(3, 5.0f);
  EXPECT_EQ(ModulusFloor(floats, 16777217, floats).status(), RESIDUE_NUMBER_NOT_REPRESENTABLE);
  EXPECT_EQ(ModulusFloor(floats, INT64_MAX, floats).status(), RESIDUE_NUMBER_NOT_REPRESENTABLE);
  ASSERT_TRUE(ModulusFloor(floats, INT64_MIN, floats));
  ASSERT_TRUE(ModulusFloor(floats, 16777216, floats));
}

template <class T>
concept ComparesWithResult = requires(Result result, T other) {
  result == other;
};

// What says true on success must not equal false.
TEST(CppApiTest, ResultsAreNoNumbers) {
  static_assert(ComparesWithResult<Result> && ComparesWithResult<residue_status>);
  static_assert(!ComparesWithResult<bool>);
  EXPECT_EQ(Result(RESIDUE_OK), RESIDUE_OK);
  EXPECT_EQ(Result(), RESIDUE_OK);
}

TEST(CppApiTest, SizesMustAgree) {
  const std::vector<float> three(3);
  std::vector<float> four(4);
  EXPECT_EQ(ModulusFloor(three, four, four).status(), RESIDUE_SIZE_MISMATCH);
  EXPECT_EQ(ModulusFloor(four, three, four).status(), RESIDUE_SIZE_MISMATCH);
  EXPECT_EQ(ModulusFloor(three, 1.0f, four).status(), RESIDUE_SIZE_MISMATCH);
  const Result result = ModulusFloor(1.0f, three, four);
  EXPECT_EQ(result.status(), RESIDUE_SIZE_MISMATCH);
  EXPECT_STREQ(result.operand(), "b");
  EXPECT_STREQ(result.field(), "size");
  EXPECT_EQ(result.provided(), 3);
  EXPECT_EQ(result.expected(), 4);
  EXPECT_EQ(result.relation(), RESIDUE_EQUAL_TO);
  EXPECT_STREQ(result.text(), residue_status_text(RESIDUE_SIZE_MISMATCH));
  EXPECT_EQ(result.message(), std::string("b.size: 3 was provided, but 4 was expected: ") + result.text());
  std::vector<float> none;
  EXPECT_EQ(ModulusFloor(three, 1.0f, none).status(), RESIDUE_SIZE_MISMATCH);
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

// Whatever mixes: a view with a number, an array as the last dimension of a view.
TEST(CppApiTest, ViewsWithNumbersAndArrays) {
  const int a[2][3] = {{10, 11, 12}, {13, 14, 15}};
  int out[2][3];
  const StridedView view(&out[0][0], {2, 3});
  ASSERT_TRUE(ModulusFloor(StridedView(&a[0][0], {2, 3}), 4, view));
  EXPECT_EQ(out[1][2], 3);
  ASSERT_TRUE(ModulusFloor(100, StridedView(&a[0][0], {2, 3}), view));
  EXPECT_EQ(out[0][1], 1);
  ASSERT_TRUE(ModulusFloor(StridedView(&a[0][0], {2, 3}), std::vector<int>{7, 8, 9}, view));
  EXPECT_EQ(out[0][0], 3);
  EXPECT_EQ(out[1][2], 6);
  std::vector<int> row(3);
  ASSERT_TRUE(ModulusFloor(StridedView(&a[1][2], {3}, {-1}), 10, row));
  EXPECT_EQ(row, (std::vector<int>{5, 4, 3}));
  std::vector<float> scaled(2);
  ASSERT_TRUE(
      residue::ScaleBias(StridedView(std::array<float, 3>{1, 0, 2}.data(), {2}, {2}), 2.0f, 0.5f, scaled));
  EXPECT_EQ(scaled, (std::vector<float>{2.5f, 4.5f}));
}

// Sizes of any integer type, and in any container.
TEST(CppApiTest, SizesAreAnyIntegers) {
  double x[6] = {1, 2, 3, 4, 5, 6};
  const int rows = 2;
  const unsigned columns = 3;
  const StridedView<double> mixed(x, {rows, columns});
  EXPECT_EQ(mixed.size(0), 2u);
  EXPECT_EQ(mixed.stride(0), 3);
  const std::vector<int> sizes = {2, 3};
  const std::array<int64_t, 2> strides = {1, 2};
  const StridedView<double> ranges(x, sizes, strides);
  EXPECT_EQ(ranges.size(1), 3u);
  EXPECT_EQ(ranges.stride(1), 2);
  EXPECT_EQ(ranges.size(2), 0u);
  EXPECT_EQ(ranges.stride(2), 0);
}

void ExpectRefusal(const Result& result, residue_status status, const char* operand, const char* field,
                   int32_t index, int64_t provided, int64_t expected) {
  EXPECT_EQ(result.status(), status) << result.message();
  EXPECT_STREQ(result.operand(), operand);
  EXPECT_STREQ(result.field(), field);
  EXPECT_EQ(result.index(), index);
  EXPECT_EQ(result.provided(), provided);
  EXPECT_EQ(result.expected(), expected);
}

TEST(CppApiTest, NumbersAreRefusedWithTheirBound) {
  std::vector<int64_t> longs(3, -5);
  const Result large = ModulusFloor(longs, UINT64_MAX, longs);
  ExpectRefusal(large, RESIDUE_NUMBER_NOT_REPRESENTABLE, "b", "value", -1, -1, INT64_MAX);
  EXPECT_NE(large.message().find("18446744073709551615"), std::string::npos) << large.message();
  int8_t x[4] = {};
  const StridedView<int8_t> view(x, {4});
  ExpectRefusal(ModulusFloor(view, -129, view), RESIDUE_NUMBER_NOT_REPRESENTABLE, "b", "value", -1, -129,
                -128);
  ExpectRefusal(ModulusFloor(128, view, view), RESIDUE_NUMBER_NOT_REPRESENTABLE, "a", "value", -1, 128, 127);
}

TEST(CppApiTest, ViewsThatDoNotFitAreRefused) {
  int x[16] = {};
  const StridedView<int> square(x, {4, 4});
  ExpectRefusal(ModulusFloor(StridedView(x, {4, 2}), square, square), RESIDUE_SIZE_MISMATCH, "a", "sizes", 1,
                2, 4);
  ExpectRefusal(ModulusFloor(square, StridedView(x, {2}), square), RESIDUE_SIZE_MISMATCH, "b", "sizes", 0, 2,
                4);
  ExpectRefusal(ModulusFloor(square, square, StridedView(x, {4})), RESIDUE_SIZE_MISMATCH, "a", "rank", -1, 2,
                1);
  const StridedView<int> nine(x, {1, 1, 1, 1, 1, 1, 1, 1, 1});
  EXPECT_EQ(nine.size(8), 0u);
  EXPECT_EQ(nine.stride(8), 0);
  ExpectRefusal(ModulusFloor(square, square, nine), RESIDUE_INVALID_RANK, "out", "rank", -1, 9, 8);
  ExpectRefusal(ModulusFloor(nine, square, square), RESIDUE_INVALID_RANK, "a", "rank", -1, 9, 8);
  ExpectRefusal(ModulusFloor(square, StridedView(x, {4, 4}, {4, 1, 1}), square), RESIDUE_INVALID_VIEW, "b",
                "number of strides", -1, 3, 2);
  ExpectRefusal(ModulusFloor(square, StridedView(x, {4, -4}), square), RESIDUE_INVALID_VIEW, "b", "sizes", 1,
                -4, 0);
  EXPECT_EQ(ModulusFloor(StridedView(x, {UINT64_MAX, 1}), square, square).status(), RESIDUE_TOO_LARGE);
  EXPECT_EQ(ModulusFloor(StridedView(x, {4, 4}, {UINT64_MAX, 1}), square, square).status(),
            RESIDUE_TOO_LARGE);
  EXPECT_EQ(ModulusFloor(square, square, StridedView(x, {4, 4}, {INT64_MAX, 1})).status(), RESIDUE_TOO_LARGE);
  // What the library below refuses is said with the same names.
  const Result overlaps = ModulusFloor(square, square, StridedView(x, {4, 4}, {0, 1}));
  EXPECT_EQ(overlaps.status(), RESIDUE_OUTPUT_OVERLAPS_ITSELF);
  EXPECT_STREQ(overlaps.operand(), "out");
  EXPECT_STREQ(overlaps.field(), "strides");
  // Strides are counted in elements, of the dimensions that the operand has.
  double d[64] = {};
  ExpectRefusal(ModulusFloor(StridedView(d, {4, 4}), 2.0, StridedView(d, {4, 4}, {2, 1})),
                RESIDUE_OUTPUT_OVERLAPS_ITSELF, "out", "strides", 0, 2, 4);
  const Result far = ModulusFloor(StridedView(d, {2, 2, 2}), StridedView(d, {2}, {int64_t{1} << 57}),
                                  StridedView(d, {2, 2, 2}));
  EXPECT_EQ(far.status(), RESIDUE_TOO_LARGE);
  EXPECT_STREQ(far.operand(), "b");
  EXPECT_EQ(far.index(), 0);
  EXPECT_EQ(ModulusFloor(square, square, StridedView<int>(nullptr, {4, 4})).status(), RESIDUE_NULL_POINTER);
  EXPECT_STREQ(ModulusFloor(square, square, StridedView<int>(nullptr, {4, 4})).operand(), "out");
  std::vector<float> out(4);
  const std::span<const float> null(static_cast<const float*>(nullptr), 1);
  EXPECT_EQ(ModulusFloor(out, null, out).status(), RESIDUE_NULL_POINTER);
  EXPECT_STREQ(ModulusFloor(out, null, out).operand(), "b");
}

TEST(CppApiTest, StridesThatMeanNothingAreNotLookedAt) {
  double x[4] = {5, 6, 7, 8};
  const StridedView<double> row(x, {1, 4}, {INT64_MAX, 1});
  EXPECT_TRUE(ModulusFloor(row, StridedView(x, {1, 1}), row));
  const uint64_t large = uint64_t{1} << 31;
  const StridedView<double> empty(x, {0, large, large});
  EXPECT_TRUE(ModulusFloor(empty, empty, empty));
}

TEST(CppApiTest, InPlaceAndOptions) {
  std::vector<double> a(100'000, 10.5);
  residue::Options options = {};
  options.num_threads = 1;
  uint32_t exceptions = 77;
  options.exceptions = &exceptions;
  ASSERT_TRUE(ModulusFloor(a, -4.0, a, options));
  EXPECT_EQ(a[99'999], -1.5);
  EXPECT_EQ(exceptions, 0u);
  ASSERT_TRUE(ModulusFloor(a, 0.0, a, options));
  EXPECT_EQ(exceptions, static_cast<uint32_t>(RESIDUE_INVALID_OPERATION));
  EXPECT_FALSE(ModulusFloor(a, std::vector<double>(3), a, options));
  EXPECT_EQ(exceptions, 0u) << "a refused run had none";
}

// What compilers with std::mdspan have: only its shape is asked for.
template <class T>
struct Mdspan {
  using element_type = T;
  using extents_type = std::array<size_t, 2>;
  T* handle;
  extents_type extents;
  std::array<size_t, 2> strides;
  T* data_handle() const { return handle; }
  static constexpr size_t rank() { return 2; }
  size_t extent(size_t i) const { return extents[i]; }
  size_t stride(size_t i) const { return strides[i]; }
};

// One more than the library takes.
struct ManyDimensions {
  using element_type = const int;
  using extents_type = std::array<size_t, 9>;
  const int* handle;
  const int* data_handle() const { return handle; }
  static constexpr size_t rank() { return 9; }
  static size_t extent(size_t) { return 1; }
  static size_t stride(size_t) { return 1; }
};

TEST(CppApiTest, WhatHasTheShapeOfMdspan) {
  int a[2][3] = {{10, 11, 12}, {13, 14, 15}};
  int out[2][3];
  const Mdspan<const int> from = {&a[0][0], {2, 3}, {3, 1}};
  const Mdspan<int> to = {&out[0][0], {2, 3}, {3, 1}};
  ASSERT_TRUE(ModulusFloor(from, 4, to));
  EXPECT_EQ(out[1][2], 3);
  ExpectRefusal(ModulusFloor(from, 4, Mdspan<int>{&out[0][0], {2, 2}, {3, 1}}), RESIDUE_SIZE_MISMATCH, "a",
                "sizes", 1, 3, 2);
  ExpectRefusal(ModulusFloor(ManyDimensions{&a[0][0]}, 4, to), RESIDUE_INVALID_RANK, "a", "rank", -1, 9, 8);
}

// What is refused and has nothing to do with the shapes: addresses and options.
TEST(CppApiTest, AddressesAndOptionsAreChecked) {
  std::vector<float> a = {1, 2};
  float* const nowhere = nullptr;
  EXPECT_EQ(ModulusFloor(a, 2.0f, StridedView(nowhere, {2})).status(), RESIDUE_NULL_POINTER);
  const residue::Options reserved = {0, 7, nullptr, nullptr};
  EXPECT_EQ(ModulusFloor(a, 2.0f, a, reserved).status(), RESIDUE_RESERVED_NOT_ZERO);
  EXPECT_EQ(ModulusFloor(StridedView(a.data(), {2}), 2.0f, a, reserved).status(), RESIDUE_RESERVED_NOT_ZERO);
}

// A graph that was moved is the same graph somewhere else; what it was moved from is empty.
TEST(CppApiTest, GraphsMove) {
  residue::Graph first;
  const auto a = first.Input<float>({2});
  residue::Graph second = std::move(first);
  second.Output(second.ModulusFloor(a, 3.0f));
  residue::Graph third;
  third = std::move(second);
  ASSERT_TRUE(third.Compile());
  const std::vector<float> in = {4, -1};
  std::vector<float> out(2);
  ASSERT_TRUE(third.Run({in}, {out}));
  EXPECT_EQ(out, (std::vector<float>{1, 2}));
  EXPECT_EQ(third.Run({in}, {nullptr}).status(), RESIDUE_NULL_POINTER);
  const void* const from[] = {in.data()};
  ExpectRefusal(third.Run(std::span(from), std::span<void* const>()), RESIDUE_INVALID_OPERAND_COUNT, nullptr,
                "number of outputs", -1, 0, 1);
  EXPECT_FALSE(second.Compile()) << "it has no output any more";
}

TEST(CppApiTest, Plans) {
  const std::vector<float> a = {5.5f, -5.5f};
  const std::vector<float> b = {2.0f, 3.0f};
  std::vector<float> out(2);
  residue::Plan<float> plan;
  EXPECT_EQ(plan.Run(a.data(), b.data(), out.data()).status(), RESIDUE_NULL_POINTER);
  ASSERT_TRUE(plan.Prepare(RESIDUE_MODULUS_FLOOR, a, StridedView(b.data(), {2}), out));
  ASSERT_TRUE(plan.Run(a.data(), b.data(), out.data()));
  EXPECT_EQ(out, (std::vector<float>{1.5f, 0.5f}));
  ExpectRefusal(plan.Run(a.data(), out.data()), RESIDUE_INVALID_OPERAND_COUNT, nullptr, "number of inputs",
                -1, 1, 2);
  ExpectRefusal(plan.Prepare(RESIDUE_MODULUS_FLOOR, a, std::vector<float>(3), out), RESIDUE_SIZE_MISMATCH,
                "b", "sizes", 0, 3, 2);
  EXPECT_EQ(plan.Prepare(RESIDUE_MODULUS_FLOOR, a, out).status(), RESIDUE_INVALID_OPERAND_COUNT);
  ASSERT_TRUE(plan.Run(a.data(), b.data(), out.data())) << "a refused one leaves the plan as it was";
  const std::vector<uint8_t> bytes = {0, 1, 2};
  std::vector<uint8_t> chosen(3);
  residue::Plan<uint8_t> choice;
  ASSERT_TRUE(choice.Prepare(RESIDUE_IF, bytes, bytes, std::vector<uint8_t>{9}, chosen));
  const uint8_t nine[] = {9};
  ASSERT_TRUE(choice.Run(bytes.data(), bytes.data(), nine, chosen.data()));
  EXPECT_EQ(chosen, (std::vector<uint8_t>{9, 1, 2}));
  ASSERT_TRUE(plan.PrepareWithParams(RESIDUE_SCALE_BIAS, residue_scale_bias{2.0f, 1.0f}, a, out));
  residue::Plan<float> moved = std::move(plan);
  ASSERT_TRUE(moved.Run(a.data(), out.data()));
  EXPECT_EQ(out, (std::vector<float>{12.0f, -10.0f}));
}

TEST(CppApiTest, GraphsReadLikeTheFormula) {
  residue::Graph g;
  const auto a = g.Input<float>({2, 3});
  const auto y = g.ModulusFloor(g.Identity(a, 2.0f, 1.0f), 360.f);
  g.Output(y);
  ASSERT_TRUE(g.Compile());
  const std::vector<float> from = {179.5f, 180.0f, -1.0f, 0.0f, 1.0f, 2.0f};
  std::vector<float> to(6);
  ASSERT_TRUE(g.Run({from.data()}, {to.data()}));
  EXPECT_EQ(to, (std::vector<float>{0.0f, 1.0f, 359.0f, 1.0f, 3.0f, 5.0f}));
  EXPECT_EQ(g.temporary_size(), 0u) << g.description();
  EXPECT_NE(g.description().find("modulus_floor"), std::string::npos) << g.description();
}

TEST(CppApiTest, GraphsRepeatSizesOfOne) {
  residue::Graph g;
  const auto a = g.Input<int32_t>({2, 3});
  const auto column =
      g.Constant(StridedView<const int32_t>(std::array<int32_t, 4>{4, 0, 5, 0}.data(), {2, 1}, {2, 1}));
  const auto row = g.Input<int32_t>(std::vector<int>{3});
  g.Output(g.ModulusTruncate(g.ModulusFloor(a, column), row));
  g.Output(a);  // an input, which becomes a copy
  g.Output(column);
  ASSERT_TRUE(g.Compile());
  const std::vector<int32_t> first = {10, 11, 12, 13, 14, 15};
  const std::vector<int32_t> second = {2, 2, 3};
  std::vector<int32_t> out(6);
  std::vector<int32_t> copy(6);
  std::vector<int32_t> constant(2);
  ASSERT_TRUE(g.Run({first.data(), second.data()}, {out.data(), copy.data(), constant.data()}));
  EXPECT_EQ(out, (std::vector<int32_t>{0, 1, 0, 1, 0, 0}));
  EXPECT_EQ(copy, first);
  EXPECT_EQ(constant, (std::vector<int32_t>{4, 5}));
  ExpectRefusal(g.Run({first.data()}, {out.data()}), RESIDUE_INVALID_OPERAND_COUNT, nullptr,
                "number of inputs", -1, 1, 2);
  EXPECT_EQ(g.Compile().status(), RESIDUE_NOT_COMPILED) << "once";
  g.Output(row);  // too late, and without effect
  ASSERT_TRUE(g.Run({first.data(), second.data()}, {out.data(), copy.data(), constant.data()}));
}

// What a run is given has the graph's types and numbers of elements, as far as it says.
TEST(CppApiTest, RunsOfGraphsAreChecked) {
  residue::Graph g;
  const auto a = g.Input<float>({2, 2});
  g.Output(g.ModulusFloor(a, 3.0f));
  ASSERT_TRUE(g.Compile());
  const std::vector<float> in = {1, -1, 5, 7};
  const float array[4] = {1, -1, 5, 7};
  const std::vector<float> expected = {1, 2, 2, 1};
  std::vector<float> out(4);
  ASSERT_TRUE(g.Run({in}, {out}));
  EXPECT_EQ(out, expected);
  out.assign(4, 0);
  ASSERT_TRUE(g.Run({array}, {std::span(out)}));
  EXPECT_EQ(out, expected);
  out.assign(4, 0);
  ASSERT_TRUE(g.Run({static_cast<const void*>(in.data())}, {static_cast<void*>(out.data())}));
  EXPECT_EQ(out, expected);
  const void* const from[] = {in.data()};
  void* const to[] = {out.data()};
  out.assign(4, 0);
  ASSERT_TRUE(g.Run(std::span(from), std::span(to)));
  EXPECT_EQ(out, expected);

  const std::vector<double> wide(4);
  std::vector<int32_t> integers(4);
  std::vector<float> few(3);
  uint32_t exceptions = 7;
  const residue::Options options = {0, 0, nullptr, &exceptions};
  ExpectRefusal(g.Run({wide}, {out}, options), RESIDUE_TYPE_MISMATCH, nullptr, "inputs", 0, RESIDUE_FLOAT64,
                RESIDUE_FLOAT32);
  EXPECT_EQ(exceptions, 0u) << "as of every refused run";
  ExpectRefusal(g.Run({wide.data()}, {out}), RESIDUE_TYPE_MISMATCH, nullptr, "inputs", 0, RESIDUE_FLOAT64,
                RESIDUE_FLOAT32);
  ExpectRefusal(g.Run({in}, {integers}), RESIDUE_TYPE_MISMATCH, nullptr, "outputs", 0, RESIDUE_INT32,
                RESIDUE_FLOAT32);
  ExpectRefusal(g.Run({few}, {out}), RESIDUE_SIZE_MISMATCH, nullptr, "inputs", 0, 3, 4);
  const float few_array[3] = {};
  float short_array[3];
  ExpectRefusal(g.Run({few_array}, {out}), RESIDUE_SIZE_MISMATCH, nullptr, "inputs", 0, 3, 4);
  ExpectRefusal(g.Run({short_array}, {out}), RESIDUE_SIZE_MISMATCH, nullptr, "inputs", 0, 3, 4);
  ExpectRefusal(g.Run({in}, {short_array}), RESIDUE_SIZE_MISMATCH, nullptr, "outputs", 0, 3, 4);
  ExpectRefusal(g.Run({in}, {few}), RESIDUE_SIZE_MISMATCH, nullptr, "outputs", 0, 3, 4);
  ExpectRefusal(g.Run({in, in}, {out}), RESIDUE_INVALID_OPERAND_COUNT, nullptr, "number of inputs", -1, 2, 1);
  EXPECT_EQ(g.Run({nullptr}, {out}).status(), RESIDUE_NULL_POINTER);
}

// More inputs than are kept on the stack.
TEST(CppApiTest, GraphsOfManyInputs) {
  residue::Graph g;
  auto sum = g.Input<int32_t>({1});
  for (int i = 1; i < 20; ++i) sum = g.ModulusFloor(sum, g.Input<int32_t>({1}));
  g.Output(sum);
  ASSERT_TRUE(g.Compile());
  const std::vector<int32_t> x = {1000};
  std::vector<int32_t> out(1);
  const std::vector<int32_t> last = {7};
  ASSERT_TRUE(g.Run({x, last, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x}, {out}));
  EXPECT_EQ(out[0], 1000 % 7);
}

TEST(CppApiTest, PlansTakeEmptyOptions) {
  residue::Plan<float> plan;
  const std::vector<float> a = {1, 2};
  std::vector<float> out(2);
  ASSERT_TRUE(plan.Prepare(RESIDUE_IDENTITY, a, out));
  ASSERT_TRUE(plan.Run(a.data(), out.data(), {}));
  EXPECT_EQ(out, a);
}

TEST(CppApiTest, GraphsSayWhatDidNotFit) {
  residue::Graph sizes;
  const auto two = sizes.Input<float>({2});
  const auto three = sizes.Input<float>({3});
  const auto wrong = sizes.ModulusFloor(two, three);
  sizes.Output(sizes.Identity(wrong));
  ExpectRefusal(sizes.Compile(), RESIDUE_SIZE_MISMATCH, "b", "sizes", 0, 3, 2);
  EXPECT_EQ(sizes.Run({}, {}).status(), RESIDUE_NOT_COMPILED);
  EXPECT_EQ(sizes.description(), "");

  residue::Graph number;
  number.Output(number.ModulusFloor(number.Input<uint8_t>({2}), 256));
  ExpectRefusal(number.Compile(), RESIDUE_NUMBER_NOT_REPRESENTABLE, "b", "value", -1, 256, 255);

  residue::Graph choice;  // museum own-200: which of three
  const auto condition = choice.Input<uint8_t>({2});
  choice.Output(choice.If(condition, choice.Input<int8_t>({2}), -129));
  ExpectRefusal(choice.Compile(), RESIDUE_NUMBER_NOT_REPRESENTABLE, "c", "value", -1, -129, -128);

  residue::Graph negative;
  negative.Output(negative.Identity(negative.Input<float>({2, -1})));
  ExpectRefusal(negative.Compile(), RESIDUE_INVALID_VIEW, "tensor", "sizes", 1, -1, 0);

  residue::Graph large;
  large.Output(large.Input<double>({INT64_MAX, 4}));
  EXPECT_EQ(large.Compile().status(), RESIDUE_TOO_LARGE);

  residue::Graph other;
  other.Output(three);
  EXPECT_EQ(other.Compile().status(), RESIDUE_INVALID_TENSOR);

  residue::Graph same;  // a tensor with a number that this one has as well
  const auto own = same.Input<float>({3});
  same.Output(same.ModulusFloor(own, two));
  EXPECT_EQ(same.Compile().status(), RESIDUE_INVALID_TENSOR);

  residue::Graph nothing;
  nothing.Input<float>({2});
  EXPECT_EQ(nothing.Compile().status(), RESIDUE_NO_OUTPUT);
}

// Bounds have the type of the elements, wherever that comes from.
TEST(CppApiTest, BoundsBesideNumbers) {
  const std::vector<float> b = {7.0f, -1.0f};
  EXPECT_EQ(residue::ClipGrad(1, b, 0.0f, 2.0f), b);
  std::vector<float> out(2);
  ASSERT_TRUE(residue::ClipGrad(1, b, 0.0f, 2.0f, out));
  EXPECT_EQ(out, b);
  ASSERT_TRUE(residue::Clip(5, 0.0f, 3.0f, out));
  EXPECT_EQ(out, (std::vector<float>{3.0f, 3.0f}));
  residue::Graph g;
  g.Output(g.ClipGrad(1.0f, g.Input<float>({2}), 0.0f, 2.0f));
  ASSERT_TRUE(g.Compile());
  ASSERT_TRUE(g.Run({b}, {out}));
  EXPECT_EQ(out, b);
}

}  // namespace
