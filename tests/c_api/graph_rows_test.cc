// Graphs of rows: compiled once, run on any number of first elements, with the memory of that number.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "residue/residue.h"

namespace residue::testing {
namespace {

constexpr uint64_t kManyElements = uint64_t{1} << 40;  // more than there is memory for
constexpr int64_t kFloat = sizeof(float);
// Debian's oneTBB is not built for ThreadSanitizer.
#if defined(__SANITIZE_THREAD__)
constexpr residue_options kOneThread = {1, 0, nullptr, nullptr};
constexpr const residue_options* kThreads = &kOneThread;
#else
constexpr const residue_options* kThreads = nullptr;  // as many as there are
#endif

constexpr uint64_t kLengths[] = {0, 1, 2, 15, 16, 17, 63, 64, 65, 1000, 1023, 1024, 1025, 70'001, 300'000};

using GraphPointer = std::unique_ptr<residue_graph, void (*)(residue_graph*)>;

GraphPointer MakeGraph() {
  residue_graph* graph = nullptr;
  EXPECT_EQ(residue_graph_create(&graph), RESIDUE_OK);
  return {graph, &residue_graph_destroy};
}

uint32_t AddTensor(residue_graph* graph, residue_tensor_kind kind, uint64_t bytes,
                   const void* data = nullptr) {
  uint32_t tensor = 0;
  EXPECT_EQ(residue_graph_add_tensor(graph, kind, bytes, data, &tensor), RESIDUE_OK);
  return tensor;
}

uint32_t AddRow(residue_graph* graph, residue_tensor_kind kind, uint64_t count = kManyElements) {
  return AddTensor(graph, kind, count * sizeof(float));
}

// Of float32; a stride for each operand, the result's last.
residue_status AddNode(residue_graph* graph, residue_operator op, uint32_t rank, uint64_t count,
                       const std::vector<uint32_t>& tensors, const std::vector<int64_t>& strides,
                       const std::vector<uint64_t>& offsets = {}) {
  residue_operand operands[4] = {};
  for (size_t k = 0; k < tensors.size(); ++k) {
    operands[k].type = RESIDUE_FLOAT32;
    operands[k].strides[0] = strides[k];
  }
  residue_problem problem = {};
  problem.size = sizeof(problem);
  problem.op = op;
  problem.rank = rank;
  problem.sizes[0] = count;
  problem.operand_count = static_cast<uint32_t>(tensors.size());
  problem.operands = operands;
  return residue_graph_add_node(graph, &problem, tensors.data(), offsets.empty() ? nullptr : offsets.data());
}

void AddRowNode(residue_graph* graph, residue_operator op, const std::vector<uint32_t>& tensors,
                const std::vector<int64_t>& strides, uint64_t count = kManyElements) {
  ASSERT_EQ(AddNode(graph, op, 1, count, tensors, strides), RESIDUE_OK);
}

// out = a * s + b, with s one element.
GraphPointer MakeMultiplyAdd(uint64_t count = kManyElements) {
  GraphPointer graph = MakeGraph();
  const uint32_t a = AddRow(graph.get(), RESIDUE_TENSOR_INPUT, count);
  const uint32_t s = AddTensor(graph.get(), RESIDUE_TENSOR_INPUT, sizeof(float));
  const uint32_t b = AddRow(graph.get(), RESIDUE_TENSOR_INPUT, count);
  const uint32_t product = AddRow(graph.get(), RESIDUE_TENSOR_TEMPORARY, count);
  const uint32_t out = AddRow(graph.get(), RESIDUE_TENSOR_OUTPUT, count);
  AddRowNode(graph.get(), RESIDUE_MULTIPLY, {a, s, product}, {kFloat, 0, kFloat}, count);
  AddRowNode(graph.get(), RESIDUE_ADD, {product, b, out}, {kFloat, kFloat, kFloat}, count);
  EXPECT_EQ(residue_graph_compile(graph.get()), RESIDUE_OK);
  return graph;
}

std::vector<float> Numbers(uint64_t count, float first) {
  std::vector<float> numbers(count);
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

TEST(GraphRowsTest, OneGraphComputesEveryLength) {
  const GraphPointer graph = MakeMultiplyAdd();
  const float s = 0.75f;
  for (const uint64_t count : kLengths) {
    SCOPED_TRACE(count);
    const std::vector<float> a = Numbers(count, 1);
    const std::vector<float> b = Numbers(count, -5);
    std::vector<float> out(count + 8, -1.0f);
    const void* const inputs[] = {a.data(), &s, b.data()};
    void* const outputs[] = {out.data()};
    ASSERT_EQ(residue_graph_run_first(graph.get(), count, inputs, outputs, nullptr, kThreads), RESIDUE_OK);
    for (size_t i = 0; i < out.size(); ++i) {
      ASSERT_EQ(out[i], i < count ? a[i] * s + b[i] : -1.0f) << i;
    }
  }
}

TEST(GraphRowsTest, ExceptionsAreThoseOfTheElementsThatAreComputed) {
  const GraphPointer graph = MakeMultiplyAdd();
  const float s = 2.0f;
  std::vector<float> a(100, 1.0f);
  const std::vector<float> b(100, 0.0f);
  std::vector<float> out(100);
  a[50] = 3e38f;
  const void* const inputs[] = {a.data(), &s, b.data()};
  void* const outputs[] = {out.data()};
  for (const uint64_t count : {uint64_t{50}, uint64_t{51}}) {
    uint32_t exceptions = 99;
    const residue_options options = {1, 0, nullptr, &exceptions};
    ASSERT_EQ(residue_graph_run_first(graph.get(), count, inputs, outputs, nullptr, &options), RESIDUE_OK);
    EXPECT_EQ(exceptions, count == 50 ? 0u : uint32_t{RESIDUE_OVERFLOW});
  }
}

// Many values that are needed at once are several walks, with temporaries of two sizes between them; what is
// computed of single elements is a walk of its own.
class ManyWalks {
 public:
  static constexpr uint32_t kValues = 40;

  explicit ManyWalks(uint64_t count = kManyElements) {
    const uint32_t x = AddRow(get(), RESIDUE_TENSOR_INPUT, count);
    const uint32_t s = AddTensor(get(), RESIDUE_TENSOR_INPUT, sizeof(float));
    const uint32_t square = AddTensor(get(), RESIDUE_TENSOR_TEMPORARY, sizeof(float));
    EXPECT_EQ(AddNode(get(), RESIDUE_MULTIPLY, 0, 1, {s, s, square}, {0, 0, 0}), RESIDUE_OK);
    std::vector<uint32_t> values;
    uint32_t last = x;
    for (uint32_t i = 0; i < kValues; ++i) {
      values.push_back(AddRow(get(), RESIDUE_TENSOR_TEMPORARY, count));
      AddRowNode(get(), RESIDUE_ADD, {last, square, values.back()}, {kFloat, 0, kFloat}, count);
      last = values.back();
    }
    // From the first on, so that all stay in use.
    for (uint32_t i = 0; i < kValues; ++i) {
      const bool is_last = i + 1 == kValues;
      const uint32_t next = AddRow(get(), is_last ? RESIDUE_TENSOR_OUTPUT : RESIDUE_TENSOR_TEMPORARY, count);
      AddRowNode(get(), RESIDUE_SUBTRACT, {last, values[i], next}, {kFloat, kFloat, kFloat}, count);
      last = next;
    }
    EXPECT_EQ(residue_graph_compile(get()), RESIDUE_OK);
  }
  residue_graph* get() const { return graph_.get(); }

  static float Expected(float x, float s) {
    std::vector<float> values(kValues);
    float last = x;
    for (float& value : values) value = last = last + s * s;
    for (const float value : values) last = last - value;
    return last;
  }

 private:
  GraphPointer graph_ = MakeGraph();
};

TEST(GraphRowsTest, TemporaryMemoryIsThatOfTheLength) {
  const ManyWalks graph;
  char text[20'000] = "";
  residue_graph_describe(graph.get(), text, sizeof(text));
  ASSERT_GT(std::count(std::begin(text), std::end(text), '\n'), 2) << text;
  const float s = 1.5f;
  for (const uint64_t count : kLengths) {
    SCOPED_TRACE(count);
    const uint64_t bytes = residue_graph_temporary_size_first(graph.get(), count);
    EXPECT_LE(bytes, (ManyWalks::kValues + 2) * (count + 64) * sizeof(float));
    const std::vector<float> x = Numbers(count, -3);
    std::vector<float> out(count);
    // Memory of exactly these bytes: what lies beyond is found by AddressSanitizer, and by the pattern.
    std::vector<uint8_t> temporary(bytes + 64, 0xA5);
    const void* const inputs[] = {x.data(), &s};
    void* const outputs[] = {out.data()};
    for (void* const given : {static_cast<void*>(temporary.data()), static_cast<void*>(nullptr)}) {
      std::fill(out.begin(), out.end(), -1.0f);
      ASSERT_EQ(residue_graph_run_first(graph.get(), count, inputs, outputs, given, kThreads), RESIDUE_OK);
      for (size_t i = 0; i < count; ++i) ASSERT_EQ(out[i], ManyWalks::Expected(x[i], s)) << i;
    }
    EXPECT_EQ(std::count(temporary.end() - 64, temporary.end(), 0xA5), 64);
  }
}

TEST(GraphRowsTest, WholeRunsAreAsTheyWere) {
  const ManyWalks graph(1000);
  const float s = -0.5f;
  const std::vector<float> x = Numbers(1000, 7);
  std::vector<float> out(1000);
  const void* const inputs[] = {x.data(), &s};
  void* const outputs[] = {out.data()};
  ASSERT_EQ(residue_graph_run(graph.get(), inputs, outputs, nullptr, nullptr), RESIDUE_OK);
  for (size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], ManyWalks::Expected(x[i], s)) << i;
}

// The order of many outputs lies in the temporary memory.
TEST(GraphRowsTest, ManyOutputs) {
  constexpr uint32_t kOutputs = 40;
  const GraphPointer graph = MakeGraph();
  const uint32_t x = AddRow(graph.get(), RESIDUE_TENSOR_INPUT);
  for (uint32_t i = 0; i < kOutputs; ++i) {
    const uint32_t out = AddRow(graph.get(), RESIDUE_TENSOR_OUTPUT);
    AddRowNode(graph.get(), RESIDUE_ADD, {x, x, out}, {kFloat, kFloat, kFloat});
  }
  ASSERT_EQ(residue_graph_compile(graph.get()), RESIDUE_OK);
  for (const uint64_t count : {uint64_t{0}, uint64_t{1}, uint64_t{77}}) {
    const std::vector<float> numbers = Numbers(count, 1);
    std::vector<float> out(kOutputs * count);
    std::vector<void*> outputs;
    for (uint32_t i = 0; i < kOutputs; ++i) outputs.push_back(out.data() + i * count);
    const void* const inputs[] = {numbers.data()};
    std::vector<uint8_t> temporary(residue_graph_temporary_size_first(graph.get(), count));
    ASSERT_EQ(residue_graph_run_first(graph.get(), count, inputs, outputs.data(), temporary.data(), nullptr),
              RESIDUE_OK);
    for (size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], 2 * numbers[i % count]);
    if (count < 2) continue;
    std::swap(outputs[0], outputs[kOutputs - 1]);
    outputs[1] = outputs[0];
    EXPECT_EQ(residue_graph_run_first(graph.get(), count, inputs, outputs.data(), temporary.data(), nullptr),
              RESIDUE_OUTPUTS_OVERLAP);
  }
}

// Rows meet or not by the length of this run.
TEST(GraphRowsTest, InputsThatAnOutputOverwritesAreCopied) {
  const GraphPointer graph = MakeMultiplyAdd();
  const float s = 3.0f;
  constexpr uint64_t kCount = 5000;
  for (const int64_t apart : {int64_t{0}, int64_t{1}, int64_t{-1}, int64_t{4000}, int64_t{kCount}}) {
    SCOPED_TRACE(apart);
    std::vector<float> memory = Numbers(3 * kCount, 1);
    const std::vector<float> before = memory;
    float* const a = &memory[kCount];
    const void* const inputs[] = {a, &s, a};
    void* const outputs[] = {a + apart};
    ASSERT_EQ(residue_graph_run_first(graph.get(), kCount, inputs, outputs, nullptr, nullptr), RESIDUE_OK);
    for (size_t i = 0; i < kCount; ++i) {
      ASSERT_EQ(a[static_cast<int64_t>(i) + apart], before[kCount + i] * s + before[kCount + i]) << i;
    }
  }
}

TEST(GraphRowsTest, OneGraphRunsOnManyThreadsAtOnceWithLengthsOfTheirOwn) {
  const ManyWalks graph;
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&graph, t, &wrong] {
      const float s = 0.5f + static_cast<float>(t);
      for (uint64_t count = t; count < 3000; count += 97) {
        const std::vector<float> x = Numbers(count, static_cast<float>(t));
        std::vector<float> out(count);
        const void* const inputs[] = {x.data(), &s};
        void* const outputs[] = {out.data()};
        if (residue_graph_run_first(graph.get(), count, inputs, outputs, nullptr, nullptr) != RESIDUE_OK)
          ++wrong[t];
        for (size_t i = 0; i < count; ++i) wrong[t] += out[i] != ManyWalks::Expected(x[i], s) ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4));
}

TEST(GraphRowsTest, LongerThanTheRowsIsRefused) {
  const GraphPointer graph = MakeMultiplyAdd(100);
  std::vector<float> row(101);
  const float s = 1;
  const void* const inputs[] = {row.data(), &s, row.data()};
  void* const outputs[] = {row.data()};
  EXPECT_EQ(residue_graph_run_first(graph.get(), 100, inputs, outputs, nullptr, nullptr), RESIDUE_OK);
  for (const uint64_t count : {uint64_t{101}, UINT64_MAX}) {
    uint32_t exceptions = 99;
    const residue_options options = {0, 0, nullptr, &exceptions};
    EXPECT_EQ(residue_graph_run_first(graph.get(), count, inputs, outputs, nullptr, &options),
              RESIDUE_NOT_ROWS);
    EXPECT_EQ(exceptions, 0u);
    EXPECT_EQ(residue_graph_temporary_size_first(graph.get(), count), UINT64_MAX);
  }
}

TEST(GraphRowsTest, WhatIsMissingIsRefused) {
  const GraphPointer graph = MakeMultiplyAdd();
  float row[4] = {};
  const void* const inputs[] = {row, row, nullptr};
  void* const outputs[] = {row};
  EXPECT_EQ(residue_graph_run_first(graph.get(), 4, inputs, outputs, nullptr, nullptr), RESIDUE_NULL_POINTER);
  EXPECT_EQ(residue_graph_run_first(graph.get(), 0, inputs, outputs, nullptr, nullptr), RESIDUE_OK);
  EXPECT_EQ(residue_graph_run_first(graph.get(), 4, nullptr, outputs, nullptr, nullptr),
            RESIDUE_NULL_POINTER);
  EXPECT_EQ(residue_graph_run_first(graph.get(), 4, inputs, nullptr, nullptr, nullptr), RESIDUE_NULL_POINTER);
  EXPECT_EQ(residue_graph_run_first(nullptr, 4, inputs, outputs, nullptr, nullptr), RESIDUE_NULL_POINTER);
  EXPECT_EQ(residue_graph_temporary_size_first(nullptr, 4), UINT64_MAX);
  const GraphPointer raw = MakeGraph();
  EXPECT_EQ(residue_graph_run_first(raw.get(), 4, inputs, outputs, nullptr, nullptr), RESIDUE_NOT_COMPILED);
  EXPECT_EQ(residue_graph_temporary_size_first(raw.get(), 4), UINT64_MAX);
}

// Each of these differs from a graph of rows in one thing.
TEST(GraphRowsTest, OtherGraphsAreRefused) {
  constexpr uint64_t kCount = 8;
  constexpr uint64_t kBytes = kCount * sizeof(float);
  struct Case {
    const char* what;
    uint64_t in_bytes;
    uint64_t out_bytes;
    uint64_t count;  // of the second node
    int64_t in_stride;
    int64_t out_stride;
    uint64_t in_offset;
  };
  const Case cases[] = {
      {"rows", kBytes, kBytes, kCount, kFloat, kFloat, 0},
      {"another size", kBytes, kBytes, kCount - 1, kFloat, kFloat, 0},
      {"an input that is larger than its row", kBytes + 4, kBytes, kCount, kFloat, kFloat, 0},
      {"an offset", kBytes + 4, kBytes, kCount, kFloat, kFloat, 4},
      {"steps of two elements", 2 * kBytes, kBytes, kCount, 2 * kFloat, kFloat, 0},
      {"a row backwards", kBytes, kBytes, kCount, -kFloat, kFloat, kBytes - 4},
      {"a result with gaps", kBytes, 2 * kBytes, kCount, kFloat, 2 * kFloat, 0},
      {"a row of which one element is read", kBytes, kBytes, kCount, 0, kFloat, 0},
  };
  for (const Case& given : cases) {
    SCOPED_TRACE(given.what);
    const GraphPointer graph = MakeGraph();
    const uint32_t a = AddTensor(graph.get(), RESIDUE_TENSOR_INPUT, given.in_bytes);
    const uint32_t first = AddTensor(graph.get(), RESIDUE_TENSOR_OUTPUT, kBytes);
    const uint32_t second = AddTensor(graph.get(), RESIDUE_TENSOR_OUTPUT, given.out_bytes);
    AddRowNode(graph.get(), RESIDUE_NEGATE, {a, first}, {kFloat, kFloat}, kCount);
    ASSERT_EQ(AddNode(graph.get(), RESIDUE_NEGATE, 1, given.count, {a, second},
                      {given.in_stride, given.out_stride}, {given.in_offset, 0}),
              RESIDUE_OK);
    ASSERT_EQ(residue_graph_compile(graph.get()), RESIDUE_OK);
    std::vector<float> memory(64);
    const void* const inputs[] = {memory.data()};
    void* const outputs[] = {&memory[20], &memory[40]};
    const residue_status expected = &given == cases ? RESIDUE_OK : RESIDUE_NOT_ROWS;
    EXPECT_EQ(residue_graph_run_first(graph.get(), 3, inputs, outputs, nullptr, nullptr), expected);
    EXPECT_EQ(residue_graph_run(graph.get(), inputs, outputs, nullptr, nullptr), RESIDUE_OK);
  }
  // No row at all, and two dimensions.
  for (const uint32_t rank : {0u, 2u}) {
    const GraphPointer graph = MakeGraph();
    const uint32_t a = AddTensor(graph.get(), RESIDUE_TENSOR_INPUT, 4);
    const uint32_t out = AddTensor(graph.get(), RESIDUE_TENSOR_OUTPUT, 4);
    residue_operand operands[2] = {{RESIDUE_FLOAT32, 0, {4, 4}}, {RESIDUE_FLOAT32, 0, {4, 4}}};
    residue_problem problem = {};
    problem.size = sizeof(problem);
    problem.op = RESIDUE_NEGATE;
    problem.rank = rank;
    problem.sizes[0] = problem.sizes[1] = 1;
    problem.operand_count = 2;
    problem.operands = operands;
    const uint32_t tensors[] = {a, out};
    ASSERT_EQ(residue_graph_add_node(graph.get(), &problem, tensors, nullptr), RESIDUE_OK);
    ASSERT_EQ(residue_graph_compile(graph.get()), RESIDUE_OK);
    float memory[2] = {};
    const void* const inputs[] = {memory};
    void* const outputs[] = {memory + 1};
    EXPECT_EQ(residue_graph_run_first(graph.get(), 1, inputs, outputs, nullptr, nullptr), RESIDUE_NOT_ROWS);
  }
}

}  // namespace
}  // namespace residue::testing
