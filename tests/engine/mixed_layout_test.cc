// Every operator and its types on random layouts: operands of different sizes, reversed, exchanged, with
// gaps, broadcast, all in one memory, so that they overlap in part, up to where memory ends. The bits are
// those of operands that lie apart, by the reference, and not a byte changes besides. By a plan as well.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "core/operator_id.h"
#include "cpu/rows/target.h"
#include "residue/residue.h"
#include "support/guarded_arena.h"
#include "support/tier.h"
#include "verification/random.h"
#include "verification/sample_params.h"

namespace residue::testing {
namespace {

constexpr size_t kArenaBytes = 8192;

class MixedLayout {
 public:
  MixedLayout(OperatorId op, DataType type, DataType result, Random* random)
      : op_(op), params_(SampleParams(op, type, result, random)), random_(*random) {
    problem_.size = sizeof(problem_);
    problem_.op = static_cast<residue_operator>(op);
    problem_.rank = 1 + static_cast<uint32_t>(random_.Below(3));
    for (uint32_t i = 0; i < problem_.rank; ++i)
      problem_.sizes[i] = 1 + random_.Below(problem_.rank == 1 ? 150 : 6);
    problem_.operand_count = InputCount(op) + 1;
    problem_.operands = operands_;
    problem_.params_size = static_cast<uint32_t>(ParamsBytes(op));
    problem_.params = problem_.params_size != 0 ? params_.bytes : nullptr;
    for (uint32_t k = 0; k < problem_.operand_count; ++k) Place(k, OperandType(op, k, type, result));
  }

  void Check(Target target, GuardedArena* arena) {
    std::vector<std::byte> given(kArenaBytes);
    for (size_t at = 0; at < kArenaBytes; at += sizeof(uint64_t)) {
      const uint64_t bits = random_.Next();
      std::memcpy(&given[at], &bits, sizeof(bits));
    }
    std::vector<std::byte> expected = given;
    problem_.max_target = "REFERENCE";
    ASSERT_EQ(Run(given.data(), expected.data()), RESIDUE_OK) << Describe();
    const auto check = [&](const char* way, const auto& run) {
      std::memcpy(arena->begin(), given.data(), kArenaBytes);
      ASSERT_EQ(run(), RESIDUE_OK) << Describe();
      // Tests are not optimised, and this is.
      if (std::memcmp(expected.data(), arena->begin(), kArenaBytes) == 0) return;
      const auto at =
          std::ranges::mismatch(expected, std::span(arena->begin(), kArenaBytes)).in1 - expected.begin();
      FAIL() << Describe() << " " << way << TargetName(target) << ": byte " << at << " of the memory";
    };
    problem_.max_target = TargetName(target);
    check("on ", [&] { return Run(arena->begin(), arena->begin()); });
    if (target != BestTarget()) return;
    // Who names no target may get by without a plan, or be given more of one than was asked for.
    problem_.max_target = nullptr;
    check("without a target on ", [&] { return Run(arena->begin(), arena->begin()); });
    check("by a plan on ", [&] { return RunPlan(arena->begin(), arena->begin()); });
  }

 private:
  // Dimensions in any order, each reversed or not, with gaps; inputs may be repeated along some.
  void Place(uint32_t k, DataType type) {
    const auto bytes = static_cast<int64_t>(SizeOf(type));
    const bool is_output = k + 1 == problem_.operand_count;
    std::vector<uint32_t> order;
    for (uint32_t i = 0; i < problem_.rank; ++i)
      order.insert(order.begin() + static_cast<ptrdiff_t>(random_.Below(i + 1)), i);
    int64_t step = bytes * (random_.OneIn(3) ? 2 : 1);
    int64_t least = 0;
    int64_t most = 0;
    operands_[k].type = static_cast<residue_type>(type);
    for (const uint32_t i : order) {
      const auto last = static_cast<int64_t>(problem_.sizes[i]) - 1;
      const bool repeats = !is_output && random_.OneIn(6);
      const int64_t stride = repeats ? 0 : random_.OneIn(4) ? -step : step;
      operands_[k].strides[i] = stride;
      (stride < 0 ? least : most) += stride * last;
      if (!repeats) step *= last + 1 + (random_.OneIn(3) ? 1 : 0);
    }
    // Mostly near the others, some at the very end.
    const int64_t room = static_cast<int64_t>(kArenaBytes) - (most - least + bytes);
    const auto begin =
        random_.OneIn(4)
            ? room
            : static_cast<int64_t>(random_.Below(static_cast<uint64_t>(std::min<int64_t>(room, 64)) + 1));
    offsets_[k] = begin - least;
  }

  residue_status Run(std::byte* from, std::byte* to) const {
    const Addresses given = AddressesIn(from, to);
    return residue_run(&problem_, given.inputs, given.output, &kOptions);
  }

  residue_status RunPlan(std::byte* from, std::byte* to) const {
    const Addresses given = AddressesIn(from, to);
    residue_plan* plan = nullptr;
    residue_status status = residue_plan_create(&problem_, &plan);
    if (status == RESIDUE_OK) status = residue_plan_run(plan, given.inputs, given.output, &kOptions);
    residue_plan_destroy(plan);
    return status;
  }

  struct Addresses {
    const void* inputs[kMostInputs];
    void* output;
  };

  Addresses AddressesIn(std::byte* from, std::byte* to) const {
    Addresses found = {};
    const uint32_t output = problem_.operand_count - 1;
    for (uint32_t k = 0; k < output; ++k) found.inputs[k] = from + offsets_[k];
    found.output = to + offsets_[output];
    return found;
  }

  std::string Describe() const {
    std::string text = std::string(OperatorName(op_)) + " seed=" + std::to_string(Seed()) + " sizes";
    for (uint32_t i = 0; i < problem_.rank; ++i) text += " " + std::to_string(problem_.sizes[i]);
    for (uint32_t k = 0; k < problem_.operand_count; ++k) {
      text +=
          "; type " + std::to_string(operands_[k].type) + " at " + std::to_string(offsets_[k]) + " strides";
      for (uint32_t i = 0; i < problem_.rank; ++i) text += " " + std::to_string(operands_[k].strides[i]);
    }
    return text;
  }

  static constexpr residue_options kOptions = {1, 0, nullptr, nullptr};

  OperatorId op_;
  Params params_;
  Random& random_;
  residue_problem problem_ = {};
  residue_operand operands_[kMostInputs + 1] = {};
  int64_t offsets_[kMostInputs + 1] = {};
};

TEST(MixedLayoutTest, OverlapOfOperandsOfAnySize) {
  GuardedArena arena(kArenaBytes);
  Random random(Seed() + 4711);
  const uint64_t rounds = ByTier(2, 10, 2'000);
  for (const OperatorId op : kAllOperators) {
    for (const DataType type : kAllDataTypes) {
      for (const DataType result : kAllDataTypes) {
        if (!Gives(op, type, result)) continue;
        for (uint64_t round = 0; round < rounds; ++round) {
          MixedLayout layout(op, type, result, &random);
          for (const Target target : SupportedTargets()) {
            ASSERT_NO_FATAL_FAILURE(layout.Check(target, &arena));
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace residue::testing
