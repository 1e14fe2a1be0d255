// Graphs of ADD, MULTIPLY, MAX and SUBTRACT on two inputs, which are one walk over memory, against one
// addition, in one interleaved run.
//
//   bench_pairs --benchmark_repetitions=5 --benchmark_enable_random_interleaving=true
//   --benchmark_out=run.json
//
// A benchmark's name is who/nodes/bytes per tensor; bench/report.py makes a table of the JSON. Throughput
// counts the bytes of the two inputs and of the output, however many nodes there are, on one thread.
#include <benchmark/benchmark.h>
#include <residue/residue.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "arrays.h"
#include "limit.h"
#include "packed_problem.h"
#include "program.h"

namespace residue::bench {
namespace {

constexpr size_t kNodeCounts[] = {1, 2, 5, 10};
constexpr size_t kSizes[] = {256 << 10, 8 << 20, 128 << 20};
constexpr OperatorId kOperators[] = {OperatorId::kAdd, OperatorId::kMultiply, OperatorId::kMax,
                                     OperatorId::kSubtract};
constexpr residue_options kOneThread = {1, 0, nullptr, nullptr};

struct Case {
  size_t nodes;
  size_t bytes;
};

Arrays& PrepareCase(const Case& c) { return Prepare(DataType::kFloat32, DataSet::kTypical, c.bytes); }

void CountBytes(benchmark::State& state, const Case& c) {
  state.SetBytesProcessed(static_cast<int64_t>(3 * c.bytes) * state.iterations());
}

PackedProblem MakeNode(size_t number, size_t bytes) {
  return {kOperators[number % std::size(kOperators)], DataType::kFloat32, DataType::kFloat32,
          bytes / sizeof(float), Params{}};
}

// A node's operands: what the one before gave, and the two inputs by turns.
residue_graph* MakeGraph(const Case& c) {
  residue_graph* graph = nullptr;
  bool ok = residue_graph_create(&graph) == RESIDUE_OK;
  uint32_t inputs[2];
  for (uint32_t& input : inputs) {
    ok = ok && residue_graph_add_tensor(graph, RESIDUE_TENSOR_INPUT, c.bytes, nullptr, &input) == RESIDUE_OK;
  }
  uint32_t last = inputs[0];
  for (size_t i = 0; i < c.nodes && ok; ++i) {
    const PackedProblem node = MakeNode(i, c.bytes);
    const auto kind = i + 1 == c.nodes ? RESIDUE_TENSOR_OUTPUT : RESIDUE_TENSOR_TEMPORARY;
    uint32_t tensors[3] = {last, inputs[(i + 1) % 2], 0};
    ok = residue_graph_add_tensor(graph, kind, c.bytes, nullptr, &tensors[2]) == RESIDUE_OK &&
         residue_graph_add_node(graph, &node.problem, tensors, nullptr) == RESIDUE_OK;
    last = tensors[2];
  }
  if (ok && residue_graph_compile(graph) == RESIDUE_OK) return graph;
  residue_graph_destroy(graph);
  return nullptr;
}

void RunGraph(benchmark::State& state, const Case& c) {
  Arrays& arrays = PrepareCase(c);
  residue_graph* graph = MakeGraph(c);
  if (graph == nullptr) return state.SkipWithError("the graph was refused");
  const void* in[] = {arrays.a.get(), arrays.b.get()};
  void* out = arrays.out.get();
  for (auto _ : state) {
    if (residue_graph_run(graph, in, &out, nullptr, &kOneThread) != RESIDUE_OK) {
      state.SkipWithError("residue_graph_run failed");
      break;
    }
    benchmark::ClobberMemory();
  }
  residue_graph_destroy(graph);
  CountBytes(state, c);
}

// Each node by a call of its own; all but the first read what the one before wrote.
void RunNodes(benchmark::State& state, const Case& c) {
  Arrays& arrays = PrepareCase(c);
  const Memory other = Allocate(c.bytes);
  const void* inputs[] = {arrays.a.get(), arrays.b.get()};
  for (auto _ : state) {
    const void* last = arrays.a.get();
    for (size_t i = 0; i < c.nodes; ++i) {
      const PackedProblem node = MakeNode(i, c.bytes);
      void* to = (c.nodes - i) % 2 == 1 ? arrays.out.get() : other.get();
      const void* in[] = {last, inputs[(i + 1) % 2]};
      if (residue_run(&node.problem, in, to, &kOneThread) != RESIDUE_OK) {
        return state.SkipWithError("residue_run failed");
      }
      last = to;
    }
    benchmark::ClobberMemory();
  }
  CountBytes(state, c);
}

void RunLimit(benchmark::State& state, const Case& c, Store store) {
  Arrays& arrays = PrepareCase(c);
  for (auto _ : state) {
    Add(arrays.a.get(), arrays.b.get(), arrays.out.get(), c.bytes, false, store);
    benchmark::ClobberMemory();
  }
  CountBytes(state, c);
}

template <class Function, class... Arguments>
void Register(const char* who, const Case& c, Function function, Arguments... arguments) {
  const std::string name = std::string(who) + "/" + std::to_string(c.nodes) + "/" + std::to_string(c.bytes);
  benchmark::RegisterBenchmark(name.c_str(), function, c, arguments...)->UseRealTime();
}

void RegisterAll() {
  for (const size_t bytes : kSizes) {
    Register("limit_plain", {1, bytes}, &RunLimit, Store::kPlain);
    Register("limit_stream", {1, bytes}, &RunLimit, Store::kStreaming);
    Register("limit_pages", {1, bytes}, &RunLimit, Store::kStreamingPages);
    for (const size_t nodes : kNodeCounts) {
      Register("graph", {nodes, bytes}, &RunGraph);
      Register("nodes", {nodes, bytes}, &RunNodes);
    }
  }
}

}  // namespace
}  // namespace residue::bench

int main(int argc, char** argv) {
  return residue::bench::RunRegistered(argc, argv, &residue::bench::RegisterAll);
}
