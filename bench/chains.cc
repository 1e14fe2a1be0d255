// Chains of x * scale + bias, which are one walk over memory, against one scaled copy, in one interleaved
// run.
//
//   bench_chains --benchmark_repetitions=5 --benchmark_enable_random_interleaving=true
//                --benchmark_out=run.json
//
// A benchmark's name is who/nodes/bytes per tensor; bench/report.py makes a table of the JSON. Throughput
// counts the bytes of the input and of the output, however many nodes there are, and time is that of the
// process on one processor: DirectML's queue is a thread of its own, and a dispatch takes as many threads as
// there are processors.
#include <benchmark/benchmark.h>
#include <residue/residue.h>
#include <sched.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "arrays.h"
#include "limit.h"
#include "packed_problem.h"
#ifndef RESIDUE_NO_DIRECTML
#include "directml_chain.h"
#include "program.h"
#endif

namespace residue::bench {
namespace {

constexpr size_t kNodeCounts[] = {1, 2, 5, 10};
constexpr size_t kSizes[] = {256 << 10, 8 << 20, 128 << 20};
constexpr residue_options kOneThread = {1, 0, nullptr, nullptr};

struct Case {
  size_t nodes;
  size_t bytes;
};

Arrays& PrepareCase(const Case& c) { return Prepare(DataType::kFloat32, DataSet::kTypical, c.bytes); }

// Numbers stay where no operation is slow: a chain of ten neither overflows nor comes near zero.
std::vector<residue_scale_bias> MakeNodes(size_t count) {
  std::vector<residue_scale_bias> nodes;
  for (size_t i = 0; i < count; ++i) {
    nodes.push_back({i % 2 == 0 ? 1.25f : 0.75f, 0.5f + static_cast<float>(i)});
  }
  return nodes;
}

PackedProblem MakeNode(const residue_scale_bias& node, size_t bytes) {
  return {OperatorId::kScaleBias, DataType::kFloat32, DataType::kFloat32, bytes / sizeof(float),
          Params::Of(node)};
}

void CountBytes(benchmark::State& state, const Case& c, size_t runs = 1) {
  state.SetBytesProcessed(static_cast<int64_t>(2 * c.bytes * runs) * state.iterations());
}

// Where the last node writes does not depend on how many there are.
void RunNodes(benchmark::State& state, const Case& c) {
  Arrays& arrays = PrepareCase(c);
  const std::vector<residue_scale_bias> nodes = MakeNodes(c.nodes);
  for (auto _ : state) {
    const void* from = arrays.a.get();
    for (size_t i = 0; i < nodes.size(); ++i) {
      const PackedProblem node = MakeNode(nodes[i], c.bytes);
      void* to = (nodes.size() - i) % 2 == 1 ? arrays.out.get() : arrays.b.get();
      if (residue_run(&node.problem, &from, to, &kOneThread) != RESIDUE_OK) {
        return state.SkipWithError("residue_run failed");
      }
      from = to;
    }
    benchmark::ClobberMemory();
  }
  CountBytes(state, c);
}

residue_graph* MakeGraph(const Case& c) {
  residue_graph* graph = nullptr;
  bool ok = residue_graph_create(&graph) == RESIDUE_OK;
  uint32_t tensors[2];
  ok = ok &&
       residue_graph_add_tensor(graph, RESIDUE_TENSOR_INPUT, c.bytes, nullptr, &tensors[0]) == RESIDUE_OK;
  const std::vector<residue_scale_bias> nodes = MakeNodes(c.nodes);
  for (size_t i = 0; i < nodes.size() && ok; ++i) {
    const PackedProblem node = MakeNode(nodes[i], c.bytes);
    const auto kind = i + 1 == nodes.size() ? RESIDUE_TENSOR_OUTPUT : RESIDUE_TENSOR_TEMPORARY;
    ok = residue_graph_add_tensor(graph, kind, c.bytes, nullptr, &tensors[1]) == RESIDUE_OK &&
         residue_graph_add_node(graph, &node.problem, tensors, nullptr) == RESIDUE_OK;
    tensors[0] = tensors[1];
  }
  if (ok && residue_graph_compile(graph) == RESIDUE_OK) return graph;
  residue_graph_destroy(graph);
  return nullptr;
}

void RunGraph(benchmark::State& state, const Case& c) {
  Arrays& arrays = PrepareCase(c);
  residue_graph* graph = MakeGraph(c);
  if (graph == nullptr) return state.SkipWithError("the graph was refused");
  const void* in = arrays.a.get();
  void* out = arrays.out.get();
  for (auto _ : state) {
    if (residue_graph_run(graph, &in, &out, nullptr, &kOneThread) != RESIDUE_OK) {
      state.SkipWithError("residue_graph_run failed");
      break;
    }
    benchmark::ClobberMemory();
  }
  residue_graph_destroy(graph);
  CountBytes(state, c);
}

#ifndef RESIDUE_NO_DIRECTML
// Small tensors share the switch to the queue's thread and back, as the operators of a real program do.
void RunDirectml(benchmark::State& state, const Case& c) {
  const size_t dispatches = std::max<size_t>(1, (size_t{16} << 20) / c.bytes);
  const auto chain = MakeDirectmlChain(MakeNodes(c.nodes), c.bytes, dispatches);
  std::memcpy(chain->input(), PrepareCase(c).a.get(), c.bytes);
  chain->Run();  // touches the output
  for (auto _ : state) chain->Run();
  CountBytes(state, c, dispatches);
}
#endif

void RunLimit(benchmark::State& state, const Case& c, Store store) {
  Arrays& arrays = PrepareCase(c);
  for (auto _ : state) {
    Scale(arrays.a.get(), 1.25f, 0.5f, arrays.out.get(), c.bytes, store);
    benchmark::ClobberMemory();
  }
  CountBytes(state, c);
}

template <class Function, class... Arguments>
void Register(const char* who, const Case& c, Function function, Arguments... arguments) {
  const std::string name = std::string(who) + "/" + std::to_string(c.nodes) + "/" + std::to_string(c.bytes);
  benchmark::RegisterBenchmark(name.c_str(), function, c, arguments...)->MeasureProcessCPUTime();
}

void RegisterAll() {
  for (const size_t bytes : kSizes) {
    Register("limit_plain", {1, bytes}, &RunLimit, Store::kPlain);
    Register("limit_stream", {1, bytes}, &RunLimit, Store::kStreaming);
    Register("limit_pages", {1, bytes}, &RunLimit, Store::kStreamingPages);
    for (const size_t nodes : kNodeCounts) {
      const Case c = {nodes, bytes};
      Register("graph", c, &RunGraph);
#ifndef RESIDUE_NO_DIRECTML
      Register("directml", c, &RunDirectml);
#endif
      Register("nodes", c, &RunNodes);
    }
  }
}

bool KeepToOneProcessor() {
  cpu_set_t processors;
  CPU_ZERO(&processors);
  CPU_SET(static_cast<size_t>(sched_getcpu()), &processors);
  return sched_setaffinity(0, sizeof(processors), &processors) == 0;
}

}  // namespace
}  // namespace residue::bench

int main(int argc, char** argv) {
  if (!residue::bench::KeepToOneProcessor()) {
    std::fputs("cannot keep to one processor\n", stderr);
    return 1;
  }
  return residue::bench::RunRegistered(argc, argv, &residue::bench::RegisterAll);
}
