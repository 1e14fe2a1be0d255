// What one call costs on few elements: planned and run at once, through a prepared plan, and in one
// dimension.
//
//   bench_calls --benchmark_repetitions=5
#include <benchmark/benchmark.h>
#include <residue/residue.h>

#include <cstdint>

namespace {

struct Numbers {
  alignas(64) float a[256];
  alignas(64) float b[256];
  alignas(64) float out[256];
};

Numbers MakeNumbers() {
  Numbers numbers{};
  for (int i = 0; i < 256; ++i) {
    numbers.a[i] = static_cast<float>(i * 37 % 101) - 50.0f;
    numbers.b[i] = static_cast<float>(i % 7) + 0.75f;
  }
  return numbers;
}

residue_problem MakeProblem(uint64_t count) {
  residue_problem problem{};
  problem.op = RESIDUE_MODULUS_FLOOR;
  problem.type = RESIDUE_FLOAT32;
  problem.rank = 1;
  problem.sizes[0] = count;
  problem.a_strides[0] = problem.b_strides[0] = problem.out_strides[0] = sizeof(float);
  return problem;
}

void Run(benchmark::State& state) {
  Numbers numbers = MakeNumbers();
  const residue_problem problem = MakeProblem(static_cast<uint64_t>(state.range(0)));
  for (auto _ : state) {
    benchmark::DoNotOptimize(residue_run(&problem, numbers.a, numbers.b, numbers.out, nullptr));
    benchmark::ClobberMemory();
  }
}
BENCHMARK(Run)->Arg(1)->Arg(16)->Arg(64)->Arg(256);

void RunPlan(benchmark::State& state) {
  Numbers numbers = MakeNumbers();
  const residue_problem problem = MakeProblem(static_cast<uint64_t>(state.range(0)));
  residue_plan* plan = nullptr;
  if (residue_plan_create(&problem, &plan) != RESIDUE_OK) return state.SkipWithError("no plan");
  for (auto _ : state) {
    benchmark::DoNotOptimize(residue_plan_run(plan, numbers.a, numbers.b, numbers.out, nullptr));
    benchmark::ClobberMemory();
  }
  residue_plan_destroy(plan);
}
BENCHMARK(RunPlan)->Arg(1)->Arg(16)->Arg(64)->Arg(256);

void RunPacked(benchmark::State& state) {
  Numbers numbers = MakeNumbers();
  const auto count = static_cast<uint64_t>(state.range(0));
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        residue_run_packed(RESIDUE_MODULUS_FLOOR, RESIDUE_FLOAT32, numbers.a, numbers.b, numbers.out, count));
    benchmark::ClobberMemory();
  }
}
BENCHMARK(RunPacked)->Arg(1)->Arg(16)->Arg(64)->Arg(256);

void RunStrided(benchmark::State& state) {
  Numbers numbers = MakeNumbers();
  const auto count = static_cast<uint64_t>(state.range(0));
  for (auto _ : state) {
    benchmark::DoNotOptimize(residue_run_strided(RESIDUE_MODULUS_FLOOR, RESIDUE_FLOAT32, numbers.a, 4,
                                                 numbers.b, 4, numbers.out, 4, count, nullptr));
    benchmark::ClobberMemory();
  }
}
BENCHMARK(RunStrided)->Arg(1)->Arg(16)->Arg(64)->Arg(256);

}  // namespace

BENCHMARK_MAIN();
