// Chains of rows against their rows one after the other: every length around the turns', every target,
// streamed and not, in place, from one element, with exceptions, against guard pages.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "cpu/rows/chain.h"
#include "cpu/rows/reference.h"
#include "support/guarded_arena.h"
#include "support/row_run.h"
#include "support/type_test.h"
#include "verification/random.h"

namespace residue::testing {
namespace {

constexpr ScaleBiasParams kScales[] = {{0.5f, 3.0f},  {-1.0f, 0.25f}, {1.5f, -7.0f}, {0.25f, 0.0f},
                                       {1e20f, 0.0f}, {-0.75f, 0.5f}, {1.0f, 1.0f},  {0x1p-20f, -1.0f}};

// One link, and what it needs to outlive it.
struct Step {
  OperatorId op;
  RowCode code;
  Params params;
};

// Every operator of one input that the target can chain.
template <class T>
std::vector<Step> FindSteps(Target target) {
  std::vector<Step> steps;
  for (const OperatorId op : kAllOperators) {
    const RowEntry entry = FindRow({op, kDataTypeOf<T>}, target);
    if (entry.chain == nullptr || entry.target != TargetOfRows(target, kDataTypeOf<T>)) continue;
    if (op != OperatorId::kScaleBias) steps.push_back({op, entry, DefaultParams(op)});
    for (const ScaleBiasParams& scale : kScales) {
      if (op == OperatorId::kScaleBias) steps.push_back({op, entry, Params::Of(scale)});
    }
  }
  return steps;
}

template <class T>
class ChainTest : public ::testing::Test {
 protected:
  static constexpr size_t kMost = 3 * 8192 / sizeof(T);  // three windows of streaming stores

  // A chain of so many steps that may follow each other, as chance has it.
  void Choose(const std::vector<Step>& steps, size_t length, Random& random) {
    steps_ = {steps[random.Next() % steps.size()]};
    while (steps_.size() < length) {
      const Step& step = steps[random.Next() % steps.size()];
      if (CanChain(steps_.front().code, step.code)) steps_.push_back(step);
    }
    links_.clear();
    for (size_t i = 0; i < steps_.size(); ++i) {
      const RowCode* next = i + 1 < steps_.size() ? &steps_[i + 1].code : nullptr;
      links_.push_back(MakeLink(steps_[i].code, next, steps_[i].params.bytes));
    }
  }

  // `count` elements that end where memory ends; the output `before` bytes earlier, where it is not in place.
  void Check(Target target, size_t count, bool in_place, bool single, bool detect, bool stream,
             size_t before = 0) {
    const size_t bytes = count * sizeof(T);
    std::byte* in = arena_in_.end() - (single ? sizeof(T) : bytes);
    std::byte* out = in_place ? in : arena_out_.end() - before - bytes;
    std::memset(arena_out_.begin(), 0x5A, arena_out_.size());
    std::memcpy(in, values_.data(), single ? sizeof(T) : bytes);
    GuardedArena& written = in_place ? arena_in_ : arena_out_;
    std::vector<std::byte> expected(written.begin(), written.end());
    const std::vector<std::byte> given(arena_in_.begin(), arena_in_.end());
    Exceptions expected_exceptions = kNoException;
    for (size_t i = 0; i < count; ++i) {
      T value = values_[single ? 0 : i];
      for (const Step& step : steps_) {
        expected_exceptions |= reference::Detect(step.op, value, value, step.params);
        value = reference::Evaluate(step.op, value, value, step.params);
      }
      std::memcpy(expected.data() + (out - written.begin()) + i * sizeof(T), &value, sizeof(T));
    }
    const Params params = Params::Of(ChainParams{links_.data(), static_cast<uint32_t>(links_.size())});
    Row row{};
    row.in[0] = in;
    row.out = out;
    row.count = count;
    row.params = params.bytes;
    row.single = single ? 1 : 0;
    row.stream = stream;
    row.detect = detect;
    const Exceptions found = steps_.front().code.chain(row);
    const auto what = [&] {
      return std::string(TargetName(target)) + ", " + std::to_string(count) + " elements, " +
             std::to_string(steps_.size()) + " links, in place " + std::to_string(in_place) + ", single " +
             std::to_string(single) + ", detect " + std::to_string(detect) + ", stream " +
             std::to_string(stream) + ", " + std::to_string(before) +
             " bytes before the end, seed=" + std::to_string(Seed());
    };
    EXPECT_EQ(found, detect ? expected_exceptions : kNoException) << what();
    ASSERT_EQ(std::memcmp(expected.data(), written.begin(), expected.size()), 0) << what();
    if (in_place) return;
    ASSERT_EQ(std::memcmp(given.data(), arena_in_.begin(), given.size()), 0) << what() << ": the input";
  }

  std::vector<T> values_ = std::vector<T>(kMost);
  std::vector<Step> steps_;
  std::vector<ChainLink> links_;
  GuardedArena arena_in_{kMost * sizeof(T)};
  GuardedArena arena_out_{kMost * sizeof(T) + 64};
};
TYPED_TEST_SUITE(ChainTest, AllElementTypes, TypeNames);

TYPED_TEST(ChainTest, EveryLengthOnEveryTarget) {
  using T = TypeParam;
  Random random(Seed() + 77);
  PairGenerator<T> generator(Seed() + 78);
  std::vector<T> unused(this->kMost);
  generator.Fill(this->values_, unused);
  for (const Target target : VectorTargets(kDataTypeOf<T>)) {
    const std::vector<Step> steps = FindSteps<T>(target);
    ASSERT_FALSE(steps.empty()) << TargetName(target) << ": Identity can be chained everywhere";
    for (size_t count = 1; count <= this->kMost; count += count < 150 ? 1 : count / 3) {
      this->Choose(steps, 2 + random.Next() % 5, random);
      ASSERT_NO_FATAL_FAILURE(this->Check(target, count, false, false, false, false));
      ASSERT_NO_FATAL_FAILURE(this->Check(target, count, false, false, false, true, random.Next() % 64));
      ASSERT_NO_FATAL_FAILURE(this->Check(target, count, false, false, false, true, 64 - sizeof(T)));
      ASSERT_NO_FATAL_FAILURE(this->Check(target, count, false, false, true, true, random.Next() % 64));
      ASSERT_NO_FATAL_FAILURE(this->Check(target, count, false, true, true, false));
      ASSERT_NO_FATAL_FAILURE(this->Check(target, count, false, true, false, true));
      ASSERT_NO_FATAL_FAILURE(this->Check(target, count, true, false, false, false));
      ASSERT_NO_FATAL_FAILURE(this->Check(target, count, false, true, false, false));
      ASSERT_NO_FATAL_FAILURE(this->Check(target, count, false, false, true, false));
      ASSERT_NO_FATAL_FAILURE(this->Check(target, count, true, false, true, false));
    }
    this->Choose(steps, kMostLinks, random);
    ASSERT_NO_FATAL_FAILURE(this->Check(target, this->kMost, false, false, false, false));
    ASSERT_NO_FATAL_FAILURE(this->Check(target, this->kMost, false, false, false, true));
  }
}

}  // namespace
}  // namespace residue::testing
