#include "verify.h"

#include <chrono>
#include <optional>
#include <sstream>
#include <vector>

#include "console.h"
#include "embedded_data.h"
#include "failure.h"
#include "kernels/reference.h"
#include "number.h"
#include "output.h"
#include "residue/residue.h"
#include "verification/kernel_run.h"
#include "verification/museum.h"
#include "verification/vectors.h"

namespace residue::tool {
namespace {

using residue::testing::DescribeDifference;
using residue::testing::FirstDifference;
using residue::testing::MakeTile;
using residue::testing::PairGenerator;
using residue::testing::VectorTargets;

constexpr OperatorId kModuli[] = {OperatorId::kModulusFloor, OperatorId::kModulusTruncate};

// Counts what is compared, and keeps the first difference.
class Verifier {
 public:
  Verifier(std::optional<Target> only, uint64_t seed) : only_(only), seed_(seed) {}

  uint64_t checks() const { return checks_; }
  const std::string& difference() const { return difference_; }
  bool found() const { return !difference_.empty(); }

  // Every target and form on these pairs; the scalar forms take the first operand.
  template <class T>
  void CheckAll(OperatorId op, const std::vector<T>& a, const std::vector<T>& b,
                const std::vector<T>& expected) {
    for (const Target target : VectorTargets(kDataTypeOf<T>)) {
      if (only_ && target != *only_) continue;
      Check(op, Form::kVectorVector, target, a, b, expected);
    }
    // The judge itself.
    if (!only_ || *only_ == Target::kReference) {
      Check(op, Form::kVectorVector, Target::kReference, a, b, expected);
    }
  }

  // The reference gives what is expected.
  template <class T>
  void CheckAgainstReference(OperatorId op, const std::vector<T>& a, const std::vector<T>& b) {
    for (const Form form : {Form::kVectorVector, Form::kVectorScalar, Form::kScalarVector}) {
      std::vector<T> expected(a.size());
      FindKernel({op, kDataTypeOf<T>, form}, Target::kReference)
          .run(MakeTile(form, a.data(), b.data(), expected.data(), a.size()));
      for (const Target target : VectorTargets(kDataTypeOf<T>)) {
        if (!only_ || target == *only_) Check(op, form, target, a, b, expected);
      }
    }
  }

 private:
  template <class T>
  void Check(OperatorId op, Form form, Target target, const std::vector<T>& a, const std::vector<T>& b,
             const std::vector<T>& expected) {
    std::vector<T> got(a.size());
    FindKernel({op, kDataTypeOf<T>, form}, target)
        .run(MakeTile(form, a.data(), b.data(), got.data(), a.size()));
    checks_ += a.size();
    const size_t i = FirstDifference(expected.data(), got.data(), a.size());
    if (i == a.size() || found()) return;
    difference_ = DescribeDifference(op, form, target, i, a[form == Form::kScalarVector ? 0 : i],
                                     b[form == Form::kVectorScalar ? 0 : i], expected[i], got[i], seed_);
  }

  std::optional<Target> only_;
  uint64_t seed_;
  uint64_t checks_ = 0;
  std::string difference_;
};

void CheckMuseum(Verifier* verifier) {
  const rapidjson::Document museum = residue::testing::ParseMuseum(std::string(kMuseum));
  for (const auto& entry : museum["entries"].GetArray()) {
    for (const DataType type : kAllDataTypes) {
      if (std::string_view(entry["dtype"].GetString()) != DirectMlName(type)) continue;
      VisitType(type, [&]<class T>(T) {
        for (const OperatorId op : kModuli) {
          const char* field = op == OperatorId::kModulusFloor ? "floor" : "trunc";
          const auto [a, b, expected] = residue::testing::ReadMuseumNumbers<T>(entry, field);
          if (!expected.empty()) verifier->CheckAll(op, a, b, expected);
        }
      });
    }
  }
}

void CheckVectors(Verifier* verifier) {
  for (const DataType type : kAllDataTypes) {
    VisitType(type, [&]<class T>(T) {
      std::istringstream text{std::string(kVectors)};
      std::vector<T> a;
      std::vector<T> b;
      std::vector<T> expected[2];
      for (const auto& row : residue::testing::ReadVectors<T>(text)) {
        a.push_back(row.a);
        b.push_back(row.b);
        expected[0].push_back(row.floor);
        expected[1].push_back(row.truncate);
      }
      if (a.empty()) return;
      for (size_t i = 0; i < 2; ++i) verifier->CheckAll(kModuli[i], a, b, expected[i]);
    });
  }
}

// Blocks of pairs of every type in turn, until the time is over.
void CheckRandom(const VerifyOptions& options, Verifier* verifier) {
  using Clock = std::chrono::steady_clock;
  constexpr size_t kBlock = 2048;
  Progress progress("random pairs");
  const auto begin = Clock::now();
  for (uint64_t block = 0; !verifier->found() && !IsInterrupted(); ++block) {
    const double elapsed = std::chrono::duration<double>(Clock::now() - begin).count();
    if (elapsed >= options.seconds && block > 0) return;
    progress.Update(elapsed / options.seconds,
                    fmt::format("{:.2e} checks", static_cast<double>(verifier->checks())));
    for (const DataType type : kAllDataTypes) {
      VisitType(type, [&]<class T>(T) {
        PairGenerator<T> generator(options.seed + block);
        std::vector<T> a(kBlock);
        std::vector<T> b(kBlock);
        generator.Fill(a, b);
        for (const OperatorId op : kModuli) verifier->CheckAgainstReference(op, a, b);
      });
    }
  }
}

void Report(const VerifyOptions& options, const Verifier& verifier) {
  if (options.json) {
    JsonOutput json;
    json.Begin();
    json.Text("version", residue_version());
    json.Number("seed", options.seed);
    json.BeginArray("targets");
    for (const Target target : SupportedTargets()) json.Text(TargetName(target));
    json.EndArray();
    json.Number("checks", verifier.checks());
    json.Number("differences", uint64_t{verifier.found() ? 1u : 0u});
    if (verifier.found()) json.Text("first_difference", verifier.difference());
    json.End();
    return;
  }
  if (verifier.found()) {
    fmt::print("{}: {}\n", Red("DIFFERENT"), verifier.difference());
    fmt::print("repeat with: residue verify --seed {}\n", options.seed);
  } else {
    fmt::print("{}: {} results, every one exact; seed {}\n", Green("exact"), verifier.checks(), options.seed);
  }
}

}  // namespace

int Verify(const VerifyOptions& options) {
  std::optional<Target> only;
  if (!options.target.empty()) {
    Target target{};
    if (!ParseTarget(options.target, &target)) {
      Fail("the target is '{}', which does not exist; `residue --version` shows this machine's",
           options.target);
    }
    if (std::ranges::find(SupportedTargets(), target) == SupportedTargets().end()) {
      Fail("the target is {}, which this machine or this build does not have", TargetName(target));
    }
    only = target;
  }
  CatchInterrupt();
  Verifier verifier(only, options.seed);
  const auto phase = [&](const char* name, auto&& check) {
    const uint64_t before = verifier.checks();
    if (!verifier.found() && !IsInterrupted()) check();
    if (!options.json) fmt::print("{:<14}{:>14} results\n", name, verifier.checks() - before);
  };
  phase("museum", [&] { CheckMuseum(&verifier); });
  phase("edge vectors", [&] { CheckVectors(&verifier); });
  phase("random pairs", [&] { CheckRandom(options, &verifier); });
  Report(options, verifier);
  if (verifier.found()) return kExitDifference;
  return IsInterrupted() ? kExitInterrupted : kExitOk;
}

}  // namespace residue::tool
