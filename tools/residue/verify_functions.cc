#include "verify_functions.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <ctime>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "choices.h"
#include "console.h"
#include "failure.h"
#include "function_inputs.h"
#include "output.h"
#include "verification/function_digest.h"
#include "verification/function_oracle.h"
#include "verification/row_run.h"

namespace residue::tool {
namespace {

using residue::testing::FunctionOracle;
using residue::testing::FunctionsOfOne;
using residue::testing::VectorTargets;

constexpr uint64_t kBlock = 1 << 14;

template <class R>
Row MakeRow(OperatorId op, const std::vector<float>& x, const std::vector<float>& y, std::vector<R>* out) {
  Row row{};
  row.in[0] = x.data();
  row.in[1] = y.data();
  row.out = out->data();
  row.count = x.size();
  row.params = DefaultParams(op).bytes;
  return row;
}

size_t ThreadCount() { return std::max(1u, std::thread::hardware_concurrency()); }

// Calls work(first operands, second ones, index of the thread) for all inputs in blocks, on all processors.
template <class Work>
void ForInputs(OperatorId op, bool exhaustive, Work&& work) {
  const FunctionInputs inputs(op, exhaustive);
  const uint64_t count = inputs.count();
  std::atomic<uint64_t> next = 0;
  Progress progress(OperatorName(op));
  std::mutex shown;
  const auto run = [&](size_t thread) {
    std::vector<float> x(kBlock);
    std::vector<float> y;
    while (!IsInterrupted()) {
      const uint64_t begin = next.fetch_add(kBlock);
      if (begin >= count) return;
      x.resize(std::min(kBlock, count - begin));
      inputs.Fill(begin, &x, &y);
      work(x, y, thread);
      if (const std::unique_lock lock(shown, std::try_to_lock); lock.owns_lock()) {
        progress.Update(static_cast<double>(begin) / static_cast<double>(count));
      }
    }
  };
  std::vector<std::jthread> threads;
  for (size_t i = 1; i < ThreadCount(); ++i) threads.emplace_back(run, i);
  run(0);
}

std::vector<Target> ChosenTargets(const VerifyOptions& options) {
  std::vector<Target> targets = VectorTargets(DataType::kFloat32);
  if (options.target.empty()) return targets;
  const Target only = ReadTargetName(options.target);
  if (std::ranges::find(targets, only) == targets.end())
    Fail("{} has no rows of its own here", options.target);
  return {only};
}

std::vector<OperatorId> ChosenFunctions(const VerifyOptions& options) {
  const auto gives = [&](OperatorId op) {
    return Gives(op, DataType::kFloat32, options.halves ? DataType::kFloat16 : DataType::kFloat32);
  };
  if (options.function == "all") {
    std::vector<OperatorId> functions = FunctionsOfOne();
    std::erase_if(functions, [&](OperatorId op) { return !gives(op); });
    return functions;
  }
  const OperatorId op = ReadOperator(options.function, 1);
  if (!FunctionOracle::Knows(op)) Fail("{} is no function that is rounded once", OperatorName(op));
  if (!gives(op)) Fail("{} has no FLOAT16 results of FLOAT32 numbers", options.function);
  return {op};
}

struct Found {
  uint64_t misrounded = 0;
  uint64_t hard = 0;
  std::string first;
};

uint32_t BitsOf(float value) { return std::bit_cast<uint32_t>(value); }
uint32_t BitsOf(Float16 value) { return value.bits; }

// R is the type of the results.
template <class R>
Found CheckFunction(OperatorId op, const VerifyOptions& options, const std::vector<Target>& targets) {
  std::vector<FunctionOracle> oracles(ThreadCount(), FunctionOracle(op));
  std::mutex mutex;
  Found found;
  const auto check = [&](const std::vector<float>& x, const std::vector<float>& y, size_t thread) {
    std::vector<R> expected(x.size());
    std::vector<R> got(x.size());
    for (size_t i = 0; i < x.size(); ++i) {
      expected[i] = oracles[thread].Expect<R>(x[i], y.empty() ? 0 : y[i]);
    }
    for (const Target target : targets) {
      FindRow({op, DataType::kFloat32, kDataTypeOf<R>}, target).run(MakeRow(op, x, y, &got));
      for (size_t i = 0; i < x.size(); ++i) {
        if (BitsOf(expected[i]) == BitsOf(got[i])) continue;
        const std::lock_guard lock(mutex);
        if (found.misrounded++ == 0) {
          const std::string second = y.empty() ? "" : fmt::format(", {:a}", y[i]);
          found.first =
              fmt::format("{}({:a}{}) is {}, but {} gave {}", OperatorName(op), x[i], second,
                          testing::Describe(expected[i]), TargetName(target), testing::Describe(got[i]));
        }
      }
    }
  };
  ForInputs(op, options.exhaustive, check);
  for (const FunctionOracle& oracle : oracles) found.hard += oracle.hard();
  return found;
}

uint64_t DigestOfFunction(OperatorId op, bool exhaustive, Target target) {
  std::atomic<uint64_t> sum = 0;
  const RowEntry row = FindRow({op, DataType::kFloat32}, target);
  ForInputs(op, exhaustive, [&](const std::vector<float>& x, const std::vector<float>& y, size_t) {
    std::vector<float> out(x.size());
    row.run(MakeRow(op, x, y, &out));
    sum += testing::DigestOf(x, out);
  });
  return sum;
}

}  // namespace

int VerifyFunctions(const VerifyOptions& options) {
  CatchInterrupt();
  const std::vector<Target> targets = ChosenTargets(options);
  const std::vector<OperatorId> functions = ChosenFunctions(options);
  std::string names;
  for (const Target target : targets)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", TargetName(target));
  bool exact = true;
  for (const OperatorId op : functions) {
    const std::clock_t begin = std::clock();
    const Found found = options.halves ? CheckFunction<Float16>(op, options, targets)
                                       : CheckFunction<float>(op, options, targets);
    if (IsInterrupted()) return kExitInterrupted;
    fmt::print(
        "{:<20}{} misrounded of {} on each of {}; {} decided with 320 bits; {:.0f} s of processor time\n",
        OperatorName(op), found.misrounded, FunctionInputs(op, options.exhaustive).count(), names, found.hard,
        static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    if (found.misrounded != 0) fmt::print("{}: {}\n", Red("DIFFERENT"), found.first);
    std::fflush(stdout);
    exact = exact && found.misrounded == 0;
  }
  return exact ? kExitOk : kExitDifference;
}

int PrintDigest(const VerifyOptions& options) {
  CatchInterrupt();
  const Target target = options.target.empty() ? BestTarget() : ReadTargetName(options.target);
  uint64_t digest = 0;
  for (const OperatorId op : FunctionsOfOne()) {
    const uint64_t one = DigestOfFunction(op, options.exhaustive, target);
    if (IsInterrupted()) return kExitInterrupted;
    fmt::print("{:<20}{:016x}\n", OperatorName(op), one);
    digest = testing::WithNextDigest(digest, one);
  }
  fmt::print("{:<20}{}\n", "digest", Bold(fmt::format("{:016x}", digest)));
  return kExitOk;
}

}  // namespace residue::tool
