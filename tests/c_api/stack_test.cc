// How much stack a call needs: every operator, type, target and layout on a painted stack. No call of the
// library needs more than 16 KiB, and a thread with 32 KiB in all can make any of them.
#include <gtest/gtest.h>
#include <pthread.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "residue/residue.h"

namespace residue::testing {
namespace {

constexpr size_t kCeiling = size_t{16} * 1024;

// Runs a call on a stack of its own and says how far down it was written to.
class PaintedStack {
 public:
  size_t Measure(const std::function<void()>& call) {
    std::fill(stack_.begin(), stack_.end(), kPaint);
    running_ = &call;
    getcontext(&context_);
    context_.uc_stack.ss_sp = stack_.data();
    context_.uc_stack.ss_size = stack_.size();
    context_.uc_link = &back_;
    makecontext(&context_, &Start, 0);
    swapcontext(&back_, &context_);
    const auto touched =
        std::find_if(stack_.begin(), stack_.end(), [](unsigned char byte) { return byte != kPaint; });
    return static_cast<size_t>(stack_.end() - touched);
  }

 private:
  static void Start() { (*running_)(); }

  static constexpr unsigned char kPaint = 0xC5;
  static inline const std::function<void()>* running_ = nullptr;
  std::vector<unsigned char> stack_ = std::vector<unsigned char>(size_t{1} << 18);
  ucontext_t context_{};
  ucontext_t back_{};
};

// How the operands of a matrix lie, in elements: row steps and column steps.
struct Lie {
  const char* name;
  int64_t rows;
  int64_t columns;
  int64_t a[2];
  int64_t b[2];
  int64_t out[2];
};

constexpr Lie kLies[] = {
    {"packed", 1, 300, {0, 1}, {0, 1}, {0, 1}},
    {"tail", 1, 7, {0, 1}, {0, 1}, {0, 1}},
    {"one b", 1, 300, {0, 1}, {0, 0}, {0, 1}},
    {"one a", 1, 300, {0, 0}, {0, 1}, {0, 1}},
    {"one of each", 1, 300, {0, 0}, {0, 0}, {0, 1}},
    {"padded rows", 40, 70, {71, 1}, {71, 1}, {72, 1}},
    {"every second", 1, 9000, {0, 2}, {0, 1}, {0, 2}},
    {"reversed", 1, 9000, {0, -1}, {0, 1}, {0, 1}},
    {"column stride of 2", 300, 300, {600, 2}, {600, 2}, {600, 2}},
    {"short rows", 900, 5, {5, 1}, {0, 1}, {6, 1}},
    {"transposed", 300, 300, {1, 300}, {300, 1}, {300, 1}},
    {"both transposed", 300, 300, {1, 300}, {1, 300}, {300, 1}},
};

class StackTest : public ::testing::Test {
 public:
  // Calls visit(name, problem, inputs, out) for everything there is.
  template <class Visit>
  void ForEachCall(const Visit& visit) {
    const int64_t sizes[] = {0, 4, 2, 4, 2, 1, 4, 2, 1, 8, 8, 8};
    for (residue_operator op = RESIDUE_MODULUS_FLOOR; op <= RESIDUE_SCALE_BIAS; ++op) {
      for (residue_type type = RESIDUE_FLOAT32; type <= RESIDUE_INT64; ++type) {
        for (uint32_t t = 0; residue_target_name(t) != nullptr; ++t) {
          for (const Lie& lie : kLies) {
            const int64_t size = sizes[type];
            residue_operand operands[3] = {};
            residue_problem problem = {};
            problem.size = sizeof(problem);
            problem.op = op;
            problem.rank = 2;
            problem.sizes[0] = static_cast<uint64_t>(lie.rows);
            problem.sizes[1] = static_cast<uint64_t>(lie.columns);
            problem.operands = operands;
            problem.operand_count = op <= RESIDUE_MODULUS_TRUNCATE ? 3 : 2;
            problem.max_target = residue_target_name(t);
            for (int d = 0; d < 2; ++d) {
              operands[0].strides[d] = lie.a[d] * size;
              operands[1].strides[d] = lie.b[d] * size;
              operands[problem.operand_count - 1].strides[d] = lie.out[d] * size;
            }
            for (residue_operand& operand : operands) operand.type = type;
            if (residue_describe(&problem, nullptr, 0) == RESIDUE_TYPE_NOT_TAKEN) continue;
            const void* const inputs[] = {a_.data() + a_.size() / 2, b_.data()};
            visit(std::string(lie.name) + " op " + std::to_string(op) + " type " + std::to_string(type) +
                      " " + problem.max_target,
                  problem, inputs, out_.data());
          }
        }
      }
    }
  }

  std::vector<uint8_t> a_ = std::vector<uint8_t>(size_t{4} << 20, 0x41);
  std::vector<uint8_t> b_ = std::vector<uint8_t>(size_t{2} << 20, 0x3F);
  std::vector<uint8_t> out_ = std::vector<uint8_t>(size_t{2} << 20);
};

TEST_F(StackTest, NoCallNeedsMoreThanTheCeiling) {
  PaintedStack stack;
  size_t most = 0;
  std::string where;
  ForEachCall([&](const std::string& name, const residue_problem& problem, const void* const* inputs,
                  void* out) {
    for (const bool detect : {false, true}) {
      uint32_t exceptions = 0;
      const residue_options options = {1, 0, nullptr, detect ? &exceptions : nullptr};
      residue_status status = residue_run(&problem, inputs, out, &options);  // functions are found and bound
      ASSERT_EQ(status, RESIDUE_OK) << name;
      const size_t used = stack.Measure([&] { status = residue_run(&problem, inputs, out, &options); });
      ASSERT_EQ(status, RESIDUE_OK) << name;
      ASSERT_LE(used, kCeiling) << name;
      if (used > most) {
        most = used;
        where = name;
      }
    }
  });
  RecordProperty("most_bytes", static_cast<int>(most));
  std::printf("at most %zu bytes of stack: %s\n", most, where.c_str());
}

// However many nodes a graph has, on every target.
TEST_F(StackTest, NorDoesAGraph) {
  constexpr uint64_t kCount = 5'000;
  constexpr int kNodes = 1000;
  struct Element {
    residue_type type;
    int64_t bytes;
  };
  for (const Element element : {Element{RESIDUE_FLOAT16, 2}, {RESIDUE_FLOAT32, 4}, {RESIDUE_FLOAT64, 8}}) {
    for (uint32_t target = 0; residue_target_name(target) != nullptr; ++target) {
      residue_graph* graph = nullptr;
      ASSERT_EQ(residue_graph_create(&graph), RESIDUE_OK);
      uint32_t tensors[2] = {};
      const uint64_t size = static_cast<uint64_t>(element.bytes) * kCount;
      ASSERT_EQ(residue_graph_add_tensor(graph, RESIDUE_TENSOR_INPUT, size, nullptr, &tensors[0]),
                RESIDUE_OK);
      for (int i = 0; i < kNodes; ++i) {
        const residue_tensor_kind kind = i + 1 == kNodes ? RESIDUE_TENSOR_OUTPUT : RESIDUE_TENSOR_TEMPORARY;
        ASSERT_EQ(residue_graph_add_tensor(graph, kind, size, nullptr, &tensors[1]), RESIDUE_OK);
        residue_operand operands[2] = {{element.type, 0, {element.bytes}},
                                       {element.type, 0, {element.bytes}}};
        residue_problem problem = {};
        problem.size = sizeof(problem);
        problem.op = RESIDUE_SCALE_BIAS;
        problem.rank = 1;
        problem.sizes[0] = kCount;
        problem.operand_count = 2;
        problem.operands = operands;
        problem.max_target = residue_target_name(target);
        ASSERT_EQ(residue_graph_add_node(graph, &problem, tensors, nullptr), RESIDUE_OK);
        tensors[0] = tensors[1];
      }
      ASSERT_EQ(residue_graph_compile(graph), RESIDUE_OK);
      std::vector<uint8_t> temporary(residue_graph_temporary_size(graph));
      const void* const inputs[] = {a_.data()};
      void* const outputs[] = {out_.data()};
      const residue_options options = {1, 0, nullptr, nullptr};
      residue_status status = residue_graph_run(graph, inputs, outputs, temporary.data(), &options);
      ASSERT_EQ(status, RESIDUE_OK);
      PaintedStack stack;
      const size_t used = stack.Measure(
          [&] { status = residue_graph_run(graph, inputs, outputs, temporary.data(), &options); });
      EXPECT_EQ(status, RESIDUE_OK);
      EXPECT_LE(used, kCeiling) << residue_target_name(target) << ", elements of " << element.bytes
                                << " bytes";
      residue_graph_destroy(graph);
    }
  }
}

// What the ceiling is for. Some of a thread's stack is taken by the thread library before anything runs.
TEST_F(StackTest, AThreadWithASmallStackCanMakeAnyCall) {
  struct Job {
    StackTest* test;
    int wrong;
  } job = {this, 0};
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  // 64-bit Arm gives no thread less than 128 KiB.
  const size_t bytes = std::max(size_t{32} * 1024, static_cast<size_t>(sysconf(_SC_THREAD_STACK_MIN)));
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, bytes), 0);
  pthread_t thread;
  ASSERT_EQ(pthread_create(
                &thread, &attributes,
                [](void* argument) -> void* {
                  auto* given = static_cast<Job*>(argument);
                  given->test->ForEachCall([&](const std::string&, const residue_problem& problem,
                                               const void* const* inputs, void* out) {
                    const residue_options options = {1, 0, nullptr, nullptr};
                    if (residue_run(&problem, inputs, out, &options) != RESIDUE_OK) ++given->wrong;
                  });
                  return nullptr;
                },
                &job),
            0);
  ASSERT_EQ(pthread_join(thread, nullptr), 0);
  EXPECT_EQ(job.wrong, 0);
  pthread_attr_destroy(&attributes);
}

}  // namespace
}  // namespace residue::testing
