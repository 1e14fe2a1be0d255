// How the time of float modulus depends on the operands, target by target: by class of data, and by binade of
// the divisor. One process, all targets by turns, the data in the first cache.
//
//   bench_binades [f16|f32|f64 ...]     Markdown; half a minute for all three
//
// A value is the least of many rounds of thread CPU time: what the arithmetic takes, whatever the neighbours
// do.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "cpu/rows/row.h"
#include "data.h"
#include "thread_time.h"

namespace residue::bench {
namespace {

constexpr size_t kCount = 1024;  // three arrays of the widest type in 24 KiB
constexpr int kRounds = 60;
constexpr double kLeastNanoseconds = 20'000;  // of one measurement
constexpr OperatorId kOperators[] = {OperatorId::kModulusFloor, OperatorId::kModulusTruncate};

// One kernel on one set of operands, and the least time so far per element.
template <class T>
struct Case {
  std::vector<T> a = std::vector<T>(kCount);
  std::vector<T> b = std::vector<T>(kCount);
  std::vector<double> least;  // by target
};

// The targets that have rows of their own for the type, best first; the reference is no competitor.
template <class T>
std::vector<Target> Targets() {
  std::vector<Target> targets;
  for (const Target target : SupportedTargets()) {
    const RowKey key = {OperatorId::kModulusFloor, kDataTypeOf<T>};
    if (target != Target::kReference && FindRow(key, target).target == target) targets.push_back(target);
  }
  return targets;
}

template <class T>
double MeasureOnce(RowFn run, const Case<T>& c, std::vector<T>& out, int turns) {
  const Row row = {{c.a.data(), c.b.data()}, out.data(), kCount, nullptr, 0, false, false};
  const double start = ThreadNanoseconds();
  for (int i = 0; i < turns; ++i) run(row);
  return (ThreadNanoseconds() - start) / (turns * static_cast<double>(kCount));
}

template <class T>
void Measure(OperatorId op, const std::vector<Target>& targets, std::vector<Case<T>>& cases) {
  std::vector<T> out(kCount);
  for (Case<T>& c : cases) c.least.assign(targets.size(), std::numeric_limits<double>::infinity());
  for (int round = 0; round < kRounds; ++round) {
    for (Case<T>& c : cases) {
      for (size_t i = 0; i < targets.size(); ++i) {
        const RowFn run = FindRow({op, kDataTypeOf<T>}, targets[i]).run;
        const double once = MeasureOnce(run, c, out, 1) * static_cast<double>(kCount);
        const int turns = std::clamp(static_cast<int>(kLeastNanoseconds / once), 1, 100);
        c.least[i] = std::min(c.least[i], MeasureOnce(run, c, out, turns));
      }
    }
  }
}

std::string TableRow(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& cell : cells) text += " " + cell + " |";
  return text + "\n";
}

std::string Number(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.2f", value);
  return text;
}

const char* OperatorTitle(OperatorId op) { return op == OperatorId::kModulusFloor ? "FLOOR" : "TRUNCATE"; }

// Nanoseconds per element, and the ratio of the slowest class to "huge".
template <class T>
void PrintClasses() {
  const std::vector<Target> targets = Targets<T>();
  for (const OperatorId op : kOperators) {
    std::vector<Case<T>> cases(std::size(kDataSets));
    size_t huge = 0;
    for (size_t i = 0; i < cases.size(); ++i) {
      Fill<T>(kDataSets[i].set, cases[i].a, cases[i].b);
      if (kDataSets[i].set == DataSet::kHugeQuotients) huge = i;
    }
    Measure(op, targets, cases);
    for (size_t t = 0; t < targets.size(); ++t) {
      std::vector<std::string> cells = {ShortName(kDataTypeOf<T>), OperatorTitle(op), TargetName(targets[t])};
      double slowest = 0;
      for (const Case<T>& c : cases) {
        cells.push_back(Number(c.least[t]));
        slowest = std::max(slowest, c.least[t]);
      }
      cells.push_back(Number(slowest / cases[huge].least[t]));
      std::fputs(TableRow(cells).c_str(), stdout);
    }
  }
}

// Every binade where something changes, and some between.
template <class T>
std::vector<int> Binades() {
  constexpr int kLow = kLowestExponent<T>;
  constexpr int kBits = kSignificantBits<T>;
  constexpr int kNormal = kNormalExponent<T>;
  constexpr int kHigh = kHighestExponent<T>;
  std::vector<int> binades = {kLow,
                              kLow + 1,
                              kLow + kBits / 2,
                              kNormal - 3,
                              kNormal - 2,
                              kNormal - 1,
                              kNormal,
                              kNormal + 1,
                              kNormal + 2,
                              kNormal + 5,
                              kNormal + 9,
                              kNormal + kBits - 2,
                              kNormal + kBits,
                              kNormal / 2,
                              0,
                              kHigh / 2,
                              kHigh - 3,
                              kHigh - 2,
                              kHigh - 1,
                              kHigh};
  std::sort(binades.begin(), binades.end());
  binades.erase(std::unique(binades.begin(), binades.end()), binades.end());
  return binades;
}

enum class Dividends { kLargest, kNear, kSubnormal };
constexpr const char* kDividendNames[] = {"largest", "1000 b", "subnormal"};

template <class T>
Case<T> MakeBinade(int binade, Dividends dividends) {
  std::mt19937_64 random(20240607);
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  const auto sign = [&] { return (random() & 1) != 0 ? 1.0 : -1.0; };
  Case<T> c;
  for (size_t i = 0; i < kCount; ++i) {
    const double divisor = std::ldexp(uniform(1, 2), binade);
    double dividend = std::ldexp(uniform(1, 2), kHighestExponent<T>);
    if (dividends == Dividends::kNear) dividend = std::min(dividend, divisor * uniform(0, 1000));
    if (dividends == Dividends::kSubnormal) {
      dividend = std::ldexp(uniform(0, 1), kLowestExponent<T> + kSignificantBits<T> - 1);
    }
    c.a[i] = FromDouble<T>(sign() * dividend);
    c.b[i] = FromDouble<T>(sign() * divisor);
  }
  return c;
}

// One column for each kind of dividend and target. Returns the largest ratio of a better target to a worse
// one.
template <class T>
double PrintBinades(OperatorId op) {
  const std::vector<Target> targets = Targets<T>();
  const std::vector<int> binades = Binades<T>();
  std::vector<Case<T>> cases;
  for (const int binade : binades) {
    for (size_t kind = 0; kind < std::size(kDividendNames); ++kind) {
      cases.push_back(MakeBinade<T>(binade, static_cast<Dividends>(kind)));
    }
  }
  Measure(op, targets, cases);
  std::vector<std::string> header = {"b"};
  for (const char* name : kDividendNames) {
    for (const Target target : targets) header.push_back(std::string(name) + ", " + TargetName(target));
  }
  std::fputs(TableRow(header).c_str(), stdout);
  std::fputs(TableRow(std::vector<std::string>(header.size(), "---")).c_str(), stdout);
  double worst = 0;
  for (size_t row = 0; row < binades.size(); ++row) {
    std::vector<std::string> cells = {"2^" + std::to_string(binades[row])};
    for (size_t kind = 0; kind < std::size(kDividendNames); ++kind) {
      const std::vector<double>& least = cases[row * std::size(kDividendNames) + kind].least;
      double worse = std::numeric_limits<double>::infinity();
      for (size_t t = targets.size(); t-- > 0;) {
        worst = std::max(worst, least[t] / worse);
        worse = std::min(worse, least[t]);
      }
      for (const double value : least) cells.push_back(Number(value));
    }
    std::fputs(TableRow(cells).c_str(), stdout);
  }
  return worst;
}

// FLOOR does all that TRUNCATE does, and an addition.
template <class T>
void PrintBinadesOfType() {
  std::printf("\n%s FLOOR, nanoseconds per element:\n\n", ShortName(kDataTypeOf<T>));
  const double worst = PrintBinades<T>(OperatorId::kModulusFloor);
  std::printf("\nA better target takes at most %.2f times what a worse one does.\n", worst);
}

template <class Function>
void ForWantedTypes(int argc, char** argv, Function function) {
  for (const DataType type : {DataType::kFloat16, DataType::kFloat32, DataType::kFloat64}) {
    const auto is_type = [&](const char* argument) { return std::strcmp(argument, ShortName(type)) == 0; };
    if (argc > 1 && std::none_of(argv + 1, argv + argc, is_type)) continue;
    VisitType(type, [&]<class T>(T) {
      if constexpr (!std::integral<T>) function.template operator()<T>();
    });
  }
}

}  // namespace
}  // namespace residue::bench

int main(int argc, char** argv) {
  using namespace residue::bench;
  std::vector<std::string> header = {"type", "operator", "target"};
  for (const NamedDataSet& set : kDataSets) header.push_back(set.name);
  header.push_back("slowest / huge");
  std::fputs(TableRow(header).c_str(), stdout);
  std::fputs(TableRow(std::vector<std::string>(header.size(), "---")).c_str(), stdout);
  ForWantedTypes(argc, argv, []<class T>() { PrintClasses<T>(); });
  ForWantedTypes(argc, argv, []<class T>() { PrintBinadesOfType<T>(); });
}
