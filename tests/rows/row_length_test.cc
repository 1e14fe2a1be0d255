// Rows of every length around the vectors' and against guard pages: results and exceptions are the
// reference's, and no other byte is touched.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "cpu/rows/reference.h"
#include "support/guarded_arena.h"
#include "support/row_run.h"
#include "support/type_test.h"
#include "verification/random.h"
#include "verification/values.h"

namespace residue::testing {
namespace {

template <class T>
class RowLengthTest : public ::testing::Test {
 protected:
  static constexpr size_t kMost = 300;

  void Fill(uint64_t seed, bool harmless) {
    PairGenerator<T> generator(seed);
    for (size_t i = 0; i < kMost; ++i) {
      do {
        generator.Next(&a_[i], &b_[i]);
      } while (harmless && reference::Detect(OperatorId::kModulusFloor, a_[i], b_[i]) != kNoException);
    }
  }

  // Runs `count` elements at the end of their arenas; the output may be the arena of an input.
  void Check(OperatorId op, Target target, size_t count, bool one_a, bool one_b, int output) {
    GuardedArena* arenas[] = {&arena_a_, &arena_b_, &arena_out_};
    std::byte* out = arenas[output]->end() - count * sizeof(T);
    std::byte* a = arena_a_.end() - (one_a ? 1 : count) * sizeof(T);
    std::byte* b = arena_b_.end() - (one_b ? 1 : count) * sizeof(T);
    std::memset(arena_out_.begin(), 0x5A, arena_out_.size());
    std::memcpy(a, a_.data(), (one_a ? 1 : count) * sizeof(T));
    std::memcpy(b, b_.data(), (one_b ? 1 : count) * sizeof(T));
    std::vector<std::byte> expected(arenas[output]->begin(), arenas[output]->end());
    Exceptions expected_exceptions = kNoException;
    for (size_t i = 0; i < count; ++i) {
      const T x = a_[one_a ? 0 : i];
      const T y = b_[one_b ? 0 : i];
      const T result = reference::Evaluate(op, x, y);
      expected_exceptions |= reference::Detect(op, x, y);
      std::memcpy(expected.data() + expected.size() - (count - i) * sizeof(T), &result, sizeof(T));
    }
    EXPECT_EQ(RunPlainRow(op, kDataTypeOf<T>, target, a, b, out, count, one_a, one_b), expected_exceptions)
        << OperatorName(op) << " " << TargetName(target) << " count " << count << " seed=" << Seed();
    ASSERT_EQ(std::memcmp(expected.data(), arenas[output]->begin(), expected.size()), 0)
        << OperatorName(op) << " " << TargetName(target) << " count " << count << " one_a " << one_a
        << " one_b " << one_b << " output " << output << " seed=" << Seed();
  }

  std::vector<T> a_ = std::vector<T>(kMost);
  std::vector<T> b_ = std::vector<T>(kMost);
  GuardedArena arena_a_{4096};
  GuardedArena arena_b_{4096};
  GuardedArena arena_out_{4096};
};
TYPED_TEST_SUITE(RowLengthTest, AllElementTypes, TypeNames);

TYPED_TEST(RowLengthTest, EveryLength) {
  using T = TypeParam;
  std::vector<Target> targets = VectorTargets(kDataTypeOf<T>);
  targets.push_back(Target::kReference);
  uint64_t seed = Seed() * 7919;
  for (const Target target : targets) {
    for (size_t count = 1; count <= 300; count += count < 140 ? 1 : 7) {
      this->Fill(++seed, count % 2 == 0);
      for (const OperatorId op : OperatorsOf(kDataTypeOf<T>)) {
        ASSERT_NO_FATAL_FAILURE(this->Check(op, target, count, false, false, static_cast<int>(seed % 3)));
        ASSERT_NO_FATAL_FAILURE(this->Check(op, target, count, true, false, 2));
        ASSERT_NO_FATAL_FAILURE(this->Check(op, target, count, false, true, 2));
        ASSERT_NO_FATAL_FAILURE(this->Check(op, target, count, true, true, 2));
      }
    }
  }
}

// A quiet NaN in every element of one operand, anything as the one element of the other: silence.
TYPED_TEST(RowLengthTest, RowsOfNaN) {
  using T = TypeParam;
  if constexpr (!std::integral<T>) {
    using F = reference::FloatBits<T>;
    for (const Target target : VectorTargets(kDataTypeOf<T>)) {
      for (const T other : {FromBits<T>(0), FromBits<T>(F::kSign), FromBits<T>(F::kInfinity)}) {
        for (size_t count = 1; count < 140; ++count) {
          this->a_.assign(300, FromBits<T>(F::kNan));
          this->b_.assign(300, other);
          ASSERT_NO_FATAL_FAILURE(this->Check(OperatorId::kModulusFloor, target, count, false, true, 2));
          std::swap(this->a_, this->b_);
          ASSERT_NO_FATAL_FAILURE(this->Check(OperatorId::kModulusFloor, target, count, true, false, 2));
        }
      }
    }
  }
}

}  // namespace
}  // namespace residue::testing
