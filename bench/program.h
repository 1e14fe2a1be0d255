// The main function of programs that register their benchmarks when they run.
#pragma once

#include <benchmark/benchmark.h>

namespace residue::bench {

inline int RunRegistered(int argc, char** argv, void (*register_all)()) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  register_all();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

}  // namespace residue::bench
