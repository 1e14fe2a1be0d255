// The modulus operators against the physical limit and against C, C++ and SLEEF, in one interleaved run.
//
//   bench_modulus --benchmark_filter=/f32/vv/ --benchmark_repetitions=5
//                 --benchmark_enable_random_interleaving=true --benchmark_out=run.json
//   bench_modulus --write-data=FOLDER    the same numbers, for bench/peers.py
//
// A benchmark's name is who/operator/type/form/data/bytes per tensor/threads; bench/report.py makes tables of
// the JSON. Throughput counts bytes read and written. RESIDUE_MAX_TARGET caps the instruction set.
#include <benchmark/benchmark.h>
#include <residue/residue.h>

#include <cstring>
#include <string>
#include <utility>

#include "arrays.h"
#include "limit.h"
#include "peers.h"
#include "program.h"
#include "verification/binary_problem.h"

namespace residue::bench {
namespace {

constexpr size_t kSizes[] = {4 << 10, 64 << 10, 512 << 10, 16 << 20, 256 << 20};
constexpr size_t kCacheSize = 512 << 10;
constexpr size_t kSmallestPages = 64 << 10;
constexpr size_t kLargestForPeers = 16 << 20;  // some need seconds for more

struct Case {
  OperatorId op;
  DataType type;
  bool scalar_b;
  DataSet set;
  size_t bytes;
  uint32_t threads;
};

void CountBytes(benchmark::State& state, const Case& c) {
  const size_t moved = (c.scalar_b ? 2 : 3) * c.bytes;
  state.SetBytesProcessed(static_cast<int64_t>(moved) * state.iterations());
  state.SetItemsProcessed(static_cast<int64_t>(c.bytes / SizeOf(c.type)) * state.iterations());
}

void Ours(benchmark::State& state, const Case& c) {
  Arrays& arrays = Prepare(c.type, c.set, c.bytes);
  const auto size = static_cast<int64_t>(SizeOf(c.type));
  testing::BinaryProblem problem(static_cast<residue_operator>(c.op), static_cast<residue_type>(c.type), 1);
  problem.problem.sizes[0] = c.bytes / SizeOf(c.type);
  problem.a_strides()[0] = problem.out_strides()[0] = size;
  problem.b_strides()[0] = c.scalar_b ? 0 : size;
  const residue_options options = {c.threads, 0, nullptr, nullptr};
  for (auto _ : state) {
    if (problem.Run(arrays.a.get(), arrays.b.get(), arrays.out.get(), &options) != RESIDUE_OK) {
      state.SkipWithError("residue_run failed");
      break;
    }
    benchmark::ClobberMemory();
  }
  CountBytes(state, c);
}

// Google Benchmark's own threads each take their part.
void Limit(benchmark::State& state, const Case& c, Store store) {
  static Arrays* arrays;
  if (state.thread_index() == 0) arrays = &Prepare(c.type, c.set, c.bytes);
  Case part = c;
  part.bytes = c.bytes / static_cast<size_t>(state.threads());
  const size_t begin = part.bytes * static_cast<size_t>(state.thread_index());
  for (auto _ : state) {  // the other threads wait here for the first
    const std::byte* b = c.scalar_b ? arrays->b.get() : arrays->b.get() + begin;
    Add(arrays->a.get() + begin, b, arrays->out.get() + begin, part.bytes, c.scalar_b, store);
    benchmark::ClobberMemory();
  }
  CountBytes(state, part);
}

void Plain(benchmark::State& state, const Case& c, PlainLoop loop) {
  Arrays& arrays = Prepare(c.type, c.set, c.bytes);
  for (auto _ : state) {
    loop(arrays.a.get(), arrays.b.get(), arrays.out.get(), c.bytes / SizeOf(c.type));
    benchmark::ClobberMemory();
  }
  CountBytes(state, c);
}

template <class Function, class... Arguments>
benchmark::internal::Benchmark* Register(const char* who, const Case& c, const char* set, Function function,
                                         Arguments... arguments) {
  const std::string name = std::string(who) + "/" + OperatorName(c.op) + "/" + ShortName(c.type) + "/" +
                           (c.scalar_b ? "vs" : "vv") + "/" + set + "/" + std::to_string(c.bytes) + "/" +
                           std::to_string(c.threads);
  return benchmark::RegisterBenchmark(name.c_str(), function, c, arguments...)->UseRealTime();
}

void RegisterCase(const Case& c, const char* set) {
  const auto threads = static_cast<int>(c.threads);
  Register("residue", c, set, &Ours);
  Register("limit_plain", c, set, &Limit, Store::kPlain)->Threads(threads);
  Register("limit_stream", c, set, &Limit, Store::kStreaming)->Threads(threads);
  if (c.bytes >= kSmallestPages)
    Register("limit_pages", c, set, &Limit, Store::kStreamingPages)->Threads(threads);
  if (c.scalar_b || c.threads != 1 || c.bytes > kLargestForPeers) return;
  if (!IsFloat(c.type) && c.set == DataSet::kZeroDivisors) return;  // the C loop would trap
  Register("c_loop", c, set, &Plain, FindPlainLoop(c.op, c.type));
  const PlainLoop sleef = FindSleefLoop(c.op, c.type);
  if (sleef != nullptr) Register("sleef", c, set, &Plain, sleef);
}

// Typical data at every size, with one and two threads and both forms; the other sets in the second cache.
void RegisterAll() {
  for (const OperatorId op : {OperatorId::kModulusFloor, OperatorId::kModulusTruncate}) {
    for (const DataType type : kAllDataTypes) {
      for (const size_t bytes : kSizes) {
        for (const bool scalar_b : {false, true}) {
          for (const uint32_t threads : {1u, 2u}) {
            RegisterCase({op, type, scalar_b, DataSet::kTypical, bytes, threads}, "typical");
          }
        }
      }
      for (const auto& [set, name] : kDataSets) {
        if (set == DataSet::kTypical || !HasDataSet(type, set)) continue;
        RegisterCase({op, type, false, set, kCacheSize, 1}, name);
      }
    }
  }
}

}  // namespace
}  // namespace residue::bench

int main(int argc, char** argv) {
  constexpr const char* kWriteData = "--write-data=";
  if (argc == 2 && std::strncmp(argv[1], kWriteData, std::strlen(kWriteData)) == 0) {
    residue::bench::WriteData(argv[1] + std::strlen(kWriteData));
    return 0;
  }
  return residue::bench::RunRegistered(argc, argv, &residue::bench::RegisterAll);
}
