// Shapes: broadcasting against the definition, scalars, nothing at all, and dimensions that are not known
// before a session runs.
#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "mod_model.h"

namespace residue::ort::testing {
namespace {

constexpr uint64_t kSeed = 20260902;

using Shape = std::vector<int64_t>;

size_t Count(const Shape& shape) {
  return static_cast<size_t>(std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>()));
}

// Dimension i of a shape that is stretched to `rank` dimensions.
int64_t SizeAt(const Shape& shape, size_t rank, size_t i) {
  const size_t missing = rank - shape.size();
  return i < missing ? 1 : shape[i - missing];
}

Shape Stretched(const Shape& a, const Shape& b) {
  Shape stretched(std::max(a.size(), b.size()));
  for (size_t i = 0; i < stretched.size(); ++i) {
    const int64_t of_a = SizeAt(a, stretched.size(), i);
    stretched[i] = of_a == 1 ? SizeAt(b, stretched.size(), i) : of_a;
  }
  return stretched;
}

// Which element of a tensor lies under element `index` of the stretched one.
size_t Under(const Shape& shape, const Shape& stretched, size_t index) {
  size_t under = 0;
  size_t step = 1;
  for (size_t i = stretched.size(); i-- > 0;) {
    const auto at = index % static_cast<size_t>(stretched[i]);
    index /= static_cast<size_t>(stretched[i]);
    const auto own = static_cast<size_t>(SizeAt(shape, stretched.size(), i));
    if (own != 1) under += at * step;
    step *= own;
  }
  return under;
}

int32_t FloorRemainder(int32_t a, int32_t b) {
  if (b == 0) return 0;
  const int32_t remainder = a % b;
  return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder;
}

void CheckBroadcast(const Shape& a, const Shape& b, std::mt19937_64& random) {
  const auto numbers = [&](const Shape& shape) {
    std::vector<int32_t> values(Count(shape));
    for (int32_t& value : values) value = static_cast<int32_t>(random() % 2000) - 1000;
    return values;
  };
  const std::vector<int32_t> x = numbers(a);
  const std::vector<int32_t> y = numbers(b);
  const Session session(ModModel(ElementType::kInt32, 0, a.size(), b.size()), {Use::kReplaced, 1});
  const Tensor result =
      session.Run({Tensor::Of(ElementType::kInt32, a, x), Tensor::Of(ElementType::kInt32, b, y)})[0];
  const Shape stretched = Stretched(a, b);
  ASSERT_EQ(result.shape, stretched);
  std::vector<int32_t> expected(Count(stretched));
  for (size_t i = 0; i < expected.size(); ++i)
    expected[i] = FloorRemainder(x[Under(a, stretched, i)], y[Under(b, stretched, i)]);
  ASSERT_EQ(result.Values<int32_t>(), expected);
}

TEST(ShapeTest, AnyTwoThatBroadcast) {
  std::mt19937_64 random(kSeed);
  const auto below = [&](uint64_t n) { return static_cast<size_t>(random() % n); };
  for (int round = 0; round < 200; ++round) {
    SCOPED_TRACE("seed " + std::to_string(kSeed) + " round " + std::to_string(round));
    const size_t rank = 1 + below(10);
    Shape shape(rank);
    for (int64_t& size : shape) size = static_cast<int64_t>(1 + below(rank > 6 ? 2 : 4));
    if (round % 20 == 0) shape[below(rank)] = 0;
    const auto part_of = [&] {
      Shape part(shape.begin() + static_cast<ptrdiff_t>(below(2) == 0 ? below(rank + 1) : 0), shape.end());
      for (int64_t& size : part) {
        if (below(3) == 0) size = 1;
      }
      return part;
    };
    const Shape a = part_of();
    const Shape b = part_of();
    ASSERT_NO_FATAL_FAILURE(CheckBroadcast(a, b, random));
  }
}

// Dimensions that cannot be joined, and more of them than libresidue has.
TEST(ShapeTest, StretchedByTurns) {
  std::mt19937_64 random(kSeed + 1);
  for (size_t rank = 7; rank <= 13; ++rank) {
    SCOPED_TRACE("rank " + std::to_string(rank));
    Shape a(rank);
    Shape b(rank);
    for (size_t i = 0; i < rank; ++i) (i % 2 == 0 ? a : b)[i] = 2, (i % 2 == 0 ? b : a)[i] = 1;
    ASSERT_NO_FATAL_FAILURE(CheckBroadcast(a, b, random));
    a[0] = b[0] = 3;
    ASSERT_NO_FATAL_FAILURE(CheckBroadcast(a, b, random));
  }
}

TEST(ShapeTest, ScalarsAndNothing) {
  std::mt19937_64 random(kSeed + 2);
  CheckBroadcast({}, {}, random);
  CheckBroadcast({2, 3}, {}, random);
  CheckBroadcast({}, {3}, random);
  CheckBroadcast({0}, {0}, random);
  CheckBroadcast({0}, {1}, random);
  CheckBroadcast({4, 0}, {4, 1}, random);
}

TEST(ShapeTest, Bfloat16IsStretchedToo) {
  // 5.5, -5.5 and 7 by 2 and -2.
  const std::vector<uint16_t> a = {0x40B0, 0xC0B0, 0x40E0};
  const std::vector<uint16_t> b = {0x4000, 0xC000};
  const Session session(ModModel(ElementType::kBfloat16, 0, 2, 1), {Use::kReplaced, 1});
  const Tensor y = session.Run(
      {Tensor::Of(ElementType::kBfloat16, {3, 1}, a), Tensor::Of(ElementType::kBfloat16, {2}, b)})[0];
  EXPECT_EQ(y.shape, (Shape{3, 2}));
  EXPECT_EQ(y.Values<uint16_t>(), (std::vector<uint16_t>{0x3FC0, 0xBF00, 0x3F00, 0xBFC0, 0x3F80, 0xBF80}));
}

// What comes after a Mod must not be told a shape that is not true. An input of unknown rank looks like a
// scalar to an operator that infers shapes.
TEST(ShapeTest, OfUnknownRank) {
  const std::vector<int64_t> a = {-7, 8, 9, 10, -11, 12};
  const std::vector<int64_t> b = {5, 4, 3};
  for (const bool is_b_known : {false, true}) {
    Model model;
    model.nodes = {{"Mod", {"a", "b"}, {"y"}, "", {}}, {"Shape", {"y"}, {"shape"}, "", {}}};
    model.inputs = {{"a", ElementType::kInt64, {}}, {"b", ElementType::kInt64, {}}};
    if (is_b_known) model.inputs[1].dimensions = Dimensions{"3"};
    model.outputs = {{"y", ElementType::kInt64, {}}, {"shape", ElementType::kInt64, {}}};
    const Session session(model, {Use::kReplaced, 1});
    const std::vector<Tensor> results =
        session.Run({Tensor::Of(ElementType::kInt64, {2, 3}, a), Tensor::Of(ElementType::kInt64, {3}, b)});
    EXPECT_EQ(results[0].shape, (Shape{2, 3}));
    EXPECT_EQ(results[0].Values<int64_t>(), (std::vector<int64_t>{3, 0, 0, 0, 1, 0}));
    EXPECT_EQ(results[1].Values<int64_t>(), (std::vector<int64_t>{2, 3}));
  }
}

TEST(ShapeTest, OfUnknownRankBeforeAProduct) {
  Model model;
  model.nodes = {{"Mod", {"a", "b"}, {"r"}, "", {{"fmod", 1}}}, {"MatMul", {"r", "r"}, {"y"}, "", {}}};
  model.inputs = {{"a", ElementType::kFloat, {}}, TensorSpec::Of("b", ElementType::kFloat, {})};
  model.outputs = {{"y", ElementType::kFloat, {}}};
  const Session session(model, {Use::kReplaced, 1});
  const Tensor y = session.Run({Tensor::Of(ElementType::kFloat, {2, 2}, std::vector<float>{6, 7, 8, 9}),
                                Tensor::Of(ElementType::kFloat, {}, std::vector<float>{5})})[0];
  EXPECT_EQ(y.Values<float>(), (std::vector<float>{7, 10, 15, 22}));
}

// ONNX Runtime takes dimensions of one name for equal, and lets what comes later have the memory of what came
// before. n is 1 here, so the result's dimension is m.
TEST(ShapeTest, NamesAreOfDimensionsThatAreEqual) {
  Model model;
  model.nodes = {{"Neg", {"a"}, {"p"}, "", {}},
                 {"Mod", {"p", "b"}, {"q"}, "", {}},
                 {"Neg", {"q"}, {"r"}, "", {}},
                 {"Neg", {"r"}, {"y"}, "", {}}};
  model.inputs = {{"a", ElementType::kInt64, Dimensions{"n"}}, {"b", ElementType::kInt64, Dimensions{"m"}}};
  model.outputs = {{"y", ElementType::kInt64, {}}};
  const Session session(model, {Use::kReplaced, 1});
  const Tensor y = session.Run({Tensor::Of(ElementType::kInt64, {1}, std::vector<int64_t>{-7}),
                                Tensor::Of(ElementType::kInt64, {1000}, std::vector<int64_t>(1000, 4))})[0];
  EXPECT_EQ(y.Values<int64_t>(), std::vector<int64_t>(1000, 3));
}

}  // namespace
}  // namespace residue::ort::testing
