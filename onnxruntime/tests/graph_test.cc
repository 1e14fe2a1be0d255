// Mod inside of models and programs: with other operators, in branches, as constants, in place, on many
// threads.
#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <thread>

#include "mod_model.h"

namespace residue::ort::testing {
namespace {

// Our own operators, in a graph with those of others, and more than one of ours.
TEST(GraphTest, WithOperatorsOfOthers) {
  Model model;
  model.nodes = {
      {"Add", {"a", "b"}, {"sum"}, "", {}},
      {"ModulusFloor", {"sum", "b"}, {"floor"}, "residue", {}},
      {"ModulusTruncate", {"sum", "b"}, {"truncate"}, "residue", {}},
      {"Mul", {"floor", "truncate"}, {"product"}, "", {}},
      {"Mod", {"product", "b"}, {"y"}, "", {{"fmod", 1}}},
  };
  model.inputs = {{"a", ElementType::kInt64, Dimensions{"n"}}, {"b", ElementType::kInt64, Dimensions{"1"}}};
  model.outputs = {{"y", ElementType::kInt64, Dimensions{"n"}},
                   {"floor", ElementType::kInt64, Dimensions{"n"}}};
  for (const Use use : {Use::kLibrary, Use::kReplaced}) {
    const Session session(model, {use, 1});
    const std::vector<Tensor> results =
        session.Run({Tensor::Of(ElementType::kInt64, {4}, std::vector<int64_t>{-20, -1, 5, 100}),
                     Tensor::Of(ElementType::kInt64, {1}, std::vector<int64_t>{7})});
    // Sums -13, 6, 12, 107: floored 1, 6, 5, 2; truncated -6, 6, 5, 2; products -6, 36, 25, 4.
    EXPECT_EQ(results[1].Values<int64_t>(), (std::vector<int64_t>{1, 6, 5, 2}));
    EXPECT_EQ(results[0].Values<int64_t>(), (std::vector<int64_t>{-6, 1, 4, 4}));
  }
}

TEST(GraphTest, ManyRunsAndSessionsAtOnce) {
  const Session shared(ModModel(ElementType::kFloat, 0), {Use::kReplaced, 2});
  std::vector<float> a(300'000);
  for (size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i) - 150'000.0f;
  const Tensor left = Tensor::Of(ElementType::kFloat, {static_cast<int64_t>(a.size())}, a);
  const Tensor right = Tensor::Of(ElementType::kFloat, {1}, std::vector<float>{7.25f});
  const std::string expected = shared.Run({left, right})[0].bytes;
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 8; ++i) {
        if (t % 2 == 0) {
          wrong += shared.Run({left, right})[0].bytes != expected;
        } else {
          const Session own(ModModel(ElementType::kFloat, 0), {Use::kReplaced, 1});
          wrong += own.Run({left, right})[0].bytes != expected;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(GraphTest, SessionsWithoutUsAreLeftAlone) {
  const Session replaced(ModModel(ElementType::kInt64, 1), {Use::kReplaced, 1});
  EXPECT_EQ((Mod<int64_t>({(int64_t{1} << 53) + 1}, {10}, 1, Use::kBuiltIn)), std::vector<int64_t>{2});
  EXPECT_EQ((Mod<int64_t>({(int64_t{1} << 53) + 1}, {10}, 1, Use::kLibrary)), std::vector<int64_t>{2});
}

TEST(GraphTest, InABranch) {
  const auto branch = [](int64_t fmod) {
    Graph graph;
    graph.nodes = {{"Mod", {"a", "b"}, {"r"}, "", {{"fmod", fmod}}}};
    graph.outputs = {{"r", ElementType::kInt64, {}}};
    return std::vector<Graph>{graph};
  };
  Model model;
  model.nodes = {{"If", {"floor"}, {"y"}, "", {{"then_branch", branch(0)}, {"else_branch", branch(1)}}}};
  constexpr ElementType kBool{9};
  model.inputs = {TensorSpec::Of("floor", kBool, {}), TensorSpec::Of("a", ElementType::kInt64, {1}),
                  TensorSpec::Of("b", ElementType::kInt64, {1})};
  model.outputs = {{"y", ElementType::kInt64, {}}};
  const Session session(model, {Use::kReplaced, 1});
  const Tensor a = Tensor::Of(ElementType::kInt64, {1}, std::vector<int64_t>{-(int64_t{1} << 53) - 1});
  const Tensor b = Tensor::Of(ElementType::kInt64, {1}, std::vector<int64_t>{10});
  EXPECT_EQ(session.Run({{kBool, {}, std::string(1, 1)}, a, b})[0].Values<int64_t>()[0], 7);
  EXPECT_EQ(session.Run({{kBool, {}, std::string(1, 0)}, a, b})[0].Values<int64_t>()[0], -3);
}

TEST(GraphTest, ConstantsAtEveryLevelOfOptimization) {
  for (const int level : {0, 1, 2, 99}) {
    Session::Settings settings;
    settings.optimization = level;
    const Session session(ConstantModel<int32_t>(std::numeric_limits<int32_t>::min(), -1), settings);
    EXPECT_EQ(session.Run({})[0].Values<int32_t>(), std::vector<int32_t>{0}) << "level " << level;
  }
}

TEST(GraphTest, InTheMemoryOfAnInput) {
  const std::vector<Tensor> inputs = {
      Tensor::Of(ElementType::kInt16, {3}, std::vector<int16_t>{-7, 8, INT16_MIN}),
      Tensor::Of(ElementType::kInt16, {3}, std::vector<int16_t>{5, -5, -1})};
  const Session session(ModModel(ElementType::kInt16, 0), {Use::kReplaced, 1});
  for (const size_t input : {0u, 1u})
    EXPECT_EQ(session.RunInPlace(inputs, input).Values<int16_t>(), (std::vector<int16_t>{3, -2, 0}));
}

// ONNX Runtime can let its threads take subnormal numbers for zero; ours are computed all the same.
TEST(GraphTest, SubnormalNumbersAreNumbers) {
  const float tiny = std::numeric_limits<float>::denorm_min();
  std::vector<float> a(300'000, 7 * tiny);
  const Tensor dividends = Tensor::Of(ElementType::kFloat, {static_cast<int64_t>(a.size())}, a);
  const Tensor divisor = Tensor::Of(ElementType::kFloat, {1}, std::vector<float>{4 * tiny});
  const std::string expected = Tensor::Of(ElementType::kFloat, {static_cast<int64_t>(a.size())},
                                          std::vector<float>(a.size(), 3 * tiny))
                                   .bytes;
  for (const int threads : {1, 2}) {
    Session::Settings settings;
    settings.threads = threads;
    settings.entries = {{"session.set_denormal_as_zero", "1"}};
    const Session session(ModModel(ElementType::kFloat, 1), settings);
    // In a thread of its own, which ONNX Runtime may leave changed.
    std::thread([&] { EXPECT_EQ(session.Run({dividends, divisor})[0].bytes, expected); }).join();
  }
}

}  // namespace
}  // namespace residue::ort::testing
