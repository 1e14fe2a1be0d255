#include "verify.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <sstream>
#include <vector>

#include "choices.h"
#include "console.h"
#include "cpu/rows/reference.h"
#include "embedded_data.h"
#include "failure.h"
#include "number.h"
#include "output.h"
#include "residue/residue.h"
#include "verification/museum.h"
#include "verification/row_operands.h"
#include "verification/row_run.h"
#include "verification/vectors.h"
#include "verify_functions.h"

namespace residue::tool {
namespace {

using residue::testing::DescribeDifference;
using residue::testing::FirstDifference;
using residue::testing::Form;
using residue::testing::kAllForms;
using residue::testing::OperatorsOf;
using residue::testing::PairGenerator;
using residue::testing::RowOperands;
using residue::testing::RunForm;
using residue::testing::RunPlainRow;
using residue::testing::VectorTargets;

// Counts what is compared, and keeps the first difference.
class Verifier {
 public:
  Verifier(std::optional<Target> only, uint64_t seed) : only_(only), seed_(seed) {}

  uint64_t checks() const { return checks_; }
  const std::string& difference() const { return difference_; }
  bool found() const { return !difference_.empty(); }

  // What is known to be right, on every target, the reference itself among them.
  template <class T>
  void CheckKnown(OperatorId op, const std::vector<T>& a, const std::vector<T>& b,
                  const std::vector<T>& expected) {
    std::vector<Target> targets = VectorTargets(kDataTypeOf<T>);
    targets.push_back(Target::kReference);
    for (const Target target : targets) {
      if (!Chosen(target)) continue;
      Check(op, Form::kVectorVector, target, a, b, expected);
      Check(op, Form::kStrided, target, a, b, expected);
    }
  }

  // Every row of every target against the reference: all forms, and rows of few elements on their own.
  template <class T>
  void CheckAgainstReference(OperatorId op, const std::vector<T>& a, const std::vector<T>& b) {
    for (const Form form : kAllForms) {
      std::vector<T> expected(a.size());
      RunForm(op, form, Target::kReference, DefaultParams(op), a.data(), b.data(), expected.data(), a.size());
      for (const Target target : VectorTargets(kDataTypeOf<T>)) {
        if (!Chosen(target)) continue;
        Check(op, form, target, a, b, expected);
        if (form == Form::kVectorVector) CheckShort(op, target, a, b, expected);
      }
    }
  }

  // Every element of a row of any operator and types, on every target that has one.
  void CheckRow(RowKey key, const RowOperands& operands, size_t count) {
    const size_t bytes = SizeOf(key.result);
    std::vector<std::byte> expected(count * bytes);
    std::vector<std::byte> got(count * bytes);
    reference::FindRow(key)(operands.MakeRow(expected.data(), count, 0));
    for (const Target target : VectorTargets(key.type)) {
      const RowEntry row = FindRow(key, target);
      if (!Chosen(target) || row.target != target) continue;
      row.run(operands.MakeRow(got.data(), count, 0));
      checks_ += count;
      const auto at = static_cast<size_t>(std::ranges::mismatch(expected, got).in1 - expected.begin());
      if (at == expected.size() || found()) continue;
      char name[64];
      FormatRowName(key, target, name, sizeof(name));
      difference_ = fmt::format("{} index {}: {} seed={}", name, at / bytes,
                                operands.DescribeElement(at / bytes), seed_);
    }
  }

  bool Chosen(Target target) const { return !only_ || target == *only_; }

 private:
  template <class T>
  void Check(OperatorId op, Form form, Target target, const std::vector<T>& a, const std::vector<T>& b,
             const std::vector<T>& expected) {
    // Another target's row would be checked twice, and this one never.
    const RowEntry row = FindRow({op, kDataTypeOf<T>}, target);
    if (row.target != target && row.light) return;  // AVX3_SPR has none of these
    if (row.target != target) Fail("{} has no row of its own here", TargetName(target));
    std::vector<T> got(a.size());
    RunForm(op, form, target, DefaultParams(op), a.data(), b.data(), got.data(), a.size());
    Compare(op, form, target, a, b, expected, got);
  }

  template <class T>
  void CheckShort(OperatorId op, Target target, const std::vector<T>& a, const std::vector<T>& b,
                  std::vector<T> expected) {
    std::vector<T> got(std::min<size_t>(a.size(), 1 + a.size() % 61));
    expected.resize(got.size());
    RunPlainRow(op, kDataTypeOf<T>, target, reinterpret_cast<const std::byte*>(a.data()),
                reinterpret_cast<const std::byte*>(b.data()), reinterpret_cast<std::byte*>(got.data()),
                got.size(), false, false);
    Compare(op, Form::kVectorVector, target, a, b, expected, got);
  }

  template <class T>
  void Compare(OperatorId op, Form form, Target target, const std::vector<T>& a, const std::vector<T>& b,
               const std::vector<T>& expected, const std::vector<T>& got) {
    checks_ += got.size();
    const size_t i = FirstDifference(expected.data(), got.data(), got.size());
    if (i == got.size() || found()) return;
    difference_ = DescribeDifference(op, form, target, i, a[form == Form::kScalarVector ? 0 : i],
                                     b[form == Form::kVectorScalar ? 0 : i], expected[i], got[i], seed_);
  }

  std::optional<Target> only_;
  uint64_t seed_;
  uint64_t checks_ = 0;
  std::string difference_;
};

void CheckMuseum(std::string_view text, Verifier* verifier) {
  const rapidjson::Document museum = residue::testing::ParseMuseum(std::string(text));
  for (const auto& entry : museum["entries"].GetArray()) {
    for (const DataType type : kAllDataTypes) {
      if (std::string_view(entry["dtype"].GetString()) != DirectMlName(type)) continue;
      VisitType(type, [&]<class T>(T) {
        for (const OperatorId op : kModuli) {
          const char* field = op == OperatorId::kModulusFloor ? "floor" : "trunc";
          const auto [a, b, expected] = residue::testing::ReadMuseumNumbers<T>(entry, field);
          if (!expected.empty()) verifier->CheckKnown(op, a, b, expected);
        }
      });
    }
  }
}

void CheckVectors(std::string_view all, Verifier* verifier) {
  for (const DataType type : kAllDataTypes) {
    VisitType(type, [&]<class T>(T) {
      std::istringstream text{std::string(all)};
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
      for (size_t i = 0; i < 2; ++i) verifier->CheckKnown(kModuli[i], a, b, expected[i]);
    });
  }
}

// Every operator, type and result once.
void CheckEveryRow(uint64_t seed, Verifier* verifier) {
  constexpr size_t kCount = 200;
  for (const OperatorId op : kAllOperators) {
    for (const DataType type : kAllDataTypes) {
      for (const DataType result : kAllDataTypes) {
        if (!Gives(op, type, result)) continue;
        RowOperands operands({op, type, result}, kCount, seed);
        operands.Fill();
        verifier->CheckRow({op, type, result}, operands, kCount - seed % 61);
      }
    }
  }
}

// Blocks of pairs of every type in turn, until the time is over.
void CheckRandom(const VerifyOptions& options, Verifier* verifier) {
  using Clock = std::chrono::steady_clock;
  constexpr size_t kMostElements = 2048;
  Progress progress("random pairs");
  const auto begin = Clock::now();
  for (uint64_t block = 0; !verifier->found() && !IsInterrupted(); ++block) {
    const double elapsed = std::chrono::duration<double>(Clock::now() - begin).count();
    if (elapsed >= options.seconds && block > 0) return;
    progress.Update(elapsed / options.seconds,
                    fmt::format("{:.2e} checks", static_cast<double>(verifier->checks())));
    for (const DataType type : kAllDataTypes) {
      VisitType(type, [&]<class T>(T) {
        // Far apart, so that neighbouring seeds share no block; of many lengths, so that ends come in all
        // sizes.
        PairGenerator<T> generator(options.seed * 0x9E3779B97F4A7C15u + block);
        std::vector<T> a(kMostElements - block % 131);
        std::vector<T> b(a.size());
        generator.Fill(a, b);
        for (const OperatorId op : OperatorsOf(kDataTypeOf<T>)) verifier->CheckAgainstReference(op, a, b);
      });
    }
    CheckEveryRow(options.seed * 0x9E3779B97F4A7C15u + block, verifier);
  }
}

void Report(const VerifyOptions& options, const Verifier& verifier) {
  if (options.json) {
    JsonOutput json;
    json.Begin();
    json.Text("version", residue_version());
    json.Number("seed", options.seed);
    json.BeginArray("targets");
    for (const Target target : SupportedTargets()) {
      if (verifier.Chosen(target)) json.Text(TargetName(target));
    }
    json.EndArray();
    json.Number("checks", verifier.checks());
    json.Number("differences", uint64_t{verifier.found() ? 1u : 0u});
    if (verifier.found()) json.Text("first_difference", verifier.difference());
    json.End();
    return;
  }
  if (verifier.found()) {
    fmt::print("{}: {}\n", Red("DIFFERENT"), verifier.difference());
    fmt::print("repeat with: residue verify --seed {} --seconds {}{}\n", options.seed, options.seconds,
               options.target.empty() ? "" : " --target " + options.target);
  } else {
    fmt::print("{}: {} results, every one exact; seed {}\n", Green("exact"), verifier.checks(), options.seed);
  }
}

}  // namespace

int VerifyWith(const VerifyOptions& options, std::string_view museum, std::string_view vectors) {
  std::optional<Target> only;
  if (!options.target.empty()) only = ReadTargetName(options.target);
  CatchInterrupt();
  Verifier verifier(only, options.seed);
  const auto phase = [&](const char* name, auto&& check) {
    const uint64_t before = verifier.checks();
    if (!verifier.found() && !IsInterrupted()) check();
    if (!options.json) fmt::print("{:<14}{:>14} results\n", name, verifier.checks() - before);
  };
  phase("museum", [&] { CheckMuseum(museum, &verifier); });
  phase("edge vectors", [&] { CheckVectors(vectors, &verifier); });
  // The reference is what the others are compared with.
  if (only != Target::kReference) phase("random pairs", [&] { CheckRandom(options, &verifier); });
  Report(options, verifier);
  if (verifier.found()) return kExitDifference;
  return IsInterrupted() ? kExitInterrupted : kExitOk;
}

int Verify(const VerifyOptions& options) {
  const bool functions = options.digest || !options.function.empty();
  if (options.json && functions) Fail("--json is not for --function and --digest");
  if (options.halves && options.function.empty()) Fail("--halves is for --function NAME");
  if (options.digest) return PrintDigest(options);
  if (functions) return VerifyFunctions(options);
  if (options.exhaustive) Fail("--exhaustive is for --function NAME and --digest");
  return VerifyWith(options, kMuseum, kVectors);
}

}  // namespace residue::tool
