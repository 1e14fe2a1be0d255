// Does the content of an array make an operator slow? Every operator, type of elements and of results, with
// ordinary params, on contents that have made something slow, on the best target.
//
//   bench_cliffs [OPERATOR...]     Markdown: the slowest content of each operator; two minutes for all
//
// It ends with 1 if a content takes more than 20 times the usual time and is no exception that this file
// names with a reason. A value is the least of several measurements of thread CPU time.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/half.h"
#include "cpu/rows/row.h"
#include "support/hard_inputs.h"
#include "thread_time.h"
#include "verification/random.h"
#include "verification/values.h"

namespace residue::bench {
namespace {

using testing::Random;

constexpr size_t kCount = 1024;
constexpr int kRounds = 5;
constexpr double kLeastNanoseconds = 3000;  // of one measurement
constexpr double kMostTimes = 20;

struct Exception {
  const char* op;  // or "" for any
  TypeSet types;
  const char* content;  // a part of its name
  const char* reason;
};
constexpr const char* kBySearch =
    "320 bits must decide each of these numbers, which were searched for; a row keeps 32";
constexpr const char* kByProcessor =
    "the processor itself takes long for an operation that gives a subnormal number";
constexpr const char* kByLength = "a quotient of 2,000 digits is divided in steps";
constexpr Exception kExceptions[] = {
    {"", kFloats, "searched", kBySearch},
    {"scale_bias", kFloats, "subnormal", kByProcessor},
    {"add", kFloats, "subnormal", kByProcessor},
    {"subtract", kFloats, "subnormal", kByProcessor},
    {"multiply", kFloats, "subnormal", kByProcessor},
    {"mean", kFloats, "subnormal", kByProcessor},
    {"difference_square", kFloats, "subnormal", kByProcessor},
    {"leaky_relu", kFloats, "subnormal", kByProcessor},
    {"parameterized_relu", kFloats, "subnormal", kByProcessor},
    {"hard_swish", kFloats, "subnormal", kByProcessor},
    {"dequantize_linear", kNumbers, "subnormal", kByProcessor},
    {"modulus_floor", kFloats, "", kByLength},
    {"modulus_truncate", kFloats, "", kByLength},
    {"pow", kIntegers, "", "an integer is squared as often as the longest exponent has bits"},
    {"pow_of_sum", kFloats, "", "the reference computes sums of exponents that float64 does not hold"},
};

using Bytes = std::vector<std::byte>;

// A number as an element: rounded, truncated and saturated.
void StoreNumber(DataType type, double number, std::byte* to) {
  VisitType(type, [&]<class T>(T) {
    T element{};
    if constexpr (std::is_same_v<T, Float16>) {
      element = DoubleToHalf(number);
    } else if constexpr (std::is_integral_v<T>) {
      constexpr auto kLeast = static_cast<double>(std::numeric_limits<T>::min());
      const double limit = std::ldexp(1.0, std::numeric_limits<T>::digits);
      element = number >= limit    ? std::numeric_limits<T>::max()
                : number >= kLeast ? static_cast<T>(number)
                                   : std::numeric_limits<T>::min();
    } else {
      element = static_cast<T>(number);
    }
    std::memcpy(to, &element, sizeof(T));
  });
}

// What an array holds.
struct Content {
  std::string name;
  std::function<void(DataType, Random*, Bytes*)> fill;
};

Content Numbers(std::string name, std::function<double(Random*, size_t)> number) {
  return {std::move(name), [number](DataType type, Random* random, Bytes* to) {
            to->resize(kCount * SizeOf(type));
            for (size_t i = 0; i < kCount; ++i)
              StoreNumber(type, number(random, i), &(*to)[i * SizeOf(type)]);
          }};
}
Content Range(std::string name, double least, double most) {
  return Numbers(std::move(name), [=](Random* random, size_t) {
    return least + (most - least) * static_cast<double>(random->Below(uint64_t{1} << 53)) * 0x1p-53;
  });
}
Content Constant(double number) {
  char name[48];
  const bool subnormal = number != 0 && std::fabs(number) < 0x1p-120;
  std::snprintf(name, sizeof(name), "%sall %g", subnormal ? "subnormal, " : "", number);
  return Numbers(name, [=](Random*, size_t) { return number; });
}

std::vector<Content> UsualContents() {
  return {Range("from -0.9 to 0.9", -0.9, 0.9), Range("from 1 to 3", 1, 3), Range("from 1 to 100", 1, 100)};
}

std::vector<Content> Contents() {
  std::vector<Content> contents = UsualContents();
  contents.push_back(Range("from -100 to 100", -100, 100));
  contents.push_back(Range("from 30 to 90", 30, 90));
  contents.push_back(Range("from -104 to -87", -104, -87));
  contents.push_back(Range("up to 1e9", -1e9, 1e9));
  contents.push_back(Range("up to 1e38", -1e38, 1e38));
  contents.push_back(Range("tiny", -1e-30, 1e-30));
  contents.push_back(Range("subnormal", -0x1p-126, 0x1p-126));
  contents.push_back(Range("half of them subnormal", -0x1p-124, 0x1p-124));
  contents.push_back(Numbers("16-bit samples", [](Random* random, size_t) {
    return static_cast<double>(random->Below(65536)) - 32768;
  }));
  contents.push_back(Numbers("odd integers from 4097", [](Random* random, size_t) {
    return static_cast<double>(4097 + 2 * random->Below(2000));
  }));
  contents.push_back(Numbers(
      "halves", [](Random* random, size_t) { return 0.5 * static_cast<double>(random->Below(8192)); }));
  contents.push_back(Numbers("squares", [](Random* random, size_t) {
    const auto root = static_cast<double>(random->Below(400));
    return root * root;
  }));
  contents.push_back(Numbers("odd multiples of 2^-25", [](Random* random, size_t) {
    return 0x1p-25 * (2 * static_cast<double>(random->Below(4096)) - 4095);
  }));
  contents.push_back(
      Numbers("near 1", [](Random*, size_t i) { return 1 + 0x1p-23 * (static_cast<double>(i) - 256); }));
  contents.push_back(Numbers("powers of 2", [](Random*, size_t i) {
    return std::ldexp(i % 2 == 0 ? 1.0 : -1.0, static_cast<int>(i / 2 % 277) - 149);
  }));
  contents.push_back({"edges", [](DataType type, Random*, Bytes* to) {
                        VisitType(type, [&]<class T>(T) {
                          const std::vector<T> edges = testing::EdgeValues<T>();
                          to->resize(kCount * sizeof(T));
                          for (size_t i = 0; i < kCount; ++i) {
                            std::memcpy(&(*to)[i * sizeof(T)], &edges[i % edges.size()], sizeof(T));
                          }
                        });
                      }});
  contents.push_back({"any bits", [](DataType type, Random* random, Bytes* to) {
                        to->resize(kCount * SizeOf(type));
                        for (std::byte& byte : *to) byte = static_cast<std::byte>(random->Below(256));
                      }});
  for (const double number :
       {0.0, -0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, -1.0, -2.0, 1e30, 1e300, 5e-324,
        std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
        std::numeric_limits<double>::quiet_NaN()}) {
    contents.push_back(Constant(number));
  }
  return contents;
}

// Constant tensors of one input: powers of 2, small integers and decimals.
std::vector<Content> Constants() {
  std::vector<Content> constants;
  for (int e = -149; e < 128; ++e) {
    constants.push_back(Constant(std::ldexp(1.0, e)));
    constants.push_back(Constant(-std::ldexp(1.0, e)));
  }
  for (int i = -300; i <= 300; ++i) {
    constants.push_back(Constant(i));
    constants.push_back(Constant(0.01 * i));
  }
  return constants;
}

// Params that are neither infinite nor NaN nor turn the curve around; nothing else is usual.
std::vector<Params> OrdinaryParams(OperatorId op) {
  std::vector<Params> params = {DefaultParams(op)};
  for (const float number : {0.5f, 1.5f, 3.0f}) {
    switch (op) {
      case OperatorId::kElu:
      case OperatorId::kCelu:
      case OperatorId::kSwish:
      case OperatorId::kLeakyRelu:
        params.push_back(Params::Of(AlphaParams{number}));
        break;
      case OperatorId::kScaledElu:
        params.push_back(Params::Of(AlphaGammaParams{1.67326319f, number}));
        break;
      case OperatorId::kScaledTanh:
      case OperatorId::kParametricSoftplus:
        params.push_back(Params::Of(ScaledParams{number, 1}));
        params.push_back(Params::Of(ScaledParams{1, number}));
        break;
      case OperatorId::kSoftplus:
        params.push_back(Params::Of(SteepnessParams{number}));
        break;
      case OperatorId::kScaleBias:
        params.push_back(Params::Of(ScaleBiasParams{number, 1}));
        break;
      default:
        break;
    }
  }
  return params;
}

// One operator on one target: its slowest content so far.
class Judge {
 public:
  Judge(RowKey key, Target target, const Params& params)
      : key_(key), params_(params), run_(FindRow(key, target).run) {}

  void MeasureUsual(const std::vector<Content>& usual, Random* random) {
    for (const Content& content : usual) usual_ = std::min(usual_, Measure(content, content, random));
  }
  void Try(const Content& first, const Content& others, Random* random) {
    double taken = Measure(first, others, random);
    if (taken > kMostTimes / 2 * usual_)
      taken =
          std::min(taken, Measure(first, others, random));  // once more: something else may have disturbed it
    if (taken <= slowest_) return;
    slowest_ = taken;
    content_ = InputCount(key_.op) == 1 || first.name == others.name ? first.name
                                                                     : first.name + " by " + others.name;
  }

  double usual() const { return usual_; }
  double slowest() const { return slowest_; }
  double times() const { return slowest_ / usual_; }
  const std::string& content() const { return content_; }

 private:
  double Measure(const Content& first, const Content& others, Random* random) {
    Bytes in[kMostInputs];
    Row row = {};
    for (uint32_t k = 0; k < InputCount(key_.op); ++k) {
      const DataType type = TraitsOf(key_.op).letters[k] == 'T' ? key_.type : key_.result;
      (k == 0 ? first : others).fill(type, random, &in[k]);
      row.in[k] = in[k].data();
    }
    Bytes out(kCount * SizeOf(key_.result));
    row.out = out.data();
    row.count = kCount;
    row.params = params_.bytes;
    double least = std::numeric_limits<double>::infinity();
    for (int round = 0; round < kRounds; ++round) {
      const double once = Time(row, 1);
      const int turns = std::clamp(static_cast<int>(kLeastNanoseconds / once), 1, 100);
      least = std::min(least, Time(row, turns));
      if (once > 1e6) break;
    }
    return least / static_cast<double>(kCount);
  }

  double Time(const Row& row, int turns) const {
    const double start = ThreadNanoseconds();
    for (int i = 0; i < turns; ++i) run_(row);
    return (ThreadNanoseconds() - start) / turns;
  }

  RowKey key_;
  Params params_;
  RowFn run_;
  double usual_ = std::numeric_limits<double>::infinity();
  double slowest_ = 0;
  std::string content_;
};

class Report {
 public:
  void Add(OperatorId op, DataType type, DataType result, Target target, const Judge& judge) {
    const auto known = std::ranges::find_if(kExceptions, [&](const Exception& exception) {
      const bool named = exception.op[0] == 0 || std::strcmp(exception.op, OperatorName(op)) == 0;
      return named && Contains(exception.types, type) &&
             judge.content().find(exception.content) != std::string::npos;
    });
    const bool slow = judge.times() > kMostTimes;
    if (slow && known != std::end(kExceptions)) met_[static_cast<size_t>(known - kExceptions)] = true;
    if (slow && known == std::end(kExceptions)) failed_ = true;
    std::printf("| %s | %s | %s | %s | %.2f | %.2f | %.1f | %s%s |\n", OperatorName(op), ShortName(type),
                ShortName(result), TargetName(target), judge.usual(), judge.slowest(), judge.times(),
                judge.content().c_str(),
                !slow                            ? ""
                : known == std::end(kExceptions) ? ": TOO SLOW"
                                                 : ": an exception");
    std::fflush(stdout);
  }

  int Conclude() const {
    std::puts("\nExceptions that were met:");
    for (size_t i = 0; i < std::size(kExceptions); ++i) {
      const Exception& exception = kExceptions[i];
      if (met_[i]) std::printf("- %s, %s: %s\n", exception.op, exception.content, exception.reason);
    }
    return failed_ ? 1 : 0;
  }

 private:
  bool met_[std::size(kExceptions)] = {};
  bool failed_ = false;
};

// The slowest content of all params.
void MeasureKey(RowKey key, Target target, const std::vector<Content>& contents,
                const std::vector<Content>& constants, const testing::HardInputs* searched, Report* report) {
  Random random(1);
  const std::vector<Content> usual = UsualContents();
  std::optional<Judge> worst;
  const auto keep = [&](const Judge& judge) {
    if (!worst || judge.times() > worst->times()) worst.emplace(judge);
  };
  for (const Params& params : OrdinaryParams(key.op)) {
    Judge judge(key, target, params);
    judge.MeasureUsual(usual, &random);
    for (const Content& first : contents) {
      if (InputCount(key.op) == 1) {
        judge.Try(first, first, &random);
        continue;
      }
      for (const Content& others : contents) judge.Try(first, others, &random);
    }
    if (InputCount(key.op) == 1 && Contains(kFloats, key.type)) {
      for (const Content& constant : constants) judge.Try(constant, constant, &random);
    }
    keep(judge);
  }
  report->Add(key.op, key.type, key.result, target, *worst);
  if (searched == nullptr || key.type != DataType::kFloat32) return;
  Judge judge(key, target, DefaultParams(key.op));
  judge.MeasureUsual(usual, &random);
  const Content content = Numbers("searched for near ties", [&](Random*, size_t i) {
    return static_cast<double>(searched->inputs[0][i % searched->inputs[0].size()]);
  });
  judge.Try(content, content, &random);
  report->Add(key.op, key.type, key.result, target, judge);
}

int Run(const std::vector<std::string>& names) {
  const std::vector<Content> contents = Contents();
  const std::vector<Content> constants = Constants();
  const auto searched = testing::ReadHardInputs("hard_inputs.csv", 1);
  Report report;
  std::puts("| operator | elements | results | target | usual, ns | slowest, ns | times | content |");
  std::puts("|---|---|---|---|---|---|---|---|");
  for (const OperatorId op : kAllOperators) {
    if (!names.empty() && std::ranges::find(names, OperatorName(op)) == names.end()) continue;
    for (const DataType type : kAllDataTypes) {
      for (const DataType result : kAllDataTypes) {
        if (!Gives(op, type, result)) continue;
        const auto hard = searched.find(OperatorName(op));
        const Target target = FindRow({op, type, result}, BestTarget()).target;
        MeasureKey({op, type, result}, target, contents, constants,
                   hard == searched.end() ? nullptr : &hard->second, &report);
      }
    }
  }
  return report.Conclude();
}

}  // namespace
}  // namespace residue::bench

int main(int argc, char** argv) { return residue::bench::Run({argv + 1, argv + argc}); }
