// How long a graph takes to compile, by its nodes: of one shape, which fuse; of two shapes by turns, so that
// each result is a temporary in memory; and with all results alive at once.
//
//   bench_compile     Markdown; ten seconds
//
// A value is the least of several measurements of thread CPU time, in milliseconds.
#include <residue/residue.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <vector>

#include "thread_time.h"

namespace residue::bench {
namespace {

constexpr uint32_t kMostNodes = 65'536;
constexpr int kRounds = 3;

enum class Form { kOneShape, kTwoShapes, kAllAlive };

void Check(residue_status status) {
  if (status == RESIDUE_OK) return;
  std::fputs(residue_status_text(status), stderr);
  std::abort();
}

class Builder {
 public:
  Builder() { Check(residue_graph_create(&graph_)); }
  ~Builder() { residue_graph_destroy(graph_); }
  Builder(const Builder&) = delete;
  Builder& operator=(const Builder&) = delete;

  uint32_t Tensor(residue_tensor_kind kind) {
    uint32_t tensor = 0;
    Check(residue_graph_add_tensor(graph_, kind, 2 * sizeof(float), nullptr, &tensor));
    return tensor;
  }
  // The negative of `from`, or of its first element, as that many elements.
  void Node(uint32_t from, uint32_t to, uint64_t count, bool repeats) {
    residue_operand operands[2] = {{RESIDUE_FLOAT32, 0, {repeats ? 0 : int64_t{sizeof(float)}}},
                                   {RESIDUE_FLOAT32, 0, {sizeof(float)}}};
    residue_problem problem = {};
    problem.size = sizeof(problem);
    problem.op = RESIDUE_NEGATE;
    problem.rank = 1;
    problem.operand_count = 2;
    problem.sizes[0] = count;
    problem.operands = operands;
    const uint32_t tensors[] = {from, to};
    Check(residue_graph_add_node(graph_, &problem, tensors, nullptr));
  }
  double Compile() {
    const double start = ThreadNanoseconds();
    Check(residue_graph_compile(graph_));
    return 1e-6 * (ThreadNanoseconds() - start);
  }

 private:
  residue_graph* graph_ = nullptr;
};

double Measure(Form form, uint32_t nodes) {
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < kRounds; ++round) {
    Builder builder;
    const uint32_t chain = form == Form::kAllAlive ? nodes / 2 : nodes - 1;
    std::vector<uint32_t> results = {builder.Tensor(RESIDUE_TENSOR_INPUT)};
    for (uint32_t i = 0; i < chain; ++i) {
      results.push_back(builder.Tensor(RESIDUE_TENSOR_TEMPORARY));
      builder.Node(results[i], results[i + 1], form == Form::kOneShape ? 2 : 1 + i % 2,
                   form != Form::kOneShape);
    }
    for (uint32_t i = chain; i < nodes; ++i) {
      const size_t reads = form == Form::kAllAlive ? i - chain + 1 : chain;
      builder.Node(results[reads], builder.Tensor(RESIDUE_TENSOR_OUTPUT), 2, form != Form::kOneShape);
    }
    least = std::min(least, builder.Compile());
  }
  return least;
}

void Run() {
  std::puts(
      "| nodes | one shape | two shapes by turns | times | all results alive | times "
      "|\n|---|---|---|---|---|---|");
  for (uint32_t nodes = kMostNodes / 16; nodes <= kMostNodes; nodes *= 4) {
    const double one = Measure(Form::kOneShape, nodes);
    const double two = Measure(Form::kTwoShapes, nodes);
    const double all = Measure(Form::kAllAlive, nodes);
    std::printf("| %u | %.1f | %.1f | %.1f | %.1f | %.1f |\n", nodes, one, two, two / one, all, all / one);
  }
}

}  // namespace
}  // namespace residue::bench

int main() { residue::bench::Run(); }
