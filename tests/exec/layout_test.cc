// Every class of layout, on memory that ends where the tensor ends: right results, no byte touched that does
// not belong to the output, inputs unchanged, whatever overlaps what.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "exec/run.h"
#include "kernels/reference.h"
#include "support/guarded_arena.h"
#include "support/kernel_run.h"
#include "support/random_layout.h"
#include "support/type_test.h"

namespace residue::testing {
namespace {

constexpr uint64_t kMostElements = 260;
constexpr size_t kArenaSize = 32 * 1024;  // more than any of these layouts spans

// The offset of element `index` (row-major) of one operand.
int64_t OffsetOf(const OpRequest& request, Operand operand, uint64_t index) {
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
    const OperatorId op = kAllOperators[random_.Below(std::size(kAllOperators))];
    request_ = RandomLayout(&random_, kMostElements).Make(op, GetParam());
    const auto targets = SupportedTargets();
    Plan plan;
    const Status status = MakePlan(request_, targets[random_.Below(targets.size())], &plan);
    ASSERT_TRUE(status.ok()) << StatusText(status.code) << Context();
    request_ = plan.request;  // where one input is read, the other's strides mean nothing
    for (size_t k = 0; k < kOperandCount; ++k) {
      ASSERT_LE(plan.layout.highest[k] - plan.layout.lowest[k], int64_t{kArenaSize}) << Context();
    }
    PlaceOperands(plan.layout);
    FillMemory();
    ComputeExpected(plan.layout);
    const Status run = residue::Run(plan, {address_[kOperandA], address_[kOperandB], address_[kOperandOut]},
                                    SerialExecutor());
    ASSERT_TRUE(run.ok()) << StatusText(run.code) << Context();
    for (int k = 0; k < kOperandCount; ++k) {
      const GuardedArena& arena = *arenas_[k];
      ASSERT_EQ(std::memcmp(arena.begin(), expected_[k].data(), arena.size()), 0)
          << Context() << " first differing byte of arena " << k << ": " << FirstByte(arena, expected_[k]);
    }
  }

 private:
  // Each operand flush against a guard page, or sharing the output's arena in some way.
  void PlaceOperands(const Layout& layout) {
    for (const Operand operand : {kOperandOut, kOperandA, kOperandB}) {
      address_[operand] = random_.OneIn(2) ? arenas_[operand]->end() - layout.highest[operand]
                                           : arenas_[operand]->begin() - layout.lowest[operand];
    }
    for (const Operand operand : {kOperandA, kOperandB}) {
      const bool same_strides = request_.strides[operand] == request_.strides[kOperandOut];
      if (same_strides && random_.OneIn(2)) {  // in place
        address_[operand] = address_[kOperandOut];
      } else if (random_.OneIn(3)) {  // anywhere near the output
        const auto size = static_cast<int64_t>(SizeOf(request_.type));
        std::byte* wish = address_[kOperandOut] + random_.Between(-8, 8) * size / (random_.OneIn(8) ? 3 : 1);
        std::byte* low = arenas_[kOperandOut]->begin() - layout.lowest[operand];
        std::byte* high = arenas_[kOperandOut]->end() - layout.highest[operand];
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
    for (int k = 0; k < kOperandCount; ++k) {
      expected_[k].assign(arenas_[k]->begin(), arenas_[k]->end());
    }
  }

  void ComputeExpected(const Layout& layout) {
    VisitType(request_.type, [&]<class T>(T) {
      for (uint64_t i = 0; i < layout.element_count; ++i) {
        T a;
        T b;
        std::memcpy(&a, address_[kOperandA] + OffsetOf(request_, kOperandA, i), sizeof(T));
        std::memcpy(&b, address_[kOperandB] + OffsetOf(request_, kOperandB, i), sizeof(T));
        const T result = reference::Evaluate(request_.op, a, b);
        const ptrdiff_t place =
            address_[kOperandOut] + OffsetOf(request_, kOperandOut, i) - arenas_[kOperandOut]->begin();
        std::memcpy(expected_[kOperandOut].data() + place, &result, sizeof(T));
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
    for (size_t k = 0; k < kOperandCount; ++k) {
      text += k == 0 ? "; strides a" : k == 1 ? "; b" : "; out";
      for (uint32_t i = 0; i < request_.rank; ++i) text += " " + std::to_string(request_.strides[k][i]);
    }
    text += "; a lies " + std::to_string(address_[0] - address_[2]) + " and b " +
            std::to_string(address_[1] - address_[2]) + " bytes from out; seed " + std::to_string(Seed());
    return text;
  }

  static constexpr size_t kFilled = 16 * 1024;

  Random random_;
  OpRequest request_{};
  std::unique_ptr<GuardedArena> arenas_[kOperandCount] = {std::make_unique<GuardedArena>(kArenaSize),
                                                          std::make_unique<GuardedArena>(kArenaSize),
                                                          std::make_unique<GuardedArena>(kArenaSize)};
  std::byte* address_[kOperandCount] = {};
  std::vector<std::byte> expected_[kOperandCount];
};

TEST_P(LayoutTest, RandomLayouts) {
  const uint64_t cases = ByTier(2'000, 28'000, 50'000);  // times 11 types
  for (uint64_t i = 0; i < cases; ++i) {
    ASSERT_NO_FATAL_FAILURE(RunCase()) << "case " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(AllTypes, LayoutTest, ::testing::ValuesIn(kAllDataTypes),
                         [](const auto& type) { return std::string(ShortName(type.param)); });

}  // namespace
}  // namespace residue::testing
