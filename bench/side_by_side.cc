// Two builds of the library in one process, call by call in turns, so that neither has the better moments of
// a noisy machine.
//
//   bench_side_by_side BEFORE AFTER [PATTERN]    paths of two libresidue.so; rows whose name the pattern fits
//
// Prints for each row how fast AFTER is compared with BEFORE, the median of the turns' ratios. Names are
// those of bench_modulus without the first part, and there are rows of a few elements too. The only call made
// is one that every version of the library has. bench/compare.py makes a table of it.
#include <dlfcn.h>
#include <residue/residue.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <regex>
#include <string>
#include <vector>

#include "arrays.h"
#include "core/operator_id.h"
#include "cpu/engine/partition.h"

namespace residue::bench {
namespace {

using RunStrided = decltype(&residue_run_strided);

struct Case {
  OperatorId op;
  DataType type;
  bool scalar_b;
  NamedDataSet set;
  size_t bytes;
  uint32_t threads;
};

constexpr size_t kSizes[] = {16, 64, 256, 1024, 4 << 10, 64 << 10, 512 << 10, 16 << 20, 256 << 20};
constexpr size_t kCacheSize = 512 << 10;

std::string NameOf(const Case& c) {
  return std::string(OperatorName(c.op)) + "/" + ShortName(c.type) + "/" + (c.scalar_b ? "vs" : "vv") + "/" +
         c.set.name + "/" + std::to_string(c.bytes) + "/" + std::to_string(c.threads);
}

[[noreturn]] void Fail(const char* text) {
  std::fprintf(stderr, "bench_side_by_side: %s\n", text);
  std::exit(1);
}

RunStrided Open(const char* path) {
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) Fail(dlerror());
  const auto run = reinterpret_cast<RunStrided>(dlsym(library, "residue_run_strided"));
  if (run == nullptr) Fail(dlerror());
  return run;
}

// Nanoseconds of `calls` calls.
double Time(RunStrided run, const Case& c, const Arrays& arrays, size_t calls) {
  const auto size = static_cast<int64_t>(SizeOf(c.type));
  const residue_options threads = {c.threads, 0, nullptr, nullptr};
  const residue_options* options = c.bytes < kSmallestSharedBytes ? nullptr : &threads;
  const auto begin = std::chrono::steady_clock::now();
  for (size_t i = 0; i < calls; ++i) {
    const residue_status status =
        run(static_cast<residue_operator>(c.op), static_cast<residue_type>(c.type), arrays.a.get(), size,
            arrays.b.get(), c.scalar_b ? 0 : size, arrays.out.get(), size, c.bytes / SizeOf(c.type), options);
    if (status != RESIDUE_OK) Fail("residue_run_strided failed");
  }
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
}

void Compare(const RunStrided (&runs)[2], const Case& c) {
  constexpr double kTurn = 100e3;  // nanoseconds
  constexpr double kRow = 300e6;
  const Arrays arrays = MakeArrays(c.type, c.set.set, c.bytes);
  for (const RunStrided run : runs) Time(run, c, arrays, 1);
  double once = kRow;  // the least of a few, which nothing disturbed
  for (int i = 0; i < 5; ++i) once = std::min(once, std::max(Time(runs[0], c, arrays, 1), 10.0));
  const auto calls = static_cast<size_t>(std::max(1.0, kTurn / once));
  const auto turns =
      static_cast<size_t>(std::clamp(kRow / (4 * once * static_cast<double>(calls)), 11.0, 501.0));
  std::vector<double> ratios;
  for (size_t turn = 0; turn < turns; ++turn) {
    double time[2] = {};
    for (const int k : {0, 1, 1, 0}) time[k] += Time(runs[k], c, arrays, calls);
    ratios.push_back(time[0] / time[1]);
  }
  std::ranges::nth_element(ratios, ratios.begin() + static_cast<ptrdiff_t>(turns / 2));
  std::printf("%s %.3f\n", NameOf(c).c_str(), ratios[turns / 2]);
  std::fflush(stdout);
}

// Every size of typical data, and every other set in the second cache.
template <class Function>
void ForEachCase(Function function) {
  for (const OperatorId op : {OperatorId::kModulusFloor, OperatorId::kModulusTruncate}) {
    for (const DataType type : kAllDataTypes) {
      for (const size_t bytes : kSizes) {
        for (const bool scalar_b : {false, true}) {
          function(Case{op, type, scalar_b, kDataSets[0], bytes, 1});
          if (bytes >= kSmallestSharedBytes) function(Case{op, type, scalar_b, kDataSets[0], bytes, 2});
        }
      }
      for (const NamedDataSet& set : kDataSets) {
        if (set.set == DataSet::kTypical || !HasDataSet(type, set.set)) continue;
        function(Case{op, type, false, set, kCacheSize, 1});
      }
    }
  }
}

}  // namespace
}  // namespace residue::bench

int main(int argc, char** argv) {
  using namespace residue::bench;
  if (argc < 3) Fail("usage: bench_side_by_side BEFORE AFTER [PATTERN]");
  const RunStrided runs[] = {Open(argv[1]), Open(argv[2])};
  const std::regex pattern(argc > 3 ? argv[3] : ".");
  ForEachCase([&](const Case& c) {
    if (std::regex_search(NameOf(c), pattern)) Compare(runs, c);
  });
}
