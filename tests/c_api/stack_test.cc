// How much stack a call needs: every operator, its types, target and layout on a painted stack, what is asked
// of a problem before it is run, and graphs of all operators. No call of the library needs more than 16 KiB,
// and a thread with 32 KiB in all can make any of them.
#include <gtest/gtest.h>
#include <pthread.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/operator_id.h"
#include "residue/residue.h"
#include "support/hard_inputs.h"
#include "verification/values.h"

namespace residue::testing {
namespace {

constexpr size_t kCeiling = size_t{16} * 1024;

// Runs a call on a stack of its own and says how far down it was written to.
class PaintedStack {
 public:
  PaintedStack() { std::ranges::fill(stack_, kPaint); }

  size_t Measure(const std::function<void()>& call) {
    running_ = &call;
    getcontext(&context_);
    context_.uc_stack.ss_sp = stack_.data();
    context_.uc_stack.ss_size = stack_.size() * sizeof(kPaint);
    context_.uc_link = &back_;
    makecontext(&context_, &Start, 0);
    swapcontext(&back_, &context_);
    const auto touched =
        std::span(std::ranges::find_if(stack_, [](uint64_t word) { return word != kPaint; }), stack_.end());
    std::ranges::fill(touched, kPaint);
    return touched.size_bytes();
  }

 private:
  static void Start() { (*running_)(); }

  static constexpr uint64_t kPaint = 0xC5C5C5C5C5C5C5C5;
  static inline const std::function<void()>* running_ = nullptr;
  std::vector<uint64_t> stack_ = std::vector<uint64_t>(size_t{1} << 15);
  ucontext_t context_{};
  ucontext_t back_{};
};

// How the operands of a matrix lie, in elements: row steps and column steps.
struct Lie {
  const char* name;
  uint64_t rows;
  uint64_t columns;
  int64_t first[2];
  int64_t others[2];
  int64_t out[2];
  bool overlaps = false;  // the output begins one element behind the first input, which must be copied
};

constexpr Lie kLies[] = {
    {"packed", 1, 300, {0, 1}, {0, 1}, {0, 1}},
    {"tail", 1, 7, {0, 1}, {0, 1}, {0, 1}},
    {"one of the others", 1, 300, {0, 1}, {0, 0}, {0, 1}},
    {"one first", 1, 300, {0, 0}, {0, 1}, {0, 1}},
    {"one of each", 1, 300, {0, 0}, {0, 0}, {0, 1}},
    {"padded rows", 40, 70, {71, 1}, {71, 1}, {72, 1}},
    {"every second", 1, 5000, {0, 2}, {0, 1}, {0, 2}},
    {"reversed", 1, 5000, {0, -1}, {0, 1}, {0, 1}},
    {"column stride of 2", 130, 130, {260, 2}, {260, 2}, {260, 2}},
    {"short rows", 900, 5, {5, 1}, {0, 1}, {6, 1}},
    {"transposed", 130, 130, {1, 130}, {130, 1}, {130, 1}},
    {"both transposed", 130, 130, {1, 130}, {1, 130}, {130, 1}},
    {"overlapping", 1, 300, {0, 1}, {0, 1}, {0, 1}, true},
    {"overlapping every second", 40, 70, {142, 2}, {142, 2}, {142, 2}, true},
    {"overlapping transposed", 70, 70, {1, 70}, {1, 70}, {70, 1}, true},
};

// Memory for one operand of any of these, and where its first element lies, so that reversed ones have room.
constexpr size_t kBytes = size_t{384} * 1024;
constexpr size_t kFirst = size_t{64} * 1024;

// Visits each operator with its types.
template <class Visit>
void ForEachTypedOperator(const Visit& visit) {
  for (const OperatorId op : kAllOperators) {
    for (const DataType type : kAllDataTypes) {
      for (const DataType result : kAllDataTypes) {
        if (Gives(op, type, result)) visit(op, type, result);
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

// All targets of this machine, and nullptr for a call that names none, which may need no plan.
std::vector<const char*> TargetsToTry() {
  std::vector<const char*> targets = {nullptr};
  for (uint32_t t = 0; residue_target_name(t) != nullptr; ++t) targets.push_back(residue_target_name(t));
  return targets;
}

// How many rows are enough, and eight times as many columns. The reference computes functions with 320 bits,
// and takes its time; on other targets it computes some of their elements.
uint64_t MostRows(const residue_problem& problem) {
  if (!IsFunction(static_cast<OperatorId>(problem.op), static_cast<DataType>(problem.operands[0].type)))
    return UINT64_MAX / 8;
  char row[64] = "";
  residue_describe(&problem, row, sizeof(row));
  return std::string_view(row).ends_with("@REFERENCE") ? 4 : 40;
}

class StackTest : public ::testing::Test {
 public:
  // Calls visit(name, problem, inputs, out) for everything there is.
  template <class Visit>
  void ForEachCall(const Visit& visit) {
    ForEachTypedOperator([&](OperatorId op, DataType type, DataType result) {
      FillInputs(op, type, result);
      for (const char* target : TargetsToTry()) {
        for (const Lie& lie : kLies) {
          residue_operand operands[kMostInputs + 1] = {};
          residue_problem problem = {};
          problem.size = sizeof(problem);
          problem.op = static_cast<residue_operator>(op);
          problem.rank = lie.rows == 1 ? 1 : 2;
          problem.operands = operands;
          problem.operand_count = InputCount(op) + 1;
          problem.params_size = static_cast<uint32_t>(ParamsBytes(op));
          problem.params = problem.params_size == 0 ? nullptr : DefaultParams(op).bytes;
          problem.max_target = target;
          for (uint32_t k = 0; k <= InputCount(op); ++k) {
            const DataType element = OperandType(op, k, type, result);
            const auto& steps = k == InputCount(op) ? lie.out : k == 0 ? lie.first : lie.others;
            operands[k].type = static_cast<residue_type>(element);
            for (uint32_t d = 0; d < problem.rank; ++d)
              operands[k].strides[d] = steps[2 - problem.rank + d] * static_cast<int64_t>(SizeOf(element));
          }
          const uint64_t rows = MostRows(problem);
          problem.sizes[0] = std::min(lie.rows, rows);
          problem.sizes[problem.rank - 1] = std::min(lie.columns, rows * 8);
          const void* inputs[] = {&inputs_[0][kFirst], &inputs_[1][kFirst], &inputs_[2][kFirst]};
          uint8_t* out = &out_[kFirst];
          if (lie.overlaps) {
            out_ = inputs_[0];
            inputs[0] = out;
            out += SizeOf(type);
          }
          visit(std::string(OperatorName(op)) + " of " + ShortName(type) + " to " + ShortName(result) + ", " +
                    lie.name + ", on " + (target == nullptr ? "the best" : target),
                problem, inputs, out);
          if (HasFatalFailure()) return;
        }
      }
    });
  }

  // Usual numbers, with edges between them and, in functions, a few that the reference must compute.
  void FillInputs(OperatorId op, DataType type, DataType result) {
    Random random(1);
    for (uint32_t k = 0; k < InputCount(op); ++k) {
      VisitType(OperandType(op, k, type, result), [&]<class T>(T) {
        PairGenerator<T> generator(random.Next());
        const std::vector<T> edges = EdgeValues<T>();
        for (size_t i = 0; i < kBytes / sizeof(T); ++i) {
          T pair[2];
          generator.NextUsual(&pair[0], &pair[1]);
          if (i % 64 == 3) pair[0] = edges[random.Below(edges.size())];
          std::memcpy(&inputs_[k][i * sizeof(T)], &pair[0], sizeof(T));
        }
      });
    }
    const auto& functions = InputCount(op) == 2 ? hard_pairs_ : hard_inputs_;
    const auto found = functions.find(OperatorName(op));
    if (found == functions.end() || type != DataType::kFloat32) return;
    for (uint32_t k = 0; k < InputCount(op); ++k) {
      const std::vector<float>& hard = found->second.inputs[k];
      for (size_t i = 7; i < kBytes / sizeof(float); i += 250)
        std::memcpy(&inputs_[k][i * sizeof(float)], &hard[i % hard.size()], sizeof(float));
    }
  }

  std::vector<uint8_t> inputs_[kMostInputs] = {std::vector<uint8_t>(kBytes), std::vector<uint8_t>(kBytes),
                                               std::vector<uint8_t>(kBytes)};
  std::vector<uint8_t> out_ = std::vector<uint8_t>(kBytes);
  std::map<std::string, HardInputs> hard_inputs_ = ReadHardInputs("hard_inputs.csv", 1);
  std::map<std::string, HardInputs> hard_pairs_ = ReadHardInputs("hard_pairs.csv", 2);
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

TEST_F(StackTest, NorDoesWhatIsAskedOfAProblem) {
  PaintedStack stack;
  size_t most = 0;
  ForEachCall([&](const std::string& name, const residue_problem& problem, const void* const*, void*) {
    for (const uint32_t too_many : {0u, 1u}) {  // and why it is refused
      residue_problem asked = problem;
      asked.operand_count += too_many;
      char text[300] = "";
      residue_refusal refusal = {};
      residue_plan* plan = nullptr;
      residue_status statuses[3] = {};
      most = std::max(most, stack.Measure([&] {
        statuses[0] = residue_check(&asked, &refusal, sizeof(refusal));
        statuses[1] = residue_describe(&asked, text, sizeof(text));
        statuses[2] = residue_plan_create(&asked, &plan);
        residue_plan_destroy(plan);
      }));
      for (const residue_status status : statuses) ASSERT_EQ(status == RESIDUE_OK, too_many == 0) << name;
      ASSERT_LE(most, kCeiling) << name;
    }
  });
  std::printf("at most %zu bytes of stack\n", most);
}

// However many nodes a graph has, of any operators, on every target, built, compiled and run. Every seventh
// node reads what it is given transposed, so that it begins another pass.
class StackGraph {
 public:
  static constexpr uint64_t kNodes = 1000;

  StackGraph(DataType type, const char* target, uint64_t side) : type_(type), side_(side) {
    problem_.size = sizeof(problem_);
    problem_.rank = 2;
    problem_.sizes[0] = problem_.sizes[1] = side;
    problem_.operands = operands_;
    problem_.max_target = target;
    EXPECT_EQ(residue_graph_create(&graph_), RESIDUE_OK);
    last_ = AddTensor(RESIDUE_TENSOR_INPUT, type);
    std::vector<OperatorId> uniform;
    for (const OperatorId op : kAllOperators) {
      if (IsUniform(op)) {
        if (Contains(InputTypes(op), type)) uniform.push_back(op);
        continue;
      }
      for (const DataType other : kAllDataTypes) {
        if (Gives(op, type, other)) AddMixed(op, type, other);
        if (other != type && Gives(op, other, type)) AddMixed(op, other, type);
      }
    }
    for (; nodes_ < kNodes; AddNode(uniform[nodes_ % uniform.size()], type, type)) {
    }
    AddNode(OperatorId::kIdentity, type, type, RESIDUE_TENSOR_OUTPUT);
  }
  ~StackGraph() { residue_graph_destroy(graph_); }
  StackGraph(const StackGraph&) = delete;
  StackGraph& operator=(const StackGraph&) = delete;

  residue_graph* get() const { return graph_; }
  size_t most() const { return most_; }  // bytes of stack, for what adds a node

 private:
  uint32_t AddTensor(residue_tensor_kind kind, DataType type) {
    uint32_t tensor = 0;
    EXPECT_EQ(residue_graph_add_tensor(graph_, kind, side_ * side_ * SizeOf(type), nullptr, &tensor),
              RESIDUE_OK);
    return tensor;
  }

  // Between casts, so that the operators before and behind it have the graph's type.
  void AddMixed(OperatorId op, DataType type, DataType result) {
    Cast(type_, type);
    AddNode(op, type, result);
    Cast(result, type_);
  }
  void Cast(DataType from, DataType to) {
    if (from != to) AddNode(OperatorId::kCast, from, to);
  }

  void AddNode(OperatorId op, DataType type, DataType result,
               residue_tensor_kind kind = RESIDUE_TENSOR_TEMPORARY) {
    problem_.op = static_cast<residue_operator>(op);
    problem_.operand_count = InputCount(op) + 1;
    problem_.params_size = static_cast<uint32_t>(ParamsBytes(op));
    problem_.params = problem_.params_size == 0 ? nullptr : DefaultParams(op).bytes;
    const bool transposed = nodes_ % 7 == 6;
    const uint32_t output = AddTensor(kind, result);
    uint32_t tensors[kMostInputs + 1];
    for (uint32_t k = 0; k < problem_.operand_count; ++k) {
      const bool is_output = k == InputCount(op);
      const DataType element = OperandType(op, k, type, result);
      tensors[k] = is_output ? output : element == type ? last_ : Second(element);
      const bool turned = transposed && !is_output;
      const auto bytes = static_cast<int64_t>(SizeOf(element));
      operands_[k] = {static_cast<residue_type>(element), 0, {}};
      operands_[k].strides[turned ? 1 : 0] = bytes * static_cast<int64_t>(side_);
      operands_[k].strides[turned ? 0 : 1] = bytes;
    }
    residue_status status = RESIDUE_OK;
    most_ = std::max(
        most_, stack_.Measure([&] { status = residue_graph_add_node(graph_, &problem_, tensors, nullptr); }));
    EXPECT_EQ(status, RESIDUE_OK) << OperatorName(op);
    last_ = output;
    ++nodes_;
  }

  // A constant of that type, for operands that are not of the first one's.
  uint32_t Second(DataType type) {
    const auto index = static_cast<size_t>(type);
    if (seconds_.size() <= index) seconds_.resize(index + 1, 0);
    if (seconds_[index] == 0) {
      const std::vector<uint8_t> ones(side_ * side_ * SizeOf(type), 1);
      EXPECT_EQ(residue_graph_add_tensor(graph_, RESIDUE_TENSOR_CONSTANT, ones.size(), ones.data(),
                                         &seconds_[index]),
                RESIDUE_OK);
    }
    return seconds_[index];
  }

  DataType type_;
  uint64_t side_;
  uint64_t nodes_ = 0;
  uint32_t last_ = 0;
  std::vector<uint32_t> seconds_;
  PaintedStack stack_;
  size_t most_ = 0;
  residue_operand operands_[kMostInputs + 1] = {};
  residue_problem problem_ = {};
  residue_graph* graph_ = nullptr;
};

TEST_F(StackTest, NorDoesAGraph) {
  PaintedStack stack;
  size_t most = 0;
  for (const DataType type : kAllDataTypes) {
    FillInputs(OperatorId::kIdentity, type, type);
    for (const char* target : TargetsToTry()) {
      const std::string name =
          std::string(ShortName(type)) + " on " + (target == nullptr ? "the best" : target);
      const bool slow = target != nullptr && std::string_view(target) == "REFERENCE";
      const StackGraph graph(type, target, slow ? 4 : 70);
      residue_status status = RESIDUE_OK;
      most = std::max(most, graph.most());
      most = std::max(most, stack.Measure([&] { status = residue_graph_compile(graph.get()); }));
      ASSERT_EQ(status, RESIDUE_OK) << name;
      std::vector<uint8_t> temporary(residue_graph_temporary_size(graph.get()));
      const void* const inputs[] = {inputs_[0].data()};
      void* const outputs[] = {out_.data()};
      for (const bool detect : {false, true}) {
        uint32_t exceptions = 0;
        const auto run = [&] {
          const residue_options options = {1, 0, nullptr, detect ? &exceptions : nullptr};
          status = residue_graph_run(graph.get(), inputs, outputs, temporary.data(), &options);
        };
        run();  // functions are found and bound
        most = std::max(most, stack.Measure(run));
        ASSERT_EQ(status, RESIDUE_OK) << name;
        ASSERT_LE(most, kCeiling) << name;
      }
    }
  }
  std::printf("at most %zu bytes of stack\n", most);
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
