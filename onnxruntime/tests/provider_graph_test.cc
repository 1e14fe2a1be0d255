// The execution provider on whole models: groups of nodes, shapes that change, threads.
#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <set>
#include <string>
#include <thread>

#include "image_digest.h"
#include "provider_fixture.h"
#include "random_model.h"
#include "random_tensor.h"
#include "support/tier.h"

namespace residue::ort::testing {
namespace {

RandomModel MakeSeededModel(uint64_t seed, const Session::Settings& settings) {
  std::mt19937_64 random(seed);
  return MakeRandomModel(2 + random() % 39, settings, [&](uint64_t bound) { return random() % bound; });
}

TEST_F(ProviderTest, RandomGraphsAreTheirNodes) {
  std::set<std::string> seen;
  for (uint64_t seed = 1; seed <= ::residue::testing::ByTier(40, 150, 1000); ++seed) {
    Session::Settings settings = Provided(false);
    const RandomModel made = MakeSeededModel(seed, settings);
    if (made.model.nodes.empty()) continue;
    for (const Node& node : made.model.nodes) seen.insert(node.op);
    settings.threads = seed % 2 == 0 ? 2 : 1;
    const std::vector<Tensor> got = Session(made.model, settings).Run(made.inputs);
    for (size_t i = 0; i < got.size(); ++i) {
      const std::string& name = made.model.outputs[i].name;
      const Tensor& wanted = made.alone.at(name);
      ASSERT_TRUE(got[i].bytes == wanted.bytes && got[i].shape == wanted.shape)
          << "seed " << seed << ", " << name;
    }
  }
  if (::residue::testing::CurrentTier() == ::residue::testing::Tier::kQuick)
    return;  // too few for all of them
#define RESIDUE_ONNX(Name, first, ...) \
  EXPECT_TRUE((first) > kRandomOpset || seen.contains(#Name)) << #Name " is in no graph";
#include "onnx_operators.def"
}

// The same on every processor, instruction set and ONNX Runtime.
TEST_F(ProviderTest, ARealModelHasItsDigest) {
  EXPECT_EQ(DigestImage(30'000, Provided()), 0x77cba47e0ea019f1u);
  if (::residue::testing::CurrentTier() != ::residue::testing::Tier::kNightly) return;
  EXPECT_EQ(DigestImage(10'000'000, Provided()), 0x1bdc50633e5ab9ceu);
}

// One session, shapes that change: scalars, nothing at all, more dimensions than a run can have.
TEST_F(ProviderTest, ShapesMayChangeFromRunToRun) {
  Model model;
  model.opset = 13;
  model.inputs = {{"a", ElementType::kFloat, std::nullopt}, {"b", ElementType::kFloat, std::nullopt}};
  model.nodes = {{.op = "Mul", .inputs = {"a", "b"}, .outputs = {"t"}, .domain = "", .attributes = {}},
                 {.op = "Add", .inputs = {"t", "a"}, .outputs = {"y"}, .domain = "", .attributes = {}}};
  model.outputs = {{"y", ElementType::kFloat, std::nullopt}};
  const Session session(model, Provided());
  const Session built_in(model, BuiltIn());
  std::mt19937_64 random(3);
  const std::vector<std::vector<int64_t>> shapes[] = {
      {{}, {}},
      {{1}, {3}},
      {{4, 1}, {1, 5}},
      {{0}, {1}},
      {{2, 0, 3}, {3}},
      {{7}, {}},
      {{1, 1}, {1}},
      {{1, 2, 1, 2, 1, 2, 1, 2, 1, 2}, {1, 2, 1, 2, 1, 2, 1, 2, 1, 2}},
      {{3, 4, 5}, {4, 1}},
      {{2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 3}, {1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1}},
      {{2, 1, 3, 1, 2, 1, 2, 1, 2, 1, 2, 1}, {1, 2, 1, 2, 1, 2, 1, 2}},
      {{100'000}, {100'000}}};
  for (int round = 0; round < 3; ++round) {
    for (const auto& pair : shapes) {
      const std::vector<Tensor> inputs = {RandomTensor(ElementType::kFloat, pair[0], random),
                                          RandomTensor(ElementType::kFloat, pair[1], random)};
      const Tensor got = session.Run(inputs)[0];
      const Tensor expected = built_in.Run(inputs)[0];
      EXPECT_EQ(Difference(got, expected), "") << pair[0].size() << " dimensions";
    }
  }
  EXPECT_THROW(session.Run({RandomTensor(ElementType::kFloat, {3}, random),
                            RandomTensor(ElementType::kFloat, {4}, random)}),
               Error);
}

Node MakeNode(const char* op, std::vector<std::string> inputs, std::string output) {
  return {
      .op = op, .inputs = std::move(inputs), .outputs = {std::move(output)}, .domain = "", .attributes = {}};
}

// More nodes than one graph of the library has room for, and in a time that grows with their number. Before a
// commit fewer, because ONNX Runtime itself takes seconds for them.
TEST_F(ProviderTest, VeryLongChains) {
  const auto nodes = static_cast<int>(::residue::testing::ByTier(1'000, 70'000, 70'000));
  Model model;
  model.opset = 13;
  model.inputs = {{"x0", ElementType::kFloat, std::nullopt}, {"one", ElementType::kFloat, std::nullopt}};
  for (int i = 0; i < nodes; ++i) {
    model.nodes.push_back(MakeNode("Add", {"x" + std::to_string(i), "one"}, "x" + std::to_string(i + 1)));
  }
  model.outputs = {{"x" + std::to_string(nodes), ElementType::kFloat, std::nullopt}};
  const auto floats = [](const std::vector<float>& values) {
    return Tensor::Of(ElementType::kFloat, {static_cast<int64_t>(values.size())}, values);
  };
  const Tensor got =
      Session(model, Provided(false)).Run({floats({0, 1, -static_cast<float>(nodes)}), floats({1})})[0];
  EXPECT_EQ(got.Values<float>(),
            (std::vector<float>{static_cast<float>(nodes), static_cast<float>(nodes + 1), 0}));
}

// One result has no elements, another has, of few dimensions and of many.
TEST_F(ProviderTest, SomeResultsAreEmpty) {
  Model model;
  model.opset = 13;
  for (const char* name : {"x", "z", "v", "w"})
    model.inputs.push_back({name, ElementType::kFloat, std::nullopt});
  // Dropout is ONNX Runtime's own: its empty tensors have no memory.
  model.nodes = {MakeNode("Dropout", {"z"}, "y"), MakeNode("Exp", {"x"}, "t"),
                 MakeNode("Add", {"t", "y"}, "empty"), MakeNode("Add", {"t", "v"}, "s"),
                 MakeNode("Add", {"s", "w"}, "full")};
  for (const char* name : {"t", "empty", "full"})
    model.outputs.push_back({name, ElementType::kFloat, std::nullopt});
  const Session session(model, Provided(false));
  std::mt19937_64 random(7);
  const std::vector<std::vector<int64_t>> cases[] = {
      {{2, 1}, {1, 0}, {2, 1}, {1, 3}},
      {{1}, {0}, {2, 1, 2, 1, 2, 1, 2, 1, 2, 1}, {1, 2, 1, 2, 1, 2, 1, 2, 1, 2}},
      {{}, {0, int64_t{1} << 40, int64_t{1} << 40}, {3}, {}}};
  for (const auto& shapes : cases) {
    std::vector<Tensor> inputs;
    for (const std::vector<int64_t>& shape : shapes)
      inputs.push_back(RandomTensor(ElementType::kFloat, shape, random));
    const std::vector<Tensor> got = session.Run(inputs);
    const Model sum = OneNode({.op = "Sum", .inputs = {}, .outputs = {}, .domain = "", .attributes = {}},
                              std::vector<ElementType>(3, ElementType::kFloat), ElementType::kFloat, 13);
    EXPECT_EQ(Difference(got[2], Session(sum, BuiltIn()).Run({got[0], inputs[2], inputs[3]})[0]), "");
    EXPECT_EQ(got[1].bytes, "");
    EXPECT_EQ(got[0].shape, inputs[0].shape);
  }
}

// A branch reads what a group computes, and the group what the branch computes: two groups.
TEST_F(ProviderTest, BranchesReadToo) {
  const auto branch = [](const char* op) {
    Graph graph;
    graph.nodes = {MakeNode(op, {"a"}, "r")};
    graph.outputs = {{"r", ElementType::kFloat, std::nullopt}};
    return graph;
  };
  Model model;
  model.opset = 13;
  model.inputs = {{"x", ElementType::kFloat, Dimensions{"n"}},
                  {"c", ElementType::kBool, Dimensions{}},
                  {"i", ElementType::kInt32, Dimensions{"n"}},
                  {"j", ElementType::kInt32, Dimensions{"n"}}};
  Node choice = MakeNode("If", {"c"}, "b");
  choice.attributes = {{"then_branch", std::vector<Graph>{branch("Neg")}},
                       {"else_branch", std::vector<Graph>{branch("Abs")}}};
  model.nodes = {MakeNode("Exp", {"x"}, "a"), choice, MakeNode("Add", {"a", "b"}, "y"),
                 MakeNode("Div", {"i", "j"}, "k")};
  model.outputs = {{"y", ElementType::kFloat, Dimensions{"n"}}, {"k", ElementType::kInt32, Dimensions{"n"}}};
  const std::vector<Tensor> got = Session(model, Provided(false))
                                      .Run({Tensor::Of<float>(ElementType::kFloat, {2}, {0.5f, 1}),
                                            Tensor::Of<char>(ElementType::kBool, {}, {1}),
                                            Tensor::Of<int32_t>(ElementType::kInt32, {2}, {7, 7}),
                                            Tensor::Of<int32_t>(ElementType::kInt32, {2}, {0, 2})});
  EXPECT_EQ(got[0].Values<float>(), (std::vector<float>{0, 0}));
  // The built-in provider fails where a divisor is 0.
  EXPECT_EQ(got[1].Values<int32_t>(), (std::vector<int32_t>{0, 3}));
}

// Three inputs, three nodes, two outputs.
Model ThreeOfEach() {
  Model model;
  model.opset = 13;
  for (const char* name : {"a", "b", "c"}) model.inputs.push_back({name, ElementType::kFloat, std::nullopt});
  model.nodes = {MakeNode("Mul", {"a", "b"}, "t"), MakeNode("Tanh", {"t"}, "y"),
                 MakeNode("Max", {"y", "c"}, "z")};
  for (const char* name : {"y", "z"}) model.outputs.push_back({name, ElementType::kFloat, std::nullopt});
  return model;
}

// One session, more shapes than are kept, from several threads.
TEST_F(ProviderTest, ManyThreadsAtOnce) {
  const Model model = ThreeOfEach();
  Session::Settings settings = Provided(false);
  settings.threads = 2;
  const Session session(model, settings);
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (uint64_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      std::mt19937_64 random(t);
      for (int64_t n = 1; n <= 25; ++n) {
        std::vector<Tensor> inputs;
        for (size_t i = 0; i < model.inputs.size(); ++i)
          inputs.push_back(RandomTensor(ElementType::kFloat, {n * 100}, random));
        const std::vector<Tensor> first = session.Run(inputs);
        const std::vector<Tensor> second = session.Run(inputs);
        for (size_t i = 0; i < first.size(); ++i) wrong += first[i].bytes != second[i].bytes;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace residue::ort::testing
