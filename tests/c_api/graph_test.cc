// Graphs as a caller sees them: whatever is fused, the bits are those of one node after the other by the
// reference, on every target; memory is what was promised; what is hostile is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "residue/residue.h"
#include "support/tier.h"
#include "verification/random.h"

namespace residue::testing {
namespace {

constexpr int64_t kFloat = sizeof(float);

// Debian's oneTBB is not built for ThreadSanitizer.
#if defined(__SANITIZE_THREAD__)
constexpr uint32_t kThreadCounts[] = {1};
#else
constexpr uint32_t kThreadCounts[] = {1, 0};
#endif

// A residue_graph that is destroyed at the end.
class TestGraph {
 public:
  TestGraph() { EXPECT_EQ(residue_graph_create(&graph_), RESIDUE_OK); }
  ~TestGraph() { residue_graph_destroy(graph_); }
  TestGraph(const TestGraph&) = delete;
  TestGraph& operator=(const TestGraph&) = delete;

  uint32_t Tensor(residue_tensor_kind kind, uint64_t bytes, const void* data = nullptr) {
    uint32_t tensor = 0;
    EXPECT_EQ(residue_graph_add_tensor(graph_, kind, bytes, data, &tensor), RESIDUE_OK) << Text();
    return tensor;
  }
  std::string Text() const {
    char text[20'000] = "";
    residue_graph_describe(graph_, text, sizeof(text));
    return text;
  }
  size_t Passes() const {
    const std::string text = Text();
    return static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
  }
  residue_graph* get() const { return graph_; }

 private:
  residue_graph* graph_ = nullptr;
};

// An operator on tensors of one shape, with everything that the C interface points to.
struct TestNode {
  TestNode(residue_operator op, residue_type type, std::vector<uint64_t> sizes) {
    problem.size = sizeof(problem);
    problem.op = op;
    problem.rank = static_cast<uint32_t>(sizes.size());
    std::copy(sizes.begin(), sizes.end(), problem.sizes);
    problem.operand_count = op == RESIDUE_MODULUS_FLOOR || op == RESIDUE_MODULUS_TRUNCATE ? 3 : 2;
    for (residue_operand& operand : operands) operand.type = type;
  }
  void ScaleBias(float scale, float bias) {
    params = {scale, bias};
    has_params = true;
  }
  const residue_problem* get() {
    problem.operands = operands;
    problem.params = has_params ? &params : nullptr;
    problem.params_size = has_params ? sizeof(params) : 0;
    return &problem;
  }

  residue_problem problem = {};
  residue_operand operands[3] = {};
  residue_scale_bias params = {};
  bool has_params = false;
};

TestNode ScaleBiasNode(uint64_t count, float scale, float bias) {
  TestNode node(RESIDUE_SCALE_BIAS, RESIDUE_FLOAT32, {count});
  node.ScaleBias(scale, bias);
  node.operands[0].strides[0] = node.operands[1].strides[0] = kFloat;
  return node;
}

// x * s + b, and again, `nodes` times; returns the graph's temporary memory.
uint64_t MakeChain(TestGraph& graph, uint64_t count, uint32_t nodes, const char* target = nullptr) {
  uint32_t last = graph.Tensor(RESIDUE_TENSOR_INPUT, count * sizeof(float));
  for (uint32_t i = 0; i < nodes; ++i) {
    const uint32_t next = graph.Tensor(i + 1 == nodes ? RESIDUE_TENSOR_OUTPUT : RESIDUE_TENSOR_TEMPORARY,
                                       count * sizeof(float));
    TestNode node = ScaleBiasNode(count, 1.0f + 0.125f * static_cast<float>(i % 3), -0.25f);
    node.problem.max_target = target;
    const uint32_t tensors[] = {last, next};
    EXPECT_EQ(residue_graph_add_node(graph.get(), node.get(), tensors, nullptr), RESIDUE_OK) << graph.Text();
    last = next;
  }
  EXPECT_EQ(residue_graph_compile(graph.get()), RESIDUE_OK) << graph.Text();
  return residue_graph_temporary_size(graph.get());
}

TEST(GraphTest, AChainIsOnePassWithoutTemporaryMemory) {
  for (const uint32_t nodes : {1u, 2u, 10u, 100u}) {
    TestGraph graph;
    EXPECT_EQ(MakeChain(graph, 5000, nodes), 0u);
    EXPECT_EQ(graph.Passes(), 1u) << graph.Text();
  }
}

TEST(GraphTest, AChainHasTheBitsOfItsNodesOnEveryTarget) {
  const uint64_t count = 70'001;  // many blocks, and enough to be shared
  std::vector<float> in(count);
  Random random(Seed() + 5);
  for (float& x : in) {
    const auto bits = static_cast<uint32_t>(random.Next());
    std::memcpy(&x, &bits, sizeof(x));
  }
  std::vector<float> expected = in;
  uint32_t expected_exceptions = 0;
  for (uint32_t i = 0; i < 10; ++i) {
    TestNode node = ScaleBiasNode(count, 1.0f + 0.125f * static_cast<float>(i % 3), -0.25f);
    node.problem.max_target = "REFERENCE";
    const void* const inputs[] = {expected.data()};
    uint32_t exceptions = 0;
    const residue_options options = {1, 0, nullptr, &exceptions};
    ASSERT_EQ(residue_run(node.get(), inputs, expected.data(), &options), RESIDUE_OK);
    expected_exceptions |= exceptions;
  }
  for (uint32_t t = 0; residue_target_name(t) != nullptr; ++t) {
    TestGraph graph;
    MakeChain(graph, count, 10, residue_target_name(t));
    for (const uint32_t threads : kThreadCounts) {
      std::vector<float> out(count);
      const void* const inputs[] = {in.data()};
      void* const outputs[] = {out.data()};
      uint32_t exceptions = 0;
      const residue_options options = {threads, 0, nullptr, &exceptions};
      ASSERT_EQ(residue_graph_run(graph.get(), inputs, outputs, nullptr, &options), RESIDUE_OK);
      ASSERT_EQ(std::memcmp(out.data(), expected.data(), count * sizeof(float)), 0)
          << residue_target_name(t) << " seed " << Seed();
      EXPECT_EQ(exceptions, expected_exceptions);
      // In place: the last row writes what the first has read.
      std::vector<float> x = in;
      const void* const again[] = {x.data()};
      void* const here[] = {x.data()};
      ASSERT_EQ(residue_graph_run(graph.get(), again, here, nullptr, &options), RESIDUE_OK);
      ASSERT_EQ(std::memcmp(x.data(), expected.data(), count * sizeof(float)), 0);
      // One element further: as if the input had been copied first.
      std::vector<float> shifted(count + 1);
      std::copy(in.begin(), in.end(), shifted.begin());
      const void* const from[] = {shifted.data()};
      void* const to[] = {shifted.data() + 1};
      ASSERT_EQ(residue_graph_run(graph.get(), from, to, nullptr, &options), RESIDUE_OK);
      ASSERT_EQ(std::memcmp(shifted.data() + 1, expected.data(), count * sizeof(float)), 0);
    }
  }
}

// Museum own-174: params are no operands, for short rows and long ones, alone and in a chain.
TEST(GraphTest, SignallingParamsAreNoExceptions) {
  constexpr float kSignalling = std::bit_cast<float>(0x7F800001u);
  constexpr float kScales[][2] = {{kSignalling, 0.0f}, {1.0f, kSignalling}};
  for (uint32_t t = 0; residue_target_name(t) != nullptr; ++t) {
    for (const auto& [scale, bias] : kScales) {
      for (const uint64_t count : {uint64_t{1}, uint64_t{70}, uint64_t{3000}, uint64_t{5000}}) {
        const std::vector<float> in(count, 1.0f);
        std::vector<float> out(count);
        const void* const inputs[] = {in.data()};
        void* const outputs[] = {out.data()};
        uint32_t exceptions = 0;
        const residue_options options = {1, 0, nullptr, &exceptions};
        TestNode node = ScaleBiasNode(count, scale, bias);
        ASSERT_EQ(residue_run(node.get(), inputs, out.data(), &options), RESIDUE_OK);
        EXPECT_EQ(exceptions, 0u) << count << " elements in one call";
        node.problem.max_target = residue_target_name(t);
        ASSERT_EQ(residue_run(node.get(), inputs, out.data(), &options), RESIDUE_OK);
        EXPECT_EQ(exceptions, 0u) << count << " elements on " << residue_target_name(t);
        TestGraph graph;
        const uint32_t tensors[] = {graph.Tensor(RESIDUE_TENSOR_INPUT, count * kFloat),
                                    graph.Tensor(RESIDUE_TENSOR_TEMPORARY, count * kFloat),
                                    graph.Tensor(RESIDUE_TENSOR_OUTPUT, count * kFloat)};
        for (uint32_t k = 0; k < 2; ++k) {
          ASSERT_EQ(residue_graph_add_node(graph.get(), node.get(), tensors + k, nullptr), RESIDUE_OK);
        }
        ASSERT_EQ(residue_graph_compile(graph.get()), RESIDUE_OK);
        ASSERT_EQ(residue_graph_run(graph.get(), inputs, outputs, nullptr, &options), RESIDUE_OK);
        EXPECT_EQ(exceptions, 0u) << count << " elements in a chain on " << residue_target_name(t);
        EXPECT_TRUE(std::isnan(out[count - 1]));
      }
    }
  }
}

// x + 1 `nodes` times, each of the result before it with rows and columns exchanged, so that nothing fuses.
void MakeExchanged(TestGraph& graph, uint64_t side, uint32_t nodes) {
  const uint64_t bytes = side * side * sizeof(float);
  const int64_t row = static_cast<int64_t>(side) * kFloat;
  uint32_t last = graph.Tensor(RESIDUE_TENSOR_INPUT, bytes);
  for (uint32_t i = 1; i <= nodes; ++i) {
    const uint32_t next = graph.Tensor(i == nodes ? RESIDUE_TENSOR_OUTPUT : RESIDUE_TENSOR_TEMPORARY, bytes);
    TestNode node(RESIDUE_SCALE_BIAS, RESIDUE_FLOAT32, {side, side});
    node.ScaleBias(1.0f, 1.0f);
    node.operands[0].strides[0] = node.operands[1].strides[1] = kFloat;
    node.operands[0].strides[1] = node.operands[1].strides[0] = row;
    const uint32_t tensors[] = {last, next};
    ASSERT_EQ(residue_graph_add_node(graph.get(), node.get(), tensors, nullptr), RESIDUE_OK) << graph.Text();
    last = next;
  }
  ASSERT_EQ(residue_graph_compile(graph.get()), RESIDUE_OK) << graph.Text();
}

TEST(GraphTest, TemporariesThatDoNotMeetShareMemory) {
  constexpr uint64_t kSide = 50;
  TestGraph graph;
  MakeExchanged(graph, kSide, 100);
  EXPECT_EQ(graph.Passes(), 100u);
  EXPECT_LE(residue_graph_temporary_size(graph.get()), 2 * (kSide * kSide * sizeof(float) + 64));
  std::vector<float> in(kSide * kSide);
  std::vector<float> expected(kSide * kSide);
  for (size_t i = 0; i < in.size(); ++i) {
    in[i] = static_cast<float>(i);
    expected[i] = in[i] + 100.0f;  // exchanged an even number of times
  }
  std::vector<float> out(expected.size());
  const void* const inputs[] = {in.data()};
  void* const outputs[] = {out.data()};
  ASSERT_EQ(residue_graph_run(graph.get(), inputs, outputs, nullptr, nullptr), RESIDUE_OK);
  EXPECT_EQ(out, expected);
}

// Copies bytes from one layout to another.
TestNode ByteCopy(std::vector<uint64_t> sizes, std::vector<int64_t> from, std::vector<int64_t> to) {
  TestNode node(RESIDUE_IDENTITY, RESIDUE_UINT8, std::move(sizes));
  std::ranges::copy(from, node.operands[0].strides);
  std::ranges::copy(to, node.operands[1].strides);
  return node;
}

// Museum own-222: as many bytes as the first node's elements have of the memory of the second's, which reads
// all.
TEST(GraphTest, BytesThatNoNodeWritesAreZero) {
  constexpr uint64_t kBytes = 4096;
  for (const uint64_t written : {uint64_t{0}, uint64_t{4}, kBytes - 1}) {
    TestGraph graph;
    const uint32_t tensors[] = {graph.Tensor(RESIDUE_TENSOR_INPUT, kBytes),
                                graph.Tensor(RESIDUE_TENSOR_TEMPORARY, kBytes),
                                graph.Tensor(RESIDUE_TENSOR_OUTPUT, kBytes)};
    TestNode node = ByteCopy({written}, {1}, {1});
    ASSERT_EQ(residue_graph_add_node(graph.get(), node.get(), tensors, nullptr), RESIDUE_OK);
    node.problem.sizes[0] = kBytes;
    ASSERT_EQ(residue_graph_add_node(graph.get(), node.get(), tensors + 1, nullptr), RESIDUE_OK);
    ASSERT_EQ(residue_graph_compile(graph.get()), RESIDUE_OK);
    const std::vector<uint8_t> in(kBytes, 7);
    std::vector<uint8_t> expected(kBytes);
    std::fill_n(expected.begin(), written, uint8_t{7});
    const void* const inputs[] = {in.data()};
    for (int run = 0; run < 2; ++run) {
      std::vector<uint8_t> out(kBytes, 0xEE);
      std::vector<uint8_t> temporary(residue_graph_temporary_size(graph.get()), 0xA5);
      void* const outputs[] = {out.data()};
      ASSERT_EQ(residue_graph_run(graph.get(), inputs, outputs, temporary.data(), nullptr), RESIDUE_OK);
      EXPECT_EQ(out, expected) << written;
    }
  }
}

// Rows of three elements in memory for four: a packed view reads the fourth ones.
TEST(GraphTest, GapsBetweenStridesAreZero) {
  TestGraph graph;
  const uint32_t tensors[] = {graph.Tensor(RESIDUE_TENSOR_INPUT, 12),
                              graph.Tensor(RESIDUE_TENSOR_TEMPORARY, 16),
                              graph.Tensor(RESIDUE_TENSOR_OUTPUT, 16)};
  TestNode rows = ByteCopy({4, 3}, {3, 1}, {4, 1});
  ASSERT_EQ(residue_graph_add_node(graph.get(), rows.get(), tensors, nullptr), RESIDUE_OK);
  TestNode all = ByteCopy({16}, {1}, {1});
  ASSERT_EQ(residue_graph_add_node(graph.get(), all.get(), tensors + 1, nullptr), RESIDUE_OK);
  ASSERT_EQ(residue_graph_compile(graph.get()), RESIDUE_OK);
  const uint8_t in[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  std::vector<uint8_t> out(16, 0xEE);
  std::vector<uint8_t> temporary(residue_graph_temporary_size(graph.get()), 0xA5);
  const void* const inputs[] = {in};
  void* const outputs[] = {out.data()};
  ASSERT_EQ(residue_graph_run(graph.get(), inputs, outputs, temporary.data(), nullptr), RESIDUE_OK);
  EXPECT_EQ(out, (std::vector<uint8_t>{1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0, 10, 11, 12, 0}));
}

// Of an output, whose other bytes are the caller's, a later node reads what is written, and no more.
TEST(GraphTest, OutputsAreReadWhereTheyAreWritten) {
  TestGraph graph;
  const uint32_t tensors[] = {graph.Tensor(RESIDUE_TENSOR_INPUT, 12), graph.Tensor(RESIDUE_TENSOR_OUTPUT, 16),
                              graph.Tensor(RESIDUE_TENSOR_OUTPUT, 16)};
  TestNode rows = ByteCopy({4, 3}, {3, 1}, {4, 1});
  ASSERT_EQ(residue_graph_add_node(graph.get(), rows.get(), tensors, nullptr), RESIDUE_OK);
  TestNode all = ByteCopy({16}, {1}, {1});
  EXPECT_EQ(residue_graph_add_node(graph.get(), all.get(), tensors + 1, nullptr), RESIDUE_BYTES_NOT_WRITTEN);
  EXPECT_EQ(
      graph.Text(),
      "tensors[0]: an output is read only at bytes that its node writes: let the node write a temporary, "
      "whose other bytes are 0");
  TestNode part = ByteCopy({4, 2}, {4, 1}, {2, 1});  // the second and third of each row
  const uint64_t offsets[] = {1, 0};
  ASSERT_EQ(residue_graph_add_node(graph.get(), part.get(), tensors + 1, offsets), RESIDUE_OK)
      << graph.Text();
  ASSERT_EQ(residue_graph_compile(graph.get()), RESIDUE_OK);
}

// Strides that cross: an output is read as it was written, whatever else cannot be seen.
TEST(GraphTest, OutputsAreReadAsTheyAreWritten) {
  TestGraph graph;
  const uint32_t tensors[] = {graph.Tensor(RESIDUE_TENSOR_INPUT, 8), graph.Tensor(RESIDUE_TENSOR_OUTPUT, 8),
                              graph.Tensor(RESIDUE_TENSOR_OUTPUT, 8)};
  TestNode node = ByteCopy({3, 2}, {2, 3}, {2, 3});
  ASSERT_EQ(residue_graph_add_node(graph.get(), node.get(), tensors, nullptr), RESIDUE_OK);
  EXPECT_EQ(residue_graph_add_node(graph.get(), node.get(), tensors + 1, nullptr), RESIDUE_OK)
      << graph.Text();
}

// Many temporaries of two sizes by turns, and many at once: no two that are needed together share bytes.
TEST(GraphTest, ManyTemporaries) {
  constexpr uint32_t kNodes = 3000;
  for (const bool at_once : {false, true}) {
    TestGraph graph;
    uint32_t last = graph.Tensor(RESIDUE_TENSOR_INPUT, 8);
    std::vector<uint32_t> results;
    const auto add = [&](uint32_t from, uint32_t to, uint64_t count, int64_t step, float bias) {
      TestNode node = ScaleBiasNode(count, 1.0f, bias);
      node.operands[0].strides[0] = step;
      const uint32_t tensors[] = {from, to};
      ASSERT_EQ(residue_graph_add_node(graph.get(), node.get(), tensors, nullptr), RESIDUE_OK)
          << graph.Text();
    };
    for (uint32_t i = 0; i < kNodes; ++i) {
      const uint64_t count = 1 + i % 2;
      const uint32_t next = graph.Tensor(RESIDUE_TENSOR_TEMPORARY, count * sizeof(float));
      add(last, next, count, 0, 1.0f);
      results.push_back(next);
      last = next;
    }
    if (!at_once) results = {last};
    for (const uint32_t result : results) add(result, graph.Tensor(RESIDUE_TENSOR_OUTPUT, 8), 2, 0, 0.0f);
    ASSERT_EQ(residue_graph_compile(graph.get()), RESIDUE_OK) << graph.Text();
    EXPECT_LE(residue_graph_temporary_size(graph.get()), at_once ? (kNodes + 1) * 68 : 128u);
    const float in[] = {0.0f, 0.0f};
    std::vector<float> out(2 * results.size());
    std::vector<void*> outputs;
    for (size_t i = 0; i < results.size(); ++i) outputs.push_back(&out[2 * i]);
    const void* const inputs[] = {in};
    ASSERT_EQ(residue_graph_run(graph.get(), inputs, outputs.data(), nullptr, nullptr), RESIDUE_OK);
    for (size_t i = 0; i < results.size(); ++i) {
      const auto expected = static_cast<float>(at_once ? i + 1 : kNodes);
      ASSERT_EQ(out[2 * i], expected) << i;
      ASSERT_EQ(out[2 * i + 1], expected) << i;
    }
  }
}

// Random graphs: shapes, broadcasts, transpositions, several outputs, constants; against single nodes.
class RandomGraph {
 public:
  explicit RandomGraph(uint64_t seed) : random_(seed) {}

  void Run() {
    const residue_type types[] = {RESIDUE_FLOAT32, RESIDUE_FLOAT16, RESIDUE_FLOAT64, RESIDUE_INT8,
                                  RESIDUE_UINT16,  RESIDUE_INT32,   RESIDUE_UINT64};
    const int64_t sizes[] = {4, 2, 8, 1, 2, 4, 8};
    const size_t chosen = random_.Below(7);
    type_ = types[chosen];
    size_ = sizes[chosen];
    side_ = random_.OneIn(4) ? 1 + random_.Below(90) : 1 + random_.Below(20);
    bytes_ = side_ * side_ * static_cast<uint64_t>(size_);
    const size_t inputs = 1 + random_.Below(3);
    for (size_t i = 0; i < inputs; ++i) AddTensor(RESIDUE_TENSOR_INPUT);
    if (random_.OneIn(3)) AddTensor(RESIDUE_TENSOR_CONSTANT);
    const size_t nodes = 1 + random_.Below(random_.OneIn(4) ? 40 : 8);
    for (size_t i = 0; i < nodes; ++i) AddNode(i + 1 == nodes || random_.OneIn(4));
    ASSERT_EQ(residue_graph_compile(graph_.get()), RESIDUE_OK) << graph_.Text();
    RunAndCompare();
  }

 private:
  struct Value {
    residue_tensor_kind kind;
    std::vector<uint8_t> memory;  // of the reference
  };

  void AddTensor(residue_tensor_kind kind) {
    std::vector<uint8_t> memory(bytes_);
    const bool given = kind == RESIDUE_TENSOR_INPUT || kind == RESIDUE_TENSOR_CONSTANT;
    for (uint8_t& byte : memory) byte = given ? static_cast<uint8_t>(random_.Next()) : 0;
    graph_.Tensor(kind, bytes_, memory.data());
    values_.push_back({kind, std::move(memory)});
  }

  void AddNode(bool is_output) {
    const bool is_float = type_ == RESIDUE_FLOAT16 || type_ == RESIDUE_FLOAT32 || type_ == RESIDUE_FLOAT64;
    const residue_operator ops[] = {RESIDUE_MODULUS_FLOOR, RESIDUE_MODULUS_TRUNCATE, RESIDUE_IDENTITY,
                                    RESIDUE_SCALE_BIAS};
    const residue_operator op = ops[random_.Below(is_float ? 4 : 3)];
    // Other shapes now and then, so that not all is one pass.
    const bool flat = random_.OneIn(6);
    TestNode node(op, type_,
                  flat ? std::vector<uint64_t>{side_ * side_} : std::vector<uint64_t>{side_, side_});
    if (op == RESIDUE_SCALE_BIAS) node.ScaleBias(static_cast<float>(random_.Below(5)) - 2.0f, 0.5f);
    const auto row = static_cast<int64_t>(side_) * size_;
    uint32_t tensors[3] = {};
    const uint32_t last = node.problem.operand_count - 1;
    for (uint32_t k = 0; k <= last; ++k) {
      int64_t* strides = node.operands[k].strides;
      strides[0] = flat ? size_ : row;
      strides[1] = size_;
      if (k == last) break;
      tensors[k] =
          static_cast<uint32_t>(random_.OneIn(2) ? values_.size() - 1 : random_.Below(values_.size()));
      if (flat) continue;
      if (random_.OneIn(8)) std::swap(strides[0], strides[1]);
      if (random_.OneIn(10)) strides[random_.Below(2)] = 0;
    }
    AddTensor(is_output ? RESIDUE_TENSOR_OUTPUT : RESIDUE_TENSOR_TEMPORARY);
    tensors[last] = static_cast<uint32_t>(values_.size() - 1);
    ASSERT_EQ(residue_graph_add_node(graph_.get(), node.get(), tensors, nullptr), RESIDUE_OK)
        << graph_.Text();
    // The same node alone.
    node.problem.max_target = "REFERENCE";
    const void* inputs[3] = {};
    for (uint32_t k = 0; k < last; ++k) inputs[k] = values_[tensors[k]].memory.data();
    uint32_t exceptions = 0;
    const residue_options options = {1, 0, nullptr, &exceptions};
    ASSERT_EQ(residue_run(node.get(), inputs, values_[tensors[last]].memory.data(), &options), RESIDUE_OK);
    nodes_.push_back({tensors[last], {tensors, tensors + last}, exceptions});
  }

  void RunAndCompare() {
    std::vector<const void*> inputs;
    std::vector<std::vector<uint8_t>> results;
    std::vector<void*> outputs;
    for (const Value& value : values_) {
      if (value.kind == RESIDUE_TENSOR_INPUT) inputs.push_back(value.memory.data());
      if (value.kind == RESIDUE_TENSOR_OUTPUT) results.emplace_back(bytes_, uint8_t{0x5A});
    }
    for (auto& result : results) outputs.push_back(result.data());
    // Temporary memory of exactly the right size, full of something else.
    std::vector<uint8_t> temporary(residue_graph_temporary_size(graph_.get()), 0xA5);
    uint32_t exceptions = 0;
    const residue_options options = {static_cast<uint32_t>(random_.Below(2)), 0, nullptr, &exceptions};
    ASSERT_EQ(residue_graph_run(graph_.get(), inputs.data(), outputs.data(),
                                temporary.empty() ? nullptr : temporary.data(), &options),
              RESIDUE_OK);
    size_t output = 0;
    for (const Value& value : values_) {
      if (value.kind != RESIDUE_TENSOR_OUTPUT) continue;
      ASSERT_EQ(results[output++], value.memory) << graph_.Text();
    }
    ASSERT_EQ(exceptions, ExpectedExceptions()) << graph_.Text();
  }

  // Of the nodes that outputs depend on.
  uint32_t ExpectedExceptions() const {
    uint32_t exceptions = 0;
    std::vector<bool> wanted(values_.size());
    for (auto node = nodes_.rbegin(); node != nodes_.rend(); ++node) {
      if (!wanted[node->result] && values_[node->result].kind != RESIDUE_TENSOR_OUTPUT) continue;
      exceptions |= node->exceptions;
      for (const uint32_t tensor : node->inputs) wanted[tensor] = true;
    }
    return exceptions;
  }

  struct AddedNode {
    uint32_t result;
    std::vector<uint32_t> inputs;
    uint32_t exceptions;
  };

  Random random_;
  TestGraph graph_;
  residue_type type_ = 0;
  int64_t size_ = 0;
  uint64_t side_ = 0;
  uint64_t bytes_ = 0;
  std::vector<Value> values_;
  std::vector<AddedNode> nodes_;
};

TEST(GraphTest, RandomGraphsHaveTheBitsOfTheirNodes) {
  const uint64_t count = ByTier(800, 8'000, 400'000);
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t seed = Seed() * 1'000'003 + i;
    ASSERT_NO_FATAL_FAILURE(RandomGraph(seed).Run())
        << "graph " << i << "; repeat with RESIDUE_SEED=" << Seed()
        << " c_api_test --gtest_filter=GraphTest.RandomGraphsHaveTheBitsOfTheirNodes";
  }
}

// More values, operands and nodes than one pass holds are several passes, and the bits are the same.
TEST(GraphTest, WhatIsTooMuchForOnePassIsSeveral) {
  constexpr uint64_t kCount = 3000;
  constexpr uint64_t kBytes = kCount * sizeof(float);
  TestGraph graph;
  std::vector<std::vector<float>> inputs(30, std::vector<float>(kCount));
  std::vector<uint32_t> tensors;
  for (size_t i = 0; i < inputs.size(); ++i) {
    for (size_t k = 0; k < kCount; ++k) inputs[i][k] = static_cast<float>((k * 37 + i * 101) % 997) + 0.5f;
    tensors.push_back(graph.Tensor(RESIDUE_TENSOR_INPUT, kBytes));
  }
  // All inputs scaled first, then folded: thirty values live at once.
  std::vector<uint32_t> scaled;
  for (const uint32_t tensor : tensors) {
    TestNode node = ScaleBiasNode(kCount, 2.0f, 1.0f);
    scaled.push_back(graph.Tensor(RESIDUE_TENSOR_TEMPORARY, kBytes));
    const uint32_t used[] = {tensor, scaled.back()};
    ASSERT_EQ(residue_graph_add_node(graph.get(), node.get(), used, nullptr), RESIDUE_OK);
  }
  uint32_t folded = scaled[0];
  for (size_t i = 1; i < scaled.size(); ++i) {
    TestNode node(RESIDUE_MODULUS_FLOOR, RESIDUE_FLOAT32, {kCount});
    for (residue_operand& operand : node.operands) operand.strides[0] = kFloat;
    const uint32_t next =
        graph.Tensor(i + 1 == scaled.size() ? RESIDUE_TENSOR_OUTPUT : RESIDUE_TENSOR_TEMPORARY, kBytes);
    const uint32_t used[] = {folded, scaled[i], next};
    ASSERT_EQ(residue_graph_add_node(graph.get(), node.get(), used, nullptr), RESIDUE_OK);
    folded = next;
  }
  ASSERT_EQ(residue_graph_compile(graph.get()), RESIDUE_OK);
  EXPECT_GT(graph.Passes(), 1u);
  std::vector<float> expected(kCount);
  for (size_t k = 0; k < kCount; ++k) {
    float x = inputs[0][k] * 2.0f + 1.0f;
    for (size_t i = 1; i < inputs.size(); ++i) {
      const float y = inputs[i][k] * 2.0f + 1.0f;
      x = std::fmod(x, y);
    }
    expected[k] = x;
  }
  std::vector<const void*> from;
  for (const auto& input : inputs) from.push_back(input.data());
  std::vector<float> out(kCount);
  void* const outputs[] = {out.data()};
  ASSERT_EQ(residue_graph_run(graph.get(), from.data(), outputs, nullptr, nullptr), RESIDUE_OK);
  EXPECT_EQ(out, expected);
}

// A result that nobody reads, alone in its walk or beside others, is not computed.
TEST(GraphTest, WhatNoOutputDependsOnIsLeftOut) {
  TestGraph graph;
  const uint32_t in = graph.Tensor(RESIDUE_TENSOR_INPUT, 40);
  const uint32_t unread = graph.Tensor(RESIDUE_TENSOR_TEMPORARY, 20);
  const uint32_t only_by_unread = graph.Tensor(RESIDUE_TENSOR_TEMPORARY, 40);
  const uint32_t also_unread = graph.Tensor(RESIDUE_TENSOR_TEMPORARY, 40);
  const uint32_t out = graph.Tensor(RESIDUE_TENSOR_OUTPUT, 40);
  const auto add = [&](uint64_t count, uint32_t from, uint32_t to) {
    TestNode node = ScaleBiasNode(count, 2.0f, 0.0f);
    const uint32_t tensors[] = {from, to};
    ASSERT_EQ(residue_graph_add_node(graph.get(), node.get(), tensors, nullptr), RESIDUE_OK);
  };
  add(5, in, unread);
  add(10, in, only_by_unread);
  add(10, only_by_unread, also_unread);
  add(10, in, out);
  ASSERT_EQ(residue_graph_compile(graph.get()), RESIDUE_OK);
  EXPECT_EQ(graph.Passes(), 1u) << graph.Text();
  EXPECT_EQ(residue_graph_temporary_size(graph.get()), 0u);
  const float x[10] = {1, 2, 3};
  float y[10] = {};
  const void* const inputs[] = {x};
  void* const outputs[] = {y};
  ASSERT_EQ(residue_graph_run(graph.get(), inputs, outputs, nullptr, nullptr), RESIDUE_OK);
  EXPECT_EQ(y[2], 6.0f);
}

// Each node reads the one before it exchanged, so that runs have temporary memory, and take blocks from what
// they share. Every thread has numbers of its own.
TEST(GraphTest, OneGraphRunsOnManyThreadsAtOnce) {
  constexpr uint64_t kSide = 90;
  constexpr size_t kCount = kSide * kSide;
  TestGraph graph;
  MakeExchanged(graph, kSide, 6);
  const uint64_t temporary_bytes = residue_graph_temporary_size(graph.get());
  ASSERT_NE(temporary_bytes, 0u);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      std::vector<float> in(kCount);
      std::vector<float> expected(kCount);
      for (size_t i = 0; i < kCount; ++i) {
        in[i] = static_cast<float>(i) + 10'000.0f * static_cast<float>(t);
        expected[i] = in[i] + 6.0f;
      }
      std::vector<std::byte> temporary(temporary_bytes);
      const void* const inputs[] = {in.data()};
      for (int round = 0; round < 20; ++round) {
        std::vector<float> out(kCount);
        void* const outputs[] = {out.data()};
        const residue_options options = {1, 0, nullptr, nullptr};
        void* const given = round % 2 == 0 ? nullptr : temporary.data();
        if (residue_graph_run(graph.get(), inputs, outputs, given, &options) != RESIDUE_OK) ++wrong;
        if (out != expected) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

// So many that they are not compared each with each.
TEST(GraphTest, ManyOutputs) {
  constexpr uint32_t kOutputs = 100;
  constexpr uint64_t kCount = 4;
  constexpr uint64_t kBytes = kCount * sizeof(float);
  TestGraph graph;
  std::vector<uint32_t> tensors;
  for (uint32_t i = 0; i < kOutputs; ++i) {
    const uint32_t pair[] = {graph.Tensor(RESIDUE_TENSOR_INPUT, kBytes),
                             graph.Tensor(RESIDUE_TENSOR_OUTPUT, kBytes)};
    TestNode node = ScaleBiasNode(kCount, static_cast<float>(i), 1.0f);
    ASSERT_EQ(residue_graph_add_node(graph.get(), node.get(), pair, nullptr), RESIDUE_OK);
  }
  ASSERT_EQ(residue_graph_compile(graph.get()), RESIDUE_OK);
  // Temporary memory may begin anywhere.
  std::vector<std::byte> temporary(residue_graph_temporary_size(graph.get()) + 1);
  const std::vector<float> in(kOutputs * kCount, 2.0f);
  std::vector<float> memory(2 * kOutputs * kCount, 2.0f);
  std::vector<const void*> inputs;
  std::vector<void*> outputs;
  for (uint32_t i = 0; i < kOutputs; ++i) {
    inputs.push_back(&in[i * kCount]);
    outputs.push_back(&memory[(i * 37 % kOutputs) * kCount]);  // in no order
  }
  const auto run = [&] {
    return residue_graph_run(graph.get(), inputs.data(), outputs.data(), temporary.data() + 1, nullptr);
  };
  ASSERT_EQ(run(), RESIDUE_OK);
  for (uint32_t i = 0; i < kOutputs; ++i)
    EXPECT_EQ(memory[(i * 37 % kOutputs) * kCount], 2.0f * static_cast<float>(i) + 1.0f);
  // Over inputs, elsewhere than in place: as if these had been copied.
  std::ranges::fill(memory, 2.0f);
  for (uint32_t i = 0; i < kOutputs; ++i) inputs[i] = &memory[i * kCount + 1];
  ASSERT_EQ(run(), RESIDUE_OK);
  for (uint32_t i = 0; i < kOutputs; ++i)
    EXPECT_EQ(memory[(i * 37 % kOutputs) * kCount + 3], 2.0f * static_cast<float>(i) + 1.0f);
  outputs[3] = static_cast<float*>(outputs[71]) + 3;
  EXPECT_EQ(run(), RESIDUE_OUTPUTS_OVERLAP);
}

#if !defined(__SANITIZE_THREAD__)
// Somebody else writes to the temporary memory of a run, against all promises: results may be wrong, and no
// more. Every output lies over the inputs of others, so that some must be copied.
TEST(GraphTest, TemporaryMemoryIsNotBelieved) {
  constexpr uint32_t kOutputs = 2000;
  constexpr uint64_t kCount = 4;
  constexpr uint64_t kBytes = kCount * sizeof(float);
  TestGraph graph;
  uint32_t tensors = 0;
  for (uint32_t i = 0; i < kOutputs; ++i) {
    const uint32_t pair[] = {graph.Tensor(RESIDUE_TENSOR_INPUT, kBytes),
                             graph.Tensor(RESIDUE_TENSOR_OUTPUT, kBytes)};
    tensors = pair[1] + 1;
    TestNode node = ScaleBiasNode(kCount, 2.0f, 1.0f);
    ASSERT_EQ(residue_graph_add_node(graph.get(), node.get(), pair, nullptr), RESIDUE_OK);
  }
  ASSERT_EQ(residue_graph_compile(graph.get()), RESIDUE_OK);
  std::vector<uint32_t> temporary(residue_graph_temporary_size(graph.get()) / sizeof(uint32_t) + 1);
  std::vector<float> memory((kOutputs + 1) * kCount);
  std::vector<const void*> inputs;
  std::vector<void*> outputs;
  for (uint32_t i = 0; i < kOutputs; ++i) {
    inputs.push_back(&memory[i * kCount + 1]);
    outputs.push_back(&memory[(i * 37 % kOutputs) * kCount]);
  }
  std::atomic<bool> is_over = false;
  std::thread other([&] {
    Random random(Seed() + 6);
    while (!is_over) {
      for (uint32_t& word : temporary) {
        const auto number = static_cast<uint32_t>(random.Below(2 * tensors));
        std::atomic_ref(word).store(number < tensors ? number : ~number, std::memory_order_relaxed);
      }
    }
  });
  for (int i = 0; i < 20; ++i) {
    const residue_status status =
        residue_graph_run(graph.get(), inputs.data(), outputs.data(), temporary.data(), nullptr);
    EXPECT_TRUE(status == RESIDUE_OK || status == RESIDUE_OUTPUTS_OVERLAP) << status;
  }
  is_over = true;
  other.join();
}
#endif

// An output without elements is nowhere, so it hides no neighbours and may be null.
TEST(GraphTest, OutputsWithoutElements) {
  constexpr uint64_t kCount = 10;
  for (const size_t output_count : {size_t{3}, size_t{40}}) {  // few, and more than have room on the stack
    TestGraph graph;
    for (size_t i = 0; i < output_count; ++i) {
      const uint64_t count = i == 1 ? 0 : kCount;
      const uint32_t pair[] = {graph.Tensor(RESIDUE_TENSOR_INPUT, count * sizeof(float)),
                               graph.Tensor(RESIDUE_TENSOR_OUTPUT, count * sizeof(float))};
      TestNode node = ScaleBiasNode(count, 2.0f, 0.0f);
      ASSERT_EQ(residue_graph_add_node(graph.get(), node.get(), pair, nullptr), RESIDUE_OK) << graph.Text();
    }
    ASSERT_EQ(residue_graph_compile(graph.get()), RESIDUE_OK) << graph.Text();
    const std::vector<float> in(kCount, 3.0f);
    std::vector<float> memory(output_count * kCount);
    const std::vector<const void*> inputs(output_count, in.data());
    std::vector<void*> outputs;
    for (size_t i = 0; i < output_count; ++i) outputs.push_back(&memory[i * kCount]);
    const auto run = [&] {
      return residue_graph_run(graph.get(), inputs.data(), outputs.data(), nullptr, nullptr);
    };
    outputs[1] = nullptr;
    EXPECT_EQ(run(), RESIDUE_OK);
    outputs[1] = &memory[kCount / 2];  // amid the first
    EXPECT_EQ(run(), RESIDUE_OK);
    EXPECT_EQ(memory.back(), 6.0f);
    outputs[2] = &memory[kCount - 1];
    EXPECT_EQ(run(), RESIDUE_OUTPUTS_OVERLAP) << output_count << " outputs";
  }
}

// What residue.h promises, and not more.
TEST(GraphTest, HasRoomForManyNodesAndTensors) {
  constexpr int kNodes = 65536;
  constexpr int kTensors = 4 * kNodes;
  TestGraph graph;
  uint32_t tensors[2] = {graph.Tensor(RESIDUE_TENSOR_INPUT, 4), 0};
  const auto add = [&] {
    return residue_graph_add_node(graph.get(), ScaleBiasNode(1, 1, 0).get(), tensors, nullptr);
  };
  for (int i = 0; i < kNodes; ++i) {
    tensors[1] = graph.Tensor(RESIDUE_TENSOR_TEMPORARY, 4);
    ASSERT_EQ(add(), RESIDUE_OK) << graph.Text();
  }
  tensors[1] = graph.Tensor(RESIDUE_TENSOR_OUTPUT, 4);
  EXPECT_EQ(add(), RESIDUE_GRAPH_TOO_LARGE);
  EXPECT_EQ(graph.Text().find("nodes: 65537 was provided, but at most 65536 was expected: "), 0u)
      << graph.Text();
  const uint32_t index = graph.Tensor(RESIDUE_TENSOR_INDEX, 0);
  for (int i = kNodes + 3; i < kTensors; ++i) graph.Tensor(RESIDUE_TENSOR_INPUT, 4);
  EXPECT_EQ(graph.Tensor(RESIDUE_TENSOR_INDEX, 0), index) << "it is there already";
  uint32_t tensor = 0;
  EXPECT_EQ(residue_graph_add_tensor(graph.get(), RESIDUE_TENSOR_INPUT, 4, nullptr, &tensor),
            RESIDUE_GRAPH_TOO_LARGE);
  EXPECT_EQ(graph.Text().find("tensors: 262145 was provided, but at most 262144 was expected: "), 0u)
      << graph.Text();
}

TEST(GraphTest, RefusalsAreToldAndLeaveTheGraphAsItWas) {
  TestGraph graph;
  const uint32_t in = graph.Tensor(RESIDUE_TENSOR_INPUT, 40);
  const uint32_t out = graph.Tensor(RESIDUE_TENSOR_OUTPUT, 40);
  const uint32_t temporary = graph.Tensor(RESIDUE_TENSOR_TEMPORARY, 40);
  const auto add = [&](TestNode node, uint32_t a, uint32_t b, const uint64_t* offsets = nullptr) {
    const uint32_t tensors[] = {a, b};
    return residue_graph_add_node(graph.get(), node.get(), tensors, offsets);
  };
  EXPECT_EQ(residue_graph_compile(graph.get()), RESIDUE_TENSOR_NOT_WRITTEN) << "nobody writes the output";
  EXPECT_EQ(add(ScaleBiasNode(11, 1, 0), in, out), RESIDUE_OUTSIDE_TENSOR);
  EXPECT_EQ(graph.Text().find("tensors[0]: 40 was provided, but at least 44 was expected: "), 0u)
      << graph.Text();
  const uint64_t offsets[] = {4, 0};
  EXPECT_EQ(add(ScaleBiasNode(10, 1, 0), in, out, offsets), RESIDUE_OUTSIDE_TENSOR);
  TestNode reversed = ScaleBiasNode(10, 1, 0);
  reversed.operands[0].strides[0] = -4;
  EXPECT_EQ(add(reversed, in, out), RESIDUE_OUTSIDE_TENSOR);
  EXPECT_EQ(graph.Text().find("offsets[0]: 0 was provided, but at least 36 was expected: "), 0u)
      << graph.Text();
  const uint64_t far[] = {0, UINT64_MAX - 3};
  EXPECT_EQ(add(ScaleBiasNode(1, 1, 0), in, out, far), RESIDUE_OUTSIDE_TENSOR);
  EXPECT_EQ(add(ScaleBiasNode(10, 1, 0), in, 77), RESIDUE_INVALID_TENSOR);
  EXPECT_EQ(add(ScaleBiasNode(10, 1, 0), in, in), RESIDUE_TENSOR_NOT_WRITABLE);
  EXPECT_EQ(add(ScaleBiasNode(10, 1, 0), temporary, out), RESIDUE_TENSOR_NOT_WRITTEN);
  EXPECT_EQ(add(ScaleBiasNode(10, 1, 0), out, out), RESIDUE_TENSOR_NOT_WRITTEN) << "a node that reads itself";
  TestNode in_order = ScaleBiasNode(10, 1, 0);
  in_order.problem.flags = RESIDUE_IN_ORDER;
  EXPECT_EQ(add(in_order, in, out), RESIDUE_RESERVED_NOT_ZERO);
  EXPECT_EQ(add(TestNode(99, RESIDUE_FLOAT32, {1}), in, out), RESIDUE_INVALID_OPERATOR);
  EXPECT_EQ(add(TestNode(RESIDUE_RECIP, RESIDUE_INT8, {1}), in, out), RESIDUE_TYPE_NOT_TAKEN);
  uint32_t tensor = 0;
  EXPECT_EQ(residue_graph_add_tensor(graph.get(), 9, 4, nullptr, &tensor), RESIDUE_INVALID_TENSOR);
  EXPECT_EQ(graph.Text().find("kind: 9 was provided, but at most 5 was expected: "), 0u) << graph.Text();
  EXPECT_EQ(residue_graph_add_tensor(graph.get(), 0, 4, nullptr, &tensor), RESIDUE_INVALID_TENSOR);
  EXPECT_EQ(graph.Text().find("kind: 0 was provided, but at least 1 was expected: "), 0u) << graph.Text();
  EXPECT_EQ(residue_graph_add_tensor(graph.get(), RESIDUE_TENSOR_CONSTANT, 4, nullptr, &tensor),
            RESIDUE_NULL_POINTER);
  EXPECT_EQ(residue_graph_add_tensor(graph.get(), RESIDUE_TENSOR_INPUT, UINT64_MAX, nullptr, &tensor),
            RESIDUE_TOO_LARGE);
  ASSERT_EQ(add(ScaleBiasNode(10, 2, 1), in, out), RESIDUE_OK);
  EXPECT_EQ(add(ScaleBiasNode(10, 2, 1), in, out), RESIDUE_TENSOR_NOT_WRITABLE) << "written already";
  const float x[10] = {1, 2, 3};
  float y[10] = {};
  const void* const inputs[] = {x};
  void* const outputs[] = {y};
  EXPECT_EQ(residue_graph_run(graph.get(), inputs, outputs, nullptr, nullptr), RESIDUE_NOT_COMPILED);
  ASSERT_EQ(residue_graph_compile(graph.get()), RESIDUE_OK);
  EXPECT_EQ(residue_graph_compile(graph.get()), RESIDUE_NOT_COMPILED) << "once only";
  EXPECT_EQ(add(ScaleBiasNode(10, 2, 1), in, temporary), RESIDUE_NOT_COMPILED);
  ASSERT_EQ(residue_graph_run(graph.get(), inputs, outputs, nullptr, nullptr), RESIDUE_OK);
  EXPECT_EQ(y[2], 7.0f);
  const void* const nothing[] = {nullptr};
  EXPECT_EQ(residue_graph_run(graph.get(), nothing, outputs, nullptr, nullptr), RESIDUE_NULL_POINTER);
  EXPECT_EQ(residue_graph_run(graph.get(), nullptr, outputs, nullptr, nullptr), RESIDUE_NULL_POINTER);
  EXPECT_EQ(residue_graph_run(graph.get(), inputs, nullptr, nullptr, nullptr), RESIDUE_NULL_POINTER);
  EXPECT_EQ(residue_graph_run(nullptr, inputs, outputs, nullptr, nullptr), RESIDUE_NULL_POINTER);
  const void* const high[] = {reinterpret_cast<const void*>(UINTPTR_MAX - 8)};
  EXPECT_EQ(residue_graph_run(graph.get(), high, outputs, nullptr, nullptr), RESIDUE_TOO_LARGE);
  EXPECT_EQ(residue_graph_create(nullptr), RESIDUE_NULL_POINTER);
  residue_graph_destroy(nullptr);
}

TEST(GraphTest, OutputsMustNotOverlapAndAGraphHasOne) {
  TestGraph empty;
  EXPECT_EQ(residue_graph_compile(empty.get()), RESIDUE_NO_OUTPUT);
  TestGraph graph;
  const uint32_t in = graph.Tensor(RESIDUE_TENSOR_INPUT, 40);
  for (int i = 0; i < 2; ++i) {
    const uint32_t tensors[] = {in, graph.Tensor(RESIDUE_TENSOR_OUTPUT, 40)};
    TestNode node = ScaleBiasNode(10, 2.0f, static_cast<float>(i));
    ASSERT_EQ(residue_graph_add_node(graph.get(), node.get(), tensors, nullptr), RESIDUE_OK);
  }
  ASSERT_EQ(residue_graph_compile(graph.get()), RESIDUE_OK);
  float x[30] = {5, 5, 5};
  const void* const inputs[] = {x};
  void* const apart[] = {x + 10, x + 20};
  void* const over[] = {x + 10, x + 19};
  EXPECT_EQ(residue_graph_run(graph.get(), inputs, over, nullptr, nullptr), RESIDUE_OUTPUTS_OVERLAP);
  ASSERT_EQ(residue_graph_run(graph.get(), inputs, apart, nullptr, nullptr), RESIDUE_OK);
  EXPECT_EQ(x[12], 10.0f);
  EXPECT_EQ(x[22], 11.0f);
  // The first output overwrites what the second still reads: a copy is made, and both are right.
  void* const in_place[] = {x, x + 10};
  ASSERT_EQ(residue_graph_run(graph.get(), inputs, in_place, nullptr, nullptr), RESIDUE_OK);
  EXPECT_EQ(x[2], 10.0f);
  EXPECT_EQ(x[12], 11.0f);
}

// The same where the two are in walks of their own, because their shapes differ.
TEST(GraphTest, AnInputThatALaterWalkReadsIsCopied) {
  TestGraph graph;
  const uint32_t in = graph.Tensor(RESIDUE_TENSOR_INPUT, 40);
  const uint32_t first[] = {in, graph.Tensor(RESIDUE_TENSOR_OUTPUT, 40)};
  TestNode twice = ScaleBiasNode(10, 2.0f, 0.0f);
  ASSERT_EQ(residue_graph_add_node(graph.get(), twice.get(), first, nullptr), RESIDUE_OK);
  const uint32_t second[] = {in, graph.Tensor(RESIDUE_TENSOR_OUTPUT, 40)};
  TestNode negative(RESIDUE_NEGATE, RESIDUE_FLOAT32, {2, 5});
  for (residue_operand& operand : negative.operands) {
    operand.strides[0] = 5 * kFloat;
    operand.strides[1] = kFloat;
  }
  ASSERT_EQ(residue_graph_add_node(graph.get(), negative.get(), second, nullptr), RESIDUE_OK);
  ASSERT_EQ(residue_graph_compile(graph.get()), RESIDUE_OK);
  ASSERT_EQ(graph.Passes(), 2u) << graph.Text();
  float x[20] = {1, 2, 3};
  const void* const inputs[] = {x};
  void* const outputs[] = {x, x + 10};
  ASSERT_EQ(residue_graph_run(graph.get(), inputs, outputs, nullptr, nullptr), RESIDUE_OK);
  EXPECT_EQ(x[2], 6.0f);
  EXPECT_EQ(x[12], -3.0f);
}

// Nobody else uses temporary memory meanwhile, so no input and no output lies in it.
TEST(GraphTest, TemporaryMemoryIsApart) {
  constexpr int64_t kSide = 8;
  constexpr uint64_t kBytes = kSide * kSide * sizeof(float);
  TestGraph graph;
  const uint32_t in = graph.Tensor(RESIDUE_TENSOR_INPUT, kBytes);
  const uint32_t between = graph.Tensor(RESIDUE_TENSOR_TEMPORARY, kBytes);
  const uint32_t out = graph.Tensor(RESIDUE_TENSOR_OUTPUT, kBytes);
  const auto add = [&](uint32_t from, uint32_t to, bool turned) {
    TestNode node(RESIDUE_SCALE_BIAS, RESIDUE_FLOAT32, {kSide, kSide});
    node.ScaleBias(2, 1);
    node.operands[0].strides[0] = turned ? kFloat : kSide * kFloat;
    node.operands[0].strides[1] = turned ? kSide * kFloat : kFloat;
    node.operands[1].strides[0] = kSide * kFloat;
    node.operands[1].strides[1] = kFloat;
    const uint32_t tensors[] = {from, to};
    EXPECT_EQ(residue_graph_add_node(graph.get(), node.get(), tensors, nullptr), RESIDUE_OK) << graph.Text();
  };
  add(in, between, false);
  add(between, out, true);  // what is read transposed cannot be fused
  ASSERT_EQ(residue_graph_compile(graph.get()), RESIDUE_OK);
  const uint64_t wanted = residue_graph_temporary_size(graph.get());
  ASSERT_GE(wanted, kBytes);
  std::vector<float> memory(3 * (wanted / sizeof(float) + 64), 1.0f);
  float* const parts[] = {memory.data(), &memory[memory.size() / 3], &memory[2 * memory.size() / 3]};
  const auto run = [&](int from, int to, int temporary) {
    const void* inputs[] = {parts[from]};
    void* outputs[] = {parts[to]};
    return residue_graph_run(graph.get(), inputs, outputs, parts[temporary], nullptr);
  };
  EXPECT_EQ(run(0, 1, 2), RESIDUE_OK);
  EXPECT_EQ(parts[1][0], 7.0f);
  EXPECT_EQ(run(0, 1, 0), RESIDUE_OUTPUTS_OVERLAP);
  EXPECT_EQ(run(0, 1, 1), RESIDUE_OUTPUTS_OVERLAP);
  const void* inputs[] = {parts[0]};
  void* nowhere[] = {nullptr};
  EXPECT_EQ(residue_graph_run(graph.get(), inputs, nowhere, parts[2], nullptr), RESIDUE_NULL_POINTER);
}

// Elements are numbered by rows, whatever the strides of the output, and there is one index however often it
// is added.
TEST(GraphTest, TheIndexOfElements) {
  TestGraph graph;
  const uint32_t index = graph.Tensor(RESIDUE_TENSOR_INDEX, 0);
  EXPECT_EQ(graph.Tensor(RESIDUE_TENSOR_INDEX, 77), index);
  const uint32_t tensors[] = {index, graph.Tensor(RESIDUE_TENSOR_OUTPUT, 24)};
  TestNode node(RESIDUE_SEQUENCE, RESIDUE_UINT64, {2, 3});
  node.operands[0].strides[0] = 123;  // of an index, nobody looks at them
  node.operands[1].type = RESIDUE_INT32;
  node.operands[1].strides[0] = 4;
  node.operands[1].strides[1] = 8;
  ASSERT_EQ(residue_graph_add_node(graph.get(), node.get(), tensors, nullptr), RESIDUE_OK) << graph.Text();
  TestNode wrong(RESIDUE_ABS, RESIDUE_INT64, {2, 3});
  const uint32_t others[] = {index, graph.Tensor(RESIDUE_TENSOR_TEMPORARY, 48)};
  EXPECT_EQ(residue_graph_add_node(graph.get(), wrong.get(), others, nullptr),
            RESIDUE_OUTPUT_OVERLAPS_ITSELF);
  wrong.operands[1].strides[0] = 24;
  wrong.operands[1].strides[1] = 8;
  EXPECT_EQ(residue_graph_add_node(graph.get(), wrong.get(), others, nullptr), RESIDUE_TYPE_MISMATCH);
  ASSERT_EQ(residue_graph_compile(graph.get()), RESIDUE_OK);
  int32_t out[6] = {};
  void* const outputs[] = {out};
  ASSERT_EQ(residue_graph_run(graph.get(), nullptr, outputs, nullptr, nullptr), RESIDUE_OK);
  EXPECT_EQ((std::vector<int32_t>(out, out + 6)), (std::vector<int32_t>{0, 3, 1, 4, 2, 5}));
}

// The number of each element beside a matrix that is read transposed, in squares.
TEST(GraphTest, TheIndexOfElementsInSquares) {
  constexpr uint64_t kSide = 150;
  constexpr uint64_t kBytes = kSide * kSide * sizeof(int32_t);
  constexpr int64_t kRow = kSide * sizeof(int32_t);
  TestGraph graph;
  const uint32_t index = graph.Tensor(RESIDUE_TENSOR_INDEX, 0);
  const uint32_t in = graph.Tensor(RESIDUE_TENSOR_INPUT, kBytes);
  const uint32_t number = graph.Tensor(RESIDUE_TENSOR_TEMPORARY, kBytes);
  const uint32_t out = graph.Tensor(RESIDUE_TENSOR_OUTPUT, kBytes);
  TestNode sequence(RESIDUE_SEQUENCE, RESIDUE_UINT64, {kSide, kSide});
  sequence.operands[1].type = RESIDUE_INT32;
  sequence.operands[1].strides[0] = kRow;
  sequence.operands[1].strides[1] = sizeof(int32_t);
  TestNode modulus(RESIDUE_MODULUS_FLOOR, RESIDUE_INT32, {kSide, kSide});
  for (residue_operand& operand : modulus.operands) {
    operand.strides[0] = kRow;
    operand.strides[1] = sizeof(int32_t);
  }
  std::swap(modulus.operands[1].strides[0], modulus.operands[1].strides[1]);
  const uint32_t first[] = {index, number};
  const uint32_t second[] = {number, in, out};
  ASSERT_EQ(residue_graph_add_node(graph.get(), sequence.get(), first, nullptr), RESIDUE_OK) << graph.Text();
  ASSERT_EQ(residue_graph_add_node(graph.get(), modulus.get(), second, nullptr), RESIDUE_OK) << graph.Text();
  ASSERT_EQ(residue_graph_compile(graph.get()), RESIDUE_OK);
  ASSERT_EQ(graph.Passes(), 1u) << graph.Text();
  std::vector<int32_t> divisors(kSide * kSide);
  for (size_t i = 0; i < divisors.size(); ++i) divisors[i] = static_cast<int32_t>(i % 1009 + 2);
  std::vector<int32_t> results(divisors.size());
  const void* inputs[] = {divisors.data()};
  void* outputs[] = {results.data()};
  ASSERT_EQ(residue_graph_run(graph.get(), inputs, outputs, nullptr, nullptr), RESIDUE_OK);
  for (size_t i = 0; i < results.size(); ++i) {
    const int32_t divisor = divisors[i % kSide * kSide + i / kSide];
    ASSERT_EQ(results[i], static_cast<int32_t>(i) % divisor) << i;
  }
}

}  // namespace
}  // namespace residue::testing
