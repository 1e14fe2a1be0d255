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
#include "output.h"
#include "verification/function_oracle.h"
#include "verification/row_run.h"

namespace residue::tool {
namespace {

using residue::testing::FunctionOracle;
using residue::testing::VectorTargets;

constexpr uint64_t kBlock = 1 << 14;

// Input number `n`: every one, or one of each 256 that follow one another, never the same of them.
float InputOf(uint64_t n, bool exhaustive) {
  const uint64_t place = (n * 0x9E3779B97F4A7C15u) >> 56;
  return std::bit_cast<float>(static_cast<uint32_t>(exhaustive ? n : n << 8 | place));
}
uint64_t InputCountOf(bool exhaustive) { return exhaustive ? uint64_t{1} << 32 : uint64_t{1} << 24; }

Row MakeRow(OperatorId op, const std::vector<float>& in, std::vector<float>* out) {
  Row row{};
  row.in[0] = in.data();
  row.out = out->data();
  row.count = in.size();
  row.params = DefaultParams(op).bytes;
  return row;
}

std::vector<OperatorId> FunctionsOfOne() {
  std::vector<OperatorId> functions;
  std::ranges::copy_if(kAllOperators, std::back_inserter(functions), FunctionOracle::Knows);
  return functions;
}

size_t ThreadCount() { return std::max(1u, std::thread::hardware_concurrency()); }

// Calls work(block of inputs, index of the thread) for all inputs, on all processors.
template <class Work>
void ForInputs(bool exhaustive, const std::string& title, Work&& work) {
  const uint64_t count = InputCountOf(exhaustive);
  std::atomic<uint64_t> next = 0;
  Progress progress(title);
  std::mutex shown;
  const auto run = [&](size_t thread) {
    std::vector<float> in(kBlock);
    while (!IsInterrupted()) {
      const uint64_t begin = next.fetch_add(kBlock);
      if (begin >= count) return;
      for (uint64_t i = 0; i < kBlock; ++i) in[i] = InputOf(begin + i, exhaustive);
      work(in, thread);
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

struct Found {
  uint64_t misrounded = 0;
  uint64_t hard = 0;
  std::string first;
};

Found CheckFunction(OperatorId op, const VerifyOptions& options, const std::vector<Target>& targets) {
  std::vector<FunctionOracle> oracles(ThreadCount(), FunctionOracle(op));
  std::mutex mutex;
  Found found;
  ForInputs(options.exhaustive, OperatorName(op), [&](const std::vector<float>& in, size_t thread) {
    std::vector<float> expected(in.size());
    std::vector<float> got(in.size());
    std::ranges::transform(in, expected.begin(), [&](float x) { return oracles[thread].Expect<float>(x); });
    for (const Target target : targets) {
      FindRow({op, DataType::kFloat32}, target).run(MakeRow(op, in, &got));
      for (size_t i = 0; i < in.size(); ++i) {
        if (std::bit_cast<uint32_t>(expected[i]) == std::bit_cast<uint32_t>(got[i])) continue;
        const std::lock_guard lock(mutex);
        if (found.misrounded++ == 0) {
          found.first = fmt::format("{}({:a}) is {:a}, but {} gave {:a}", OperatorName(op), in[i],
                                    expected[i], TargetName(target), got[i]);
        }
      }
    }
  });
  for (const FunctionOracle& oracle : oracles) found.hard += oracle.hard();
  return found;
}

// Not of the order of results, so that threads do not matter.
uint64_t Mix(float x, float y) {
  uint64_t z = uint64_t{std::bit_cast<uint32_t>(x)} << 32 | std::bit_cast<uint32_t>(y);
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

uint64_t DigestOf(OperatorId op, bool exhaustive, Target target) {
  std::atomic<uint64_t> sum = 0;
  const RowEntry row = FindRow({op, DataType::kFloat32}, target);
  ForInputs(exhaustive, OperatorName(op), [&](const std::vector<float>& in, size_t) {
    std::vector<float> out(in.size());
    row.run(MakeRow(op, in, &out));
    uint64_t part = 0;
    for (size_t i = 0; i < in.size(); ++i) part += Mix(in[i], out[i]);
    sum += part;
  });
  return sum;
}

}  // namespace

int VerifyFunctions(const VerifyOptions& options) {
  CatchInterrupt();
  const std::vector<Target> targets = ChosenTargets(options);
  std::vector<OperatorId> functions = FunctionsOfOne();
  if (options.function != "all") {
    const OperatorId op = ReadOperator(options.function, 1);
    if (!FunctionOracle::Knows(op)) Fail("{} is no function of one number", options.function);
    functions = {op};
  }
  std::string names;
  for (const Target target : targets)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", TargetName(target));
  bool exact = true;
  for (const OperatorId op : functions) {
    const std::clock_t begin = std::clock();
    const Found found = CheckFunction(op, options, targets);
    if (IsInterrupted()) return kExitInterrupted;
    fmt::print(
        "{:<20}{} misrounded of {} on each of {}; {} decided with 320 digits; {:.0f} s of processor time\n",
        OperatorName(op), found.misrounded, InputCountOf(options.exhaustive), names, found.hard,
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
    const uint64_t one = DigestOf(op, options.exhaustive, target);
    if (IsInterrupted()) return kExitInterrupted;
    fmt::print("{:<20}{:016x}\n", OperatorName(op), one);
    digest = std::rotl(digest, 1) + one;
  }
  fmt::print("{:<20}{}\n", "digest", Bold(fmt::format("{:016x}", digest)));
  return kExitOk;
}

}  // namespace residue::tool
