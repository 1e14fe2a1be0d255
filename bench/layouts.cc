// Permuted, strided and broadcast layouts: modulus against an addition that runs through the same plan and
// the same loops, so that the difference is the arithmetic and nothing else.
//
//   bench_layouts --benchmark_repetitions=5 --benchmark_enable_random_interleaving=true
//
// A benchmark's name is who/type/layout; tensors of 64 MiB, one thread.
#include <benchmark/benchmark.h>

#include <cstring>
#include <string>
#include <vector>

#include "arrays.h"
#include "cpu/engine/run.h"
#include "cpu/rows/row.h"
#include "program.h"

namespace residue::bench {
namespace {

constexpr size_t kBytes = size_t{64} << 20;

// Sizes and strides in elements.
struct Shape {
  const char* name;
  uint32_t rank;
  Sizes sizes;
  Strides a;
  Strides b;
  Strides out;
};

// All of `side` * `side` elements, side = 2^k.
std::vector<Shape> MakeShapes(int64_t side) {
  const auto n = static_cast<uint64_t>(side);
  const int64_t all = side * side;
  return {
      {"packed", 1, {n * n}, {1}, {1}, {1}},
      {"transposed_a", 2, {n, n}, {1, side}, {side, 1}, {side, 1}},
      {"transposed_both", 2, {n, n}, {1, side}, {1, side}, {side, 1}},
      {"row_broadcast_b", 2, {n, n}, {side, 1}, {0, 1}, {side, 1}},
      {"column_broadcast_b", 2, {n, n}, {side, 1}, {1, 0}, {side, 1}},
      {"scalar_b", 1, {n * n}, {1}, {0}, {1}},
      {"every_second_a", 1, {n * n / 2}, {2}, {1}, {1}},
      {"reversed_a", 1, {n * n}, {-1}, {1}, {1}},
      {"short_rows_b", 2, {n * n / 4, 4}, {4, 1}, {0, 1}, {4, 1}},
      {"channels_last", 3, {n, n / 64, 64}, {side / 64, 1, all / 64}, {side, 64, 1}, {side, 64, 1}},
  };
}

Plan MakeShapePlan(const Shape& shape, DataType type) {
  OpRequest request{};
  request.op = OperatorId::kModulusFloor;
  request.type = type;
  request.rank = shape.rank;
  request.sizes = shape.sizes;
  request.strides = {shape.a, shape.b, shape.out};
  for (Strides& strides : request.strides) {
    for (int64_t& stride : strides) stride *= static_cast<int64_t>(SizeOf(type));
  }
  Plan plan;
  if (!MakePlan(request, BestTarget(), &plan).ok()) std::abort();
  return plan;
}

void RunShape(benchmark::State& state, Plan plan) {
  Arrays& arrays = Prepare(plan.request.type, DataSet::kTypical, kBytes);
  std::byte* a = arrays.a.get() - plan.layout.lowest[kOperandA];
  for (auto _ : state) {
    if (!Run(plan, {a, arrays.b.get(), arrays.out.get()}, SerialExecutor()).ok()) {
      return state.SkipWithError("did not run");
    }
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(static_cast<int64_t>(plan.layout.element_count) * state.iterations());
}

void RegisterAll() {
  for (const DataType type : {DataType::kUint8, DataType::kInt16, DataType::kFloat32, DataType::kFloat64}) {
    int64_t side = 1;
    while (side * side * static_cast<int64_t>(SizeOf(type)) < static_cast<int64_t>(kBytes)) side *= 2;
    if (side * side * static_cast<int64_t>(SizeOf(type)) > static_cast<int64_t>(kBytes)) side /= 2;
    for (const Shape& shape : MakeShapes(side)) {
      const Plan plan = MakeShapePlan(shape, type);
      Plan addition = plan;
      addition.row.run = FindRow({OperatorId::kAdd, type}, plan.target).run;
      const std::string name = std::string("/") + ShortName(type) + "/" + shape.name;
      benchmark::RegisterBenchmark(("modulus_floor" + name).c_str(), &RunShape, plan)->UseRealTime();
      benchmark::RegisterBenchmark(("addition" + name).c_str(), &RunShape, addition)->UseRealTime();
    }
  }
}

}  // namespace
}  // namespace residue::bench

int main(int argc, char** argv) {
  return residue::bench::RunRegistered(argc, argv, &residue::bench::RegisterAll);
}
