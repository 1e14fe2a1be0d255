// Every operator, type and result against the physical limit for its own bytes, in one interleaved run. What
// is computed with more digits and rounded once has other limits: bench/function_peers.py.
//
//   bench_family --benchmark_filter=/268435456 --benchmark_repetitions=5
//                --benchmark_enable_random_interleaving=true --benchmark_out=run.json
//
// A benchmark's name is who/operator/type/result/sizes of elements/bytes of the largest tensor. Limits are
// measured once for each combination of sizes, and have no operator and types. bench/report.py makes tables
// of the JSON. Throughput counts bytes read and written, on one thread.
#include <benchmark/benchmark.h>
#include <residue/residue.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "arrays.h"
#include "core/operator_id.h"
#include "packed_problem.h"
#include "program.h"
#include "traffic.h"

namespace residue::bench {
namespace {

constexpr size_t kSizes[] = {512 << 10, 256 << 20};
constexpr residue_options kOneThread = {1, 0, nullptr, nullptr};

struct Case {
  OperatorId op;
  DataType type;
  DataType result;
  size_t bytes;  // of the largest tensor

  uint32_t inputs() const { return InputCount(op); }
  DataType OperandType(uint32_t k) const { return residue::OperandType(op, k, type, result); }
  size_t count() const { return bytes / std::max(SizeOf(type), SizeOf(result)); }
  size_t BytesOfElement() const {
    size_t sum = 0;
    for (uint32_t k = 0; k <= inputs(); ++k) sum += SizeOf(OperandType(k));
    return sum;
  }
};

// Tensors are made once for each type, and what smaller ones need is their beginning. All of one case are
// different ones: three of bytes are the most of one type.
struct Tensors {
  explicit Tensors(const Case& c) {
    std::map<DataType, uint32_t> used;
    for (uint32_t k = 0; k < c.inputs(); ++k) {
      Arrays& arrays = Prepare(c.OperandType(k), DataSet::kTypical, c.bytes);
      std::byte* const of_type[] = {arrays.a.get(), arrays.b.get(), arrays.out.get()};
      in[k] = of_type[used[c.OperandType(k)]++];
    }
    out = Prepare(DataType::kInt64, DataSet::kTypical, c.bytes).out.get();
  }
  std::byte* in[kMostInputs] = {};
  std::byte* out;
};

void CountBytes(benchmark::State& state, const Case& c) {
  state.SetBytesProcessed(static_cast<int64_t>(c.count() * c.BytesOfElement()) * state.iterations());
}

void Ours(benchmark::State& state, const Case& c) {
  const Tensors tensors(c);
  const void* inputs[] = {tensors.in[0], tensors.in[1], tensors.in[2]};
  const PackedProblem packed(c.op, c.type, c.result, c.count(), DefaultParams(c.op));
  for (auto _ : state) {
    if (residue_run(&packed.problem, inputs, tensors.out, &kOneThread) != RESIDUE_OK) {
      return state.SkipWithError("residue_run failed");
    }
    benchmark::ClobberMemory();
  }
  CountBytes(state, c);
}

void Limit(benchmark::State& state, const Case& c, Store store) {
  const Tensors tensors(c);
  std::vector<Stream> inputs;
  for (uint32_t k = 0; k < c.inputs(); ++k) inputs.push_back({tensors.in[k], SizeOf(c.OperandType(k))});
  for (auto _ : state) {
    if (!Move(inputs, {tensors.out, SizeOf(c.result)}, c.count(), store)) {
      return state.SkipWithError("no loop has these sizes");
    }
    benchmark::ClobberMemory();
  }
  CountBytes(state, c);
}

// The sizes of an element in every operand, as 4+4>1.
std::string SizesOf(const Case& c) {
  std::string text;
  for (uint32_t k = 0; k < c.inputs(); ++k)
    text += (k != 0 ? "+" : "") + std::to_string(SizeOf(c.OperandType(k)));
  return text + ">" + std::to_string(SizeOf(c.result));
}

void RegisterCase(const Case& c, std::set<std::string>* limits) {
  const std::string bytes = std::to_string(c.bytes);
  const std::string name = std::string(OperatorName(c.op)) + "/" + ShortName(c.type) + "/" +
                           ShortName(c.result) + "/" + SizesOf(c) + "/" + bytes;
  benchmark::RegisterBenchmark(("residue/" + name).c_str(), &Ours, c)->UseRealTime();
  const std::string limit = "/-/-/-/" + SizesOf(c) + "/" + bytes;
  if (!limits->insert(limit).second) return;
  for (const auto& [who, store] :
       {std::pair("limit_plain", Store::kPlain), std::pair("limit_stream", Store::kStreaming),
        std::pair("limit_pages", Store::kStreamingPages)}) {
    benchmark::RegisterBenchmark((who + limit).c_str(), &Limit, c, store)->UseRealTime();
  }
}

void RegisterAll() {
  for (const size_t bytes : kSizes) {
    std::set<std::string> limits;
    for (const OperatorId op : kAllOperators) {
      for (const DataType type : kAllDataTypes) {
        for (const DataType result : kAllDataTypes) {
          if (IsFunction(op, type) || !Gives(op, type, result)) continue;
          RegisterCase({op, type, result, bytes}, &limits);
        }
      }
    }
  }
}

}  // namespace
}  // namespace residue::bench

int main(int argc, char** argv) {
  return residue::bench::RunRegistered(argc, argv, &residue::bench::RegisterAll);
}
