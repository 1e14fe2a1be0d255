// The k-th allocation fails in every call of the C interface that allocates: the right status, nothing
// written, nothing leaked, and the next try succeeds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <vector>

#include "faults/failing_allocator.h"
#include "residue/residue.h"
#include "support/figures.h"
#include "verification/binary_problem.h"

namespace residue::testing {
namespace {

using failing_allocator::allocations_left;
using failing_allocator::failed;

constexpr size_t kCount = 64;

class EngineFaultTest : public ::testing::Test {
 protected:
  EngineFaultTest() { std::iota(memory_.begin(), memory_.end(), -100); }

  // Returns how many allocations there were.
  int ForEveryAllocation(const std::function<residue_status()>& act) {
    const std::vector<int32_t> before = memory_;
    for (int k = 0;; ++k) {
      failed = false;
      allocations_left = k;
      const residue_status status = act();
      allocations_left = -1;
      if (!failed) {
        EXPECT_EQ(status, RESIDUE_OK);
        AddFigure(Figure::kFaultScenarios, 1);
        AddFigure(Figure::kFaults, static_cast<uint64_t>(k));
        memory_ = before;
        return k;
      }
      EXPECT_EQ(status, RESIDUE_OUT_OF_MEMORY) << "allocation " << k;
      EXPECT_EQ(memory_, before) << "allocation " << k << " left something written";
    }
  }

  static BinaryProblem Problem(residue_operator op) {
    BinaryProblem problem(op, RESIDUE_INT32, 1);
    problem.problem.sizes[0] = kCount;
    problem.a_strides()[0] = problem.b_strides()[0] = problem.out_strides()[0] = 4;
    if (op == RESIDUE_IDENTITY) problem.DropB();
    return problem;
  }

  int32_t* at(size_t i) { return memory_.data() + i; }

  std::vector<int32_t> memory_ = std::vector<int32_t>(4 * kCount);
};

TEST_F(EngineFaultTest, MakingAPlan) {
  for (const residue_operator op : {RESIDUE_MODULUS_FLOOR, RESIDUE_MODULUS_TRUNCATE, RESIDUE_IDENTITY}) {
    BinaryProblem problem = Problem(op);
    EXPECT_EQ(ForEveryAllocation([&] {
                residue_plan* plan = nullptr;
                const residue_status status = residue_plan_create(problem.get(), &plan);
                EXPECT_EQ(status == RESIDUE_OK, plan != nullptr);
                residue_plan_destroy(plan);
                return status;
              }),
              1);
  }
}

// An output that lies over its inputs elsewhere than in place needs copies of them.
TEST_F(EngineFaultTest, CopiesOfOverlappedInputs) {
  BinaryProblem problem = Problem(RESIDUE_MODULUS_FLOOR);
  residue_plan* plan = nullptr;
  ASSERT_EQ(residue_plan_create(problem.get(), &plan), RESIDUE_OK);
  int32_t* apart = at(3 * kCount);
  for (const uint32_t threads : {0u, 1u}) {
    residue_options options{};
    options.num_threads = threads;
    EXPECT_EQ(ForEveryAllocation([&] { return problem.Run(at(0), apart, at(1), &options); }), 1);
    EXPECT_EQ(ForEveryAllocation([&] { return problem.Run(apart, at(0), at(1), &options); }), 1);
    EXPECT_EQ(ForEveryAllocation([&] { return problem.Run(at(0), at(2), at(1), &options); }), 2);
    const void* const inputs[] = {at(0), at(2)};
    EXPECT_EQ(ForEveryAllocation([&] { return residue_plan_run(plan, inputs, at(1), &options); }), 2);
    EXPECT_EQ(ForEveryAllocation([&] {
                return residue_run_strided(RESIDUE_MODULUS_TRUNCATE, RESIDUE_INT32, at(0), 4, at(9), 4, at(1),
                                           4, kCount, &options);
              }),
              2);
  }
  EXPECT_EQ(ForEveryAllocation([&] {
              return residue_run_packed(RESIDUE_IDENTITY, RESIDUE_INT32, at(0), nullptr, at(1), kCount);
            }),
            1);
  residue_plan_destroy(plan);
}

// What is promised to need no memory needs none.
TEST_F(EngineFaultTest, TheRestAllocatesNothing) {
  BinaryProblem problem = Problem(RESIDUE_MODULUS_FLOOR);
  int32_t* apart = at(3 * kCount);
  char text[64];
  uint32_t exceptions = 0;
  residue_options options{};
  options.exceptions = &exceptions;
  EXPECT_EQ(ForEveryAllocation([&] { return problem.Run(at(0), at(kCount), apart, &options); }), 0);
  EXPECT_EQ(ForEveryAllocation([&] { return problem.Run(at(0), at(kCount), at(0), nullptr); }), 0);
  EXPECT_EQ(ForEveryAllocation([&] { return residue_describe(problem.get(), text, sizeof(text)); }), 0);
}

// x * 2 + 1 of rows and columns exchanged, as often as `nodes` says: blocks need more than the stack has, and
// results lie in temporary memory.
class ExchangedGraph {
 public:
  static constexpr uint64_t kSide = 90;
  static constexpr uint64_t kElements = kSide * kSide;

  ~ExchangedGraph() { residue_graph_destroy(graph_); }

  residue_status Make(int nodes) {
    residue_graph_destroy(graph_);
    graph_ = nullptr;
    uint32_t tensors[2] = {};
    if (const residue_status status = residue_graph_create(&graph_)) return status;
    if (const residue_status status = AddTensor(RESIDUE_TENSOR_INPUT, &tensors[0])) return status;
    for (int i = 1; i <= nodes; ++i) {
      const residue_tensor_kind kind = i == nodes ? RESIDUE_TENSOR_OUTPUT : RESIDUE_TENSOR_TEMPORARY;
      if (const residue_status status = AddTensor(kind, &tensors[1])) return status;
      const residue_status status = residue_graph_add_node(graph_, &kProblem, tensors, nullptr);
      if (status != RESIDUE_OK) return status;
      tensors[0] = tensors[1];
    }
    return residue_graph_compile(graph_);
  }

  residue_status Run(const std::vector<float>& in, std::vector<float>* out, void* temporary) const {
    const void* const inputs[] = {in.data()};
    void* const outputs[] = {out->data()};
    uint32_t exceptions = 0;
    const residue_options options = {1, 0, nullptr, &exceptions};
    return residue_graph_run(graph_, inputs, outputs, temporary, &options);
  }

  uint64_t TemporaryBytes() const { return residue_graph_temporary_size(graph_); }

 private:
  residue_status AddTensor(residue_tensor_kind kind, uint32_t* tensor) {
    return residue_graph_add_tensor(graph_, kind, kElements * sizeof(float), nullptr, tensor);
  }

  static constexpr int64_t kRow = kSide * sizeof(float);
  static constexpr int64_t kColumn = sizeof(float);
  static constexpr residue_operand kOperands[] = {{RESIDUE_FLOAT32, 0, {kColumn, kRow}},
                                                  {RESIDUE_FLOAT32, 0, {kRow, kColumn}}};
  static constexpr residue_scale_bias kParams = {2.0f, 1.0f};
  static constexpr residue_problem kProblem = [] {
    residue_problem problem = {};
    problem.size = sizeof(problem);
    problem.op = RESIDUE_SCALE_BIAS;
    problem.rank = 2;
    problem.sizes[0] = problem.sizes[1] = kSide;
    problem.operands = kOperands;
    problem.operand_count = 2;
    problem.params = &kParams;
    problem.params_size = sizeof(kParams);
    return problem;
  }();

  residue_graph* graph_ = nullptr;
};

class GraphFaultTest : public EngineFaultTest {
 protected:
  GraphFaultTest() {
    std::iota(in_.begin(), in_.end(), 0.0f);
    // Exchanged twice, they are where they were.
    std::ranges::transform(in_, expected_.begin(), [](float x) { return (x * 2.0f + 1.0f) * 2.0f + 1.0f; });
  }

  // Runs with the k-th allocation failing, for every k: results are right, as nothing is needed. Returns how
  // many there were.
  int ForEveryUnneededAllocation(const ExchangedGraph& graph, void* temporary) {
    for (int k = 0;; ++k) {
      std::ranges::fill(out_, 0.0f);
      failed = false;
      allocations_left = k;
      const residue_status status = graph.Run(in_, &out_, temporary);
      allocations_left = -1;
      EXPECT_EQ(status, RESIDUE_OK) << "allocation " << k;
      EXPECT_EQ(out_, expected_) << "allocation " << k;
      if (!failed) return k;
    }
  }

  std::vector<float> in_ = std::vector<float>(ExchangedGraph::kElements);
  std::vector<float> expected_ = in_;
  std::vector<float> out_ = in_;
};

TEST_F(GraphFaultTest, ARunThatIsGivenItsMemoryAllocatesNothing) {
  ExchangedGraph graph;
  ASSERT_EQ(graph.Make(2), RESIDUE_OK);
  ASSERT_NE(graph.TemporaryBytes(), 0u);
  std::vector<std::byte> temporary(graph.TemporaryBytes());
  EXPECT_EQ(ForEveryUnneededAllocation(graph, temporary.data()), 0);
}

TEST_F(GraphFaultTest, ARunThatIsGivenNoneAllocatesItOnce) {
  ExchangedGraph graph;
  ASSERT_EQ(graph.Make(2), RESIDUE_OK);
  std::ranges::fill(out_, 7.0f);
  const std::vector<float> before = out_;
  EXPECT_EQ(ForEveryAllocation([&] {
              const residue_status status = graph.Run(in_, &out_, nullptr);
              EXPECT_EQ(out_, status == RESIDUE_OK ? expected_ : before);
              return status;
            }),
            1);
}

// What is built with little memory is refused, or computes the same: blocks are smaller if there is no memory
// for them beforehand.
TEST_F(GraphFaultTest, BuildingAGraph) {
  int refused = 0;
  int smaller = 0;
  for (int k = 0;; ++k) {
    ExchangedGraph graph;
    failed = false;
    allocations_left = k;
    const residue_status status = graph.Make(2);
    allocations_left = -1;
    if (!failed) break;
    if (status != RESIDUE_OK) {
      EXPECT_EQ(status, RESIDUE_OUT_OF_MEMORY) << "allocation " << k;
      ++refused;
      continue;
    }
    ++smaller;
    std::vector<std::byte> temporary(graph.TemporaryBytes());
    EXPECT_EQ(ForEveryUnneededAllocation(graph, temporary.data()), 0);
  }
  AddFigure(Figure::kFaultScenarios, 1);
  AddFigure(Figure::kFaults, static_cast<uint64_t>(refused + smaller));
  EXPECT_GT(refused, 5);
  EXPECT_EQ(smaller, 1);
}

}  // namespace
}  // namespace residue::testing
