// Every class of layout, on memory that ends where the tensor ends: right results, no byte touched that does
// not belong to the output, inputs unchanged, whatever overlaps what.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "cpu/engine/run.h"
#include "cpu/rows/reference.h"
#include "support/guarded_arena.h"
#include "support/random_layout.h"
#include "support/row_run.h"
#include "support/two_inputs.h"
#include "support/type_test.h"

namespace residue::testing {
namespace {

constexpr uint64_t kMostElements = 260;
constexpr size_t kArenaSize = 32 * 1024;  // more than any of these layouts spans

// The offset of element `index` (row-major) of one operand.
int64_t OffsetOf(const OpRequest& request, uint32_t operand, uint64_t index) {
  int64_t offset = 0;
  for (uint32_t i = request.rank; i-- > 0;) {
    offset += static_cast<int64_t>(index % request.sizes[i]) * request.strides[operand][i];
    index /= request.sizes[i];
  }
  return offset;
}

class LayoutTest : public ::testing::TestWithParam<DataType> {
 protected:
  LayoutTest() : random_(Seed() * 100 + static_cast<uint64_t>(GetParam())) {}

  void RunCase() {
    const std::vector<OperatorId> operators = OperatorsOf(GetParam());
    const OperatorId op = operators[random_.Below(operators.size())];
    request_ = RandomLayout(&random_, kMostElements).Make(op, GetParam());
    const auto targets = SupportedTargets();
    Plan plan;
    const Status status = MakePlan(request_, targets[random_.Below(targets.size())], &plan);
    ASSERT_TRUE(status.ok()) << StatusText(status.code) << Context();
    inputs_ = request_.output();
    for (size_t k = 0; k <= inputs_; ++k) {
      ASSERT_LE(plan.layout.highest[k] - plan.layout.lowest[k], int64_t{kArenaSize}) << Context();
    }
    PlaceOperands(plan.layout);
    FillMemory();
    ComputeExpected(plan.layout);
    Addresses addresses{};
    std::copy_n(address_, inputs_ + 1, addresses.begin());
    const Status run = residue::Run(plan, addresses, SerialExecutor());
    ASSERT_TRUE(run.ok()) << StatusText(run.code) << Context();
    for (uint32_t k = 0; k < kOperandCount; ++k) {
      const GuardedArena& arena = *arenas_[k];
      ASSERT_EQ(std::memcmp(arena.begin(), expected_[k].data(), arena.size()), 0)
          << Context() << " first differing byte of arena " << k << ": " << FirstByte(arena, expected_[k]);
    }
  }

 private:
  // Each operand flush against a guard page, or sharing the output's arena in some way.
  void PlaceOperands(const Layout& layout) {
    const uint32_t out = inputs_;
    for (uint32_t operand = 0; operand <= out; ++operand) {
      address_[operand] = random_.OneIn(2) ? arenas_[operand]->end() - layout.highest[operand]
                                           : arenas_[operand]->begin() - layout.lowest[operand];
    }
    for (uint32_t operand = 0; operand < out; ++operand) {
      const bool same_strides = request_.strides[operand] == request_.strides[out];
      if (same_strides && random_.OneIn(2)) {  // in place
        address_[operand] = address_[out];
      } else if (random_.OneIn(3)) {  // anywhere near the output
        const auto size = static_cast<int64_t>(SizeOf(request_.type));
        std::byte* wish = address_[out] + random_.Between(-8, 8) * size / (random_.OneIn(8) ? 3 : 1);
        std::byte* low = arenas_[out]->begin() - layout.lowest[operand];
        std::byte* high = arenas_[out]->end() - layout.highest[operand];
        address_[operand] = std::clamp(wish, low, high);
      }
    }
  }

  // Operands of every kind everywhere, so that stray reads give stray results.
  void FillMemory() {
    VisitType(request_.type, [&]<class T>(T) {
      static PairGenerator<T> generator(Seed());
      for (const auto& arena : arenas_) {
        // Only the neighbourhood of the tensors needs filling anew: both ends of the arena.
        for (std::byte* p : {arena->begin(), arena->end() - kFilled}) {
          for (size_t i = 0; i + 2 * sizeof(T) <= kFilled; i += 2 * sizeof(T)) {
            T pair[2];
            generator.Next(&pair[0], &pair[1]);
            std::memcpy(p + i, pair, sizeof(pair));
          }
        }
      }
    });
    for (uint32_t k = 0; k < kOperandCount; ++k) {
      expected_[k].assign(arenas_[k]->begin(), arenas_[k]->end());
    }
  }

  void ComputeExpected(const Layout& layout) {
    VisitType(request_.type, [&]<class T>(T) {
      for (uint64_t i = 0; i < layout.element_count; ++i) {
        T a;
        T b;
        std::memcpy(&a, address_[kOperandA] + OffsetOf(request_, kOperandA, i), sizeof(T));
        const uint32_t last = inputs_ - 1;  // a once more where there is no b
        std::memcpy(&b, address_[last] + OffsetOf(request_, last, i), sizeof(T));
        const T result = reference::Evaluate(request_.op, a, b);
        const ptrdiff_t place =
            address_[inputs_] + OffsetOf(request_, inputs_, i) - arenas_[inputs_]->begin();
        std::memcpy(expected_[inputs_].data() + place, &result, sizeof(T));
      }
    });
  }

  static std::string FirstByte(const GuardedArena& arena, const std::vector<std::byte>& expected) {
    for (size_t i = 0; i < expected.size(); ++i) {
      if (arena.begin()[i] != expected[i]) return std::to_string(i);
    }
    return "none";
  }

  // Enough to build the case again by hand.
  std::string Context() const {
    std::string text =
        std::string(" ") + OperatorName(request_.op) + " " + ShortName(request_.type) + " sizes";
    for (uint32_t i = 0; i < request_.rank; ++i) text += " " + std::to_string(request_.sizes[i]);
    for (size_t k = 0; k <= request_.output(); ++k) {
      text += "; strides of operand " + std::to_string(k);
      for (uint32_t i = 0; i < request_.rank; ++i) text += " " + std::to_string(request_.strides[k][i]);
    }
    for (size_t k = 0; k < request_.output(); ++k) {
      text += "; operand " + std::to_string(k) + " lies " +
              std::to_string(address_[k] - address_[request_.output()]) + " bytes from the output";
    }
    return text + "; seed " + std::to_string(Seed());
  }

  static constexpr size_t kFilled = 16 * 1024;

  Random random_;
  OpRequest request_{};
  uint32_t inputs_ = 0;
  std::unique_ptr<GuardedArena> arenas_[kOperandCount] = {std::make_unique<GuardedArena>(kArenaSize),
                                                          std::make_unique<GuardedArena>(kArenaSize),
                                                          std::make_unique<GuardedArena>(kArenaSize)};
  std::byte* address_[kOperandCount] = {};
  std::vector<std::byte> expected_[kOperandCount];
};

TEST_P(LayoutTest, RandomLayouts) {
  const uint64_t cases = ByTier(500, 4'000, 50'000);  // times 11 types
  for (uint64_t i = 0; i < cases; ++i) {
    ASSERT_NO_FATAL_FAILURE(RunCase()) << "case " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(AllTypes, LayoutTest, ::testing::ValuesIn(kAllDataTypes),
                         [](const auto& type) { return std::string(ShortName(type.param)); });

}  // namespace
}  // namespace residue::testing
