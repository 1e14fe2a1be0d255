// Bit identity across targets, compilers and machines: a hash over the results of a fixed set of pairs,
// checked in. A difference anywhere, on any platform, shows here even where no oracle runs.
#include <gtest/gtest.h>

#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "support/row_run.h"
#include "support/type_test.h"

namespace residue::testing {
namespace {

constexpr uint64_t kFixedSeed = 20260101;  // part of the data, not RESIDUE_SEED
constexpr size_t kBlock = 1 << 14;

template <class T>
uint64_t AddToHash(uint64_t hash, const std::vector<T>& values) {
  for (const T value : values) {
    hash = (hash ^ static_cast<uint64_t>(ToBits(value))) * 0x9FB21C651E98DF25u;
    hash ^= hash >> 32;
  }
  return hash;
}

// The file's hash for this operator, type and number of pairs; 0 if it has none.
uint64_t CheckedInHash(OperatorId op, DataType type, uint64_t pairs) {
  std::ifstream file(RESIDUE_TEST_DATA "/identity_hashes.csv");
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    std::string op_name, type_name, count, hash;
    std::getline(cells, op_name, ',');
    std::getline(cells, type_name, ',');
    std::getline(cells, count, ',');
    std::getline(cells, hash, ',');
    if (op_name == OperatorName(op) && type_name == ShortName(type) && count == std::to_string(pairs)) {
      return std::stoull(hash, nullptr, 16);
    }
  }
  return 0;
}

template <class T>
class IdentityTest : public ::testing::Test {
 protected:
  void Check(const std::vector<OperatorId>& operators, uint64_t pairs, bool by_reference = false) {
    std::vector<Target> targets = VectorTargets(kDataTypeOf<T>);
    if (by_reference) targets.push_back(Target::kReference);
    std::vector<std::vector<uint64_t>> hashes(operators.size(), std::vector<uint64_t>(targets.size()));
    PairGenerator<T> generator(kFixedSeed);
    std::vector<T> a(kBlock);
    std::vector<T> b(kBlock);
    std::vector<T> out(kBlock);
    for (uint64_t block = 0; block < pairs / kBlock; ++block) {
      generator.Fill(a, b);
      for (size_t o = 0; o < operators.size(); ++o) {
        for (size_t t = 0; t < targets.size(); ++t) {
          ASSERT_NO_FATAL_FAILURE(RunOwnRow(operators[o], Form::kVectorVector, targets[t], a.data(), b.data(),
                                            out.data(), kBlock));
          hashes[o][t] = AddToHash(hashes[o][t], out);
        }
      }
    }
    for (size_t o = 0; o < operators.size(); ++o) {
      for (size_t t = 0; t < targets.size(); ++t) {
        char line[128];
        std::snprintf(line, sizeof(line), "%s,%s,%" PRIu64 ",%016" PRIx64, OperatorName(operators[o]),
                      ShortName(kDataTypeOf<T>), pairs, hashes[o][t]);
        EXPECT_EQ(hashes[o][t], CheckedInHash(operators[o], kDataTypeOf<T>, pairs))
            << TargetName(targets[t]) << ": tests/data/identity_hashes.csv would need the line\n"
            << line;
      }
    }
  }
};
TYPED_TEST_SUITE(IdentityTest, AllElementTypes, TypeNames);

// Light rows are so many that one length of them must do.
TYPED_TEST(IdentityTest, HashOfResultsOnEveryTarget) {
  const DataType type = kDataTypeOf<TypeParam>;
  std::vector<OperatorId> light;
  std::vector<OperatorId> others;
  for (const OperatorId op : kAllOperators) {
    if (StaysIn(type, op)) (FindRow({op, type}, BestTarget()).light ? light : others).push_back(op);
  }
  // Targets may agree and be wrong; the reference says what is right, but takes longer.
  ASSERT_NO_FATAL_FAILURE(this->Check(light, 1 << 16, ByTier(0, 1, 1) != 0));
  ASSERT_NO_FATAL_FAILURE(this->Check(others, ByTier(1 << 16, 1 << 23, 1 << 26)));
}

}  // namespace
}  // namespace residue::testing
