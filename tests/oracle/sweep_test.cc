// Random pairs of every hard class against the fast oracle, on every target. RESIDUE_TIER sets how many.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "oracle/oracle.h"
#include "support/row_run.h"
#include "support/type_test.h"

namespace residue::testing {
namespace {

constexpr size_t kBlock = 1 << 14;
constexpr uint64_t kShards = 4;

template <class T>
uint64_t PairsPerShard() {
  if constexpr (std::is_same_v<T, float>) return ByTier(2'000'000, 10'000'000, 10'000'000'000) / kShards;
  if constexpr (std::is_same_v<T, double>) return ByTier(1'000'000, 10'000'000, 100'000'000) / kShards;
  if constexpr (sizeof(T) >= 4) return ByTier(2'000'000, 10'000'000, 1'000'000'000) / kShards;
  return ByTier(1'000'000, 4'000'000, 16'000'000) / kShards;  // narrow types are swept exhaustively elsewhere
}

template <class T>
class SweepTest : public ::testing::Test {
 protected:
  void RunShard(uint64_t shard) {
    PairGenerator<T> generator(Seed() * kShards + shard);
    const std::vector<Target> targets = VectorTargets(kDataTypeOf<T>);
    const uint64_t blocks = (PairsPerShard<T>() + kBlock - 1) / kBlock;
    for (uint64_t block = 0; block < blocks; ++block) {
      generator.Fill(a_, b_);
      for (size_t i = 0; i < kBlock; ++i) {
        const auto expected = oracle::Modulus(a_[i], b_[i]);
        floor_[i] = expected.floor;
        truncate_[i] = expected.truncate;
      }
      // The best target sees every pair; one of the others, in turn, sees every eighth block.
      ASSERT_NO_FATAL_FAILURE(CheckBlock(targets.front()));
      if (block % 8 == 0) {
        ASSERT_NO_FATAL_FAILURE(CheckBlock(targets[block / 8 % targets.size()]));
      }
    }
    RecordProperty("pairs", std::to_string(blocks * kBlock));
  }

  void CheckBlock(Target target) {
    for (const OperatorId op : oracle::kOperators) {
      const auto& expected = op == OperatorId::kModulusFloor ? floor_ : truncate_;
      ASSERT_NO_FATAL_FAILURE(
          RunOwnRow(op, Form::kVectorVector, target, a_.data(), b_.data(), out_.data(), kBlock));
      ASSERT_TRUE(SameBits(op, Form::kVectorVector, target, a_.data(), b_.data(), expected.data(),
                           out_.data(), kBlock));
    }
  }

  std::vector<T> a_ = std::vector<T>(kBlock);
  std::vector<T> b_ = std::vector<T>(kBlock);
  std::vector<T> floor_ = std::vector<T>(kBlock);
  std::vector<T> truncate_ = std::vector<T>(kBlock);
  std::vector<T> out_ = std::vector<T>(kBlock);
};

TYPED_TEST_SUITE(SweepTest, AllElementTypes, TypeNames);

TYPED_TEST(SweepTest, Shard0) { this->RunShard(0); }
TYPED_TEST(SweepTest, Shard1) { this->RunShard(1); }
TYPED_TEST(SweepTest, Shard2) { this->RunShard(2); }
TYPED_TEST(SweepTest, Shard3) { this->RunShard(3); }

// The scalar forms: a million divisors, a thousand dividends each, at night; every eighth round the other
// way.
template <class T>
class ScalarFormTest : public ::testing::Test {};
TYPED_TEST_SUITE(ScalarFormTest, AllElementTypes, TypeNames);

TYPED_TEST(ScalarFormTest, EveryTarget) {
  using T = TypeParam;
  constexpr size_t kCount = 1000;
  const uint64_t rounds = ByTier(1'000, 20'000, 1'000'000);
  PairGenerator<T> generator(Seed() + 77);
  const std::vector<Target> targets = VectorTargets(kDataTypeOf<T>);
  std::vector<T> a(kCount);
  std::vector<T> b(kCount);
  std::vector<oracle::Pair<T>> results(kCount);
  std::vector<T> expected(kCount);
  std::vector<T> out(kCount);
  for (uint64_t round = 0; round < rounds; ++round) {
    if (round % 16 == 0) generator.Fill(a, b);
    std::rotate(a.begin(), a.begin() + 1, a.end());
    std::rotate(b.begin(), b.begin() + 1, b.end());
    const Target target = targets[(round + round / 8) % targets.size()];
    const bool scalar_b = round % 8 != 0;
    const Form form = scalar_b ? Form::kVectorScalar : Form::kScalarVector;
    for (size_t i = 0; i < kCount; ++i)
      results[i] = oracle::Modulus(a[scalar_b ? i : 0], b[scalar_b ? 0 : i]);
    for (const OperatorId op : oracle::kOperators) {
      for (size_t i = 0; i < kCount; ++i) expected[i] = results[i].Get(op);
      ASSERT_NO_FATAL_FAILURE(RunOwnRow(op, form, target, a.data(), b.data(), out.data(), kCount));
      ASSERT_TRUE(SameBits(op, form, target, a.data(), b.data(), expected.data(), out.data(), kCount));
    }
  }
}

}  // namespace
}  // namespace residue::testing
