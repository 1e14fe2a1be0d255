// What one call costs on few elements: planned and run at once, through a prepared plan, and in one
// dimension.
//
//   bench_calls --benchmark_repetitions=5
#include <benchmark/benchmark.h>
#include <residue/residue.h>
#include <residue/residue.hpp>

#include <cstdint>
#include <span>

#include "verification/binary_problem.h"

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

residue::testing::BinaryProblem MakeProblem(uint64_t count) {
  residue::testing::BinaryProblem problem(RESIDUE_MODULUS_FLOOR, RESIDUE_FLOAT32, 1);
  problem.problem.sizes[0] = count;
  for (residue_operand& operand : problem.operands) operand.strides[0] = sizeof(float);
  return problem;
}

void Run(benchmark::State& state) {
  Numbers numbers = MakeNumbers();
  auto given = MakeProblem(static_cast<uint64_t>(state.range(0)));
  const residue_problem* problem = given.get();
  const void* const inputs[] = {numbers.a, numbers.b};
  for (auto _ : state) {
    benchmark::DoNotOptimize(residue_run(problem, inputs, numbers.out, nullptr));
    benchmark::ClobberMemory();
  }
}
BENCHMARK(Run)->Arg(1)->Arg(16)->Arg(64)->Arg(256);

void RunPlan(benchmark::State& state) {
  Numbers numbers = MakeNumbers();
  auto given = MakeProblem(static_cast<uint64_t>(state.range(0)));
  const residue_problem* problem = given.get();
  const void* const inputs[] = {numbers.a, numbers.b};
  residue_plan* plan = nullptr;
  if (residue_plan_create(problem, &plan) != RESIDUE_OK) return state.SkipWithError("no plan");
  for (auto _ : state) {
    benchmark::DoNotOptimize(residue_plan_run(plan, inputs, numbers.out, nullptr));
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

// Results of another type than the inputs'.
void RunLessThan(benchmark::State& state) {
  Numbers numbers = MakeNumbers();
  const auto count = static_cast<uint64_t>(state.range(0));
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        residue_run_packed(RESIDUE_LESS_THAN, RESIDUE_FLOAT32, numbers.a, numbers.b, numbers.out, count));
    benchmark::ClobberMemory();
  }
}
BENCHMARK(RunLessThan)->Arg(1)->Arg(16)->Arg(64)->Arg(256);

// The C++ interface, on spans.
void RunCpp(benchmark::State& state) {
  Numbers numbers = MakeNumbers();
  const auto count = static_cast<size_t>(state.range(0));
  for (auto _ : state) {
    const residue::Result result =
        residue::ModulusFloor(std::span(numbers.a).first(count), std::span(numbers.b).first(count),
                              std::span(numbers.out).first(count));
    if (!result) return state.SkipWithError(result.text());
    benchmark::ClobberMemory();
  }
}
BENCHMARK(RunCpp)->Arg(1)->Arg(16)->Arg(64)->Arg(256);

}  // namespace

BENCHMARK_MAIN();
