// Chains of rows against their rows one after the other: every operator that can be in one, every length
// around the turns', every target, streamed and not, in place of any input, from one element, with
// exceptions, against guard pages.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "cpu/rows/chain.h"
#include "cpu/rows/reference.h"
#include "support/guarded_arena.h"
#include "support/row_run.h"
#include "support/type_test.h"
#include "verification/random.h"
#include "verification/sample_params.h"

namespace residue::testing {
namespace {

constexpr ScaleBiasParams kScales[] = {{0.5f, 3.0f},  {-1.0f, 0.25f}, {1.5f, -7.0f}, {0.25f, 0.0f},
                                       {1e20f, 0.0f}, {-0.75f, 0.5f}, {1.0f, 1.0f},  {0x1p-20f, -1.0f}};

// One link, and what it needs to outlive it.
struct Step {
  OperatorId op;
  RowCode code;
  Params params;
  uint8_t side = kNoSide;
};

constexpr uint8_t kNotInPlace = UINT8_MAX;

// How a chain is run.
struct Way {
  uint8_t in_place = kNotInPlace;  // of which input
  uint8_t single = 0;
  bool detect = false;
  bool stream = false;
  size_t before = 0;  // bytes from the output's end to that of memory
};

// Every operator that the target can chain.
template <class T>
std::vector<Step> FindSteps(Target target) {
  std::vector<Step> steps;
  for (const OperatorId op : kAllOperators) {
    if (!IsUniform(op)) continue;
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

  void FillValues() {
    PairGenerator<T> generator(Seed() + 78);
    std::vector<T> unused(kMost);
    generator.Fill(values_[0], values_[1]);
    generator.Fill(values_[2], unused);
  }

  // A chain of so many steps that may follow each other, as chance has it.
  void Choose(const std::vector<Step>& steps, size_t length, Random& random) {
    steps_.clear();
    while (steps_.size() < length) {
      Step step = steps[random.Below(steps.size())];
      if (!steps_.empty() && !CanChain(steps_.front().code, step.code)) continue;
      if (InputCount(step.op) == 2) step.side = static_cast<uint8_t>(random.Below(kMostInputs));
      if (step.op != OperatorId::kScaleBias)
        step.params = SampleParams(step.op, kDataTypeOf<T>, kDataTypeOf<T>, &random);
      steps_.push_back(step);
    }
    links_.clear();
    for (size_t i = 0; i < steps_.size(); ++i) {
      const RowCode* next = i + 1 < steps_.size() ? &steps_[i + 1].code : nullptr;
      links_.push_back(MakeLink(steps_[i].code, next, steps_[i].params.bytes, steps_[i].side));
    }
  }

  // `count` elements that end where memory ends.
  void Check(Target target, size_t count, const Way& way) {
    const size_t bytes = count * sizeof(T);
    Row row{};
    for (uint32_t k = 0; k < kMostInputs; ++k) {
      const size_t given = (way.single >> k & 1) != 0 ? sizeof(T) : bytes;
      row.in[k] = std::memcpy(arenas_[k].end() - given, values_[k].data(), given);
    }
    const bool in_place = way.in_place != kNotInPlace;
    GuardedArena& written = in_place ? arenas_[way.in_place] : arena_out_;
    std::byte* out = written.end() - way.before - bytes;
    if (!in_place) std::memset(written.begin(), 0x5A, written.size());
    std::vector<std::byte> expected(written.begin(), written.end());
    Exceptions expected_exceptions = kNoException;
    for (size_t i = 0; i < count; ++i) {
      const auto value = [&](uint32_t k) { return values_[k][(way.single >> k & 1) != 0 ? 0 : i]; };
      T result = value(0);
      for (const Step& step : steps_) {
        const T side = step.side == kNoSide ? result : value(step.side);
        expected_exceptions |= reference::Detect(step.op, result, side, step.params);
        result = reference::Evaluate(step.op, result, side, step.params);
      }
      std::memcpy(expected.data() + (out - written.begin()) + i * sizeof(T), &result, sizeof(T));
    }
    const bool watched = std::ranges::all_of(steps_, [](const Step& step) { return step.code.watched; });
    const Params params =
        Params::Of(ChainParams{links_.data(), static_cast<uint32_t>(links_.size()), kMostInputs, watched});
    row.out = out;
    row.count = count;
    row.params = params.bytes;
    row.single = way.single;
    row.stream = way.stream;
    row.detect = way.detect;
    const Exceptions found = steps_.front().code.chain(row);
    const auto what = [&] {
      std::string text = std::string(TargetName(target)) + ", " + std::to_string(count) + " elements,";
      for (const Step& step : steps_) text += std::string(" ") + OperatorName(step.op);
      return text + ", in place " + std::to_string(way.in_place) + ", single " + std::to_string(way.single) +
             ", detect " + std::to_string(way.detect) + ", stream " + std::to_string(way.stream) + ", " +
             std::to_string(way.before) + " bytes before the end, seed=" + std::to_string(Seed());
    };
    EXPECT_EQ(found, way.detect ? expected_exceptions : kNoException) << what();
    ASSERT_EQ(std::memcmp(expected.data(), written.begin(), expected.size()), 0) << what();
  }

  std::vector<T> values_[kMostInputs] = {std::vector<T>(kMost), std::vector<T>(kMost), std::vector<T>(kMost)};
  std::vector<Step> steps_;
  std::vector<ChainLink> links_;
  GuardedArena arenas_[kMostInputs] = {GuardedArena(kMost * sizeof(T)), GuardedArena(kMost * sizeof(T)),
                                       GuardedArena(kMost * sizeof(T))};
  GuardedArena arena_out_{kMost * sizeof(T) + 64};
};
TYPED_TEST_SUITE(ChainTest, AllElementTypes, TypeNames);

TYPED_TEST(ChainTest, EveryLengthOnEveryTarget) {
  using T = TypeParam;
  Random random(Seed() + 77);
  this->FillValues();
  for (const Target target : VectorTargets(kDataTypeOf<T>)) {
    const std::vector<Step> steps = FindSteps<T>(target);
    ASSERT_FALSE(steps.empty()) << TargetName(target) << ": Identity can be chained everywhere";
    for (size_t count = 1; count <= this->kMost; count += count < 150 ? 1 : count / 3) {
      this->Choose(steps, 2 + random.Below(std::min(5u, kMostLinks - 1)), random);
      const auto single = static_cast<uint8_t>(random.Below(8));
      const size_t anywhere = random.Below(64);
      const auto in_place = static_cast<uint8_t>(random.Below(kMostInputs));
      const auto others_single = static_cast<uint8_t>(single & ~(1u << in_place));
      for (const Way& way :
           {Way{}, Way{.single = single}, Way{.single = 6}, Way{.stream = true, .before = anywhere},
            Way{.single = 4, .stream = true, .before = 64 - sizeof(T)}, Way{.single = single, .stream = true},
            Way{.in_place = in_place}, Way{.in_place = in_place, .single = others_single},
            Way{.detect = true}, Way{.single = single, .detect = true},
            Way{.in_place = in_place, .detect = true},
            Way{.detect = true, .stream = true, .before = anywhere}}) {
        ASSERT_NO_FATAL_FAILURE(this->Check(target, count, way));
      }
    }
    this->Choose(steps, kMostLinks, random);
    ASSERT_NO_FATAL_FAILURE(this->Check(target, this->kMost, {}));
    ASSERT_NO_FATAL_FAILURE(this->Check(target, this->kMost, {.stream = true}));
  }
}

}  // namespace
}  // namespace residue::testing
