#include "layout/overlap.h"

#include <gtest/gtest.h>

#include <set>

#include "support/random_layout.h"
#include "support/tier.h"
#include "support/two_inputs.h"

namespace residue::testing {
namespace {

Overlap Classify(const OpRequest& request, uintptr_t input, uintptr_t out) {
  Layout layout;
  EXPECT_TRUE(MakeLayout(request, &layout).ok());
  return ClassifyOverlap(layout, kOperandA, input, kOperandOut, out);
}

OpRequest OneDimension(uint64_t count, int64_t a, int64_t out) {
  OpRequest request{};
  request.op = OperatorId::kModulusFloor;
  request.type = DataType::kInt32;
  request.rank = 1;
  request.sizes[0] = count;
  request.strides[kOperandA][0] = a;
  request.strides[kOperandOut][0] = out;
  return request;
}

TEST(OverlapTest, ByHand) {
  EXPECT_EQ(Classify(OneDimension(10, 4, 4), 1000, 1000), Overlap::kIdentical);
  EXPECT_EQ(Classify(OneDimension(10, 4, 4), 1000, 1040), Overlap::kDisjoint);
  EXPECT_EQ(Classify(OneDimension(10, 4, 4), 1040, 1000), Overlap::kDisjoint);
  EXPECT_EQ(Classify(OneDimension(10, 4, 4), 1000, 1036), Overlap::kPartial);
  EXPECT_EQ(Classify(OneDimension(10, 4, 4), 1000, 1039), Overlap::kPartial);
  EXPECT_EQ(Classify(OneDimension(10, 4, 4), 1001, 1000), Overlap::kPartial);
  EXPECT_EQ(Classify(OneDimension(10, 8, 4), 1000, 1000), Overlap::kPartial);  // another mapping
  EXPECT_EQ(Classify(OneDimension(10, -4, 4), 1036, 1000), Overlap::kPartial);
  EXPECT_EQ(Classify(OneDimension(10, 0, 4), 1000, 1000), Overlap::kPartial);  // a scalar inside the output
  EXPECT_EQ(Classify(OneDimension(1, 0, 4), 1000, 1000), Overlap::kIdentical);
  EXPECT_EQ(Classify(OneDimension(10, 8, 8), 1000, 1004), Overlap::kDisjoint);  // odd and even elements
  EXPECT_EQ(Classify(OneDimension(10, 8, 8), 1000, 1003), Overlap::kPartial);
}

// As many loops as there can be, none of which joins another.
TEST(OverlapTest, EightLoops) {
  OpRequest request{};
  request.op = OperatorId::kModulusFloor;
  request.type = DataType::kInt8;
  request.rank = kMaxRank;
  for (uint32_t i = 0; i < kMaxRank; ++i) {
    request.sizes[i] = 2;
    request.strides[kOperandA][i] = int64_t{2} << i;
    request.strides[kOperandOut][i] = int64_t{256} >> i;
  }
  EXPECT_EQ(Classify(request, 1000, 1000), Overlap::kPartial);   // the same elements in another order
  EXPECT_EQ(Classify(request, 1000, 1510), Overlap::kPartial);   // one element in common
  EXPECT_EQ(Classify(request, 1000, 1001), Overlap::kDisjoint);  // the odd and the even ones
  EXPECT_EQ(Classify(request, 1000, 1511), Overlap::kDisjoint);
}

// The ends of the address space and the longest layouts: nothing overflows.
TEST(OverlapTest, FarApart) {
  constexpr uintptr_t kHalf = ~(UINTPTR_MAX >> 1);
  EXPECT_EQ(Classify(OneDimension(10, 4, 4), 0, kHalf - 8), Overlap::kDisjoint);
  EXPECT_EQ(Classify(OneDimension(10, 4, 4), 0, kHalf), Overlap::kDisjoint);
  EXPECT_EQ(Classify(OneDimension(10, 4, -4), 0, kHalf), Overlap::kDisjoint);
  EXPECT_EQ(Classify(OneDimension(10, 4, 4), UINTPTR_MAX - 100, 100), Overlap::kDisjoint);
  const int64_t longest = kMaxExtent - 4;
  EXPECT_EQ(Classify(OneDimension(2, longest, longest), 0, 4), Overlap::kDisjoint);
  EXPECT_EQ(Classify(OneDimension(2, longest, longest), 0, 3), Overlap::kPartial);
  EXPECT_EQ(Classify(OneDimension(2, -longest, longest), 1 << 20, (1 << 20) - 2), Overlap::kPartial);
}

// Against the definition: the sets of bytes.
TEST(OverlapTest, RandomLayoutsAgainstSetsOfBytes) {
  Random random(Seed() + 41);
  const uint64_t cases = ByTier(20'000, 100'000, 1'000'000);
  uint64_t seen[3] = {};
  for (uint64_t n = 0; n < cases; ++n) {
    const OpRequest request = RandomLayout(&random, 24).Make(OperatorId::kModulusFloor, DataType::kInt16);
    Layout layout;
    ASSERT_TRUE(MakeLayout(request, &layout).ok());
    if (layout.element_count == 0) continue;
    const int64_t base = 1 << 20;
    const int64_t out = base + random.Between(-60, 60);
    std::set<int64_t> bytes[2];
    bool same = true;
    for (uint64_t i = 0; i < layout.element_count; ++i) {
      int64_t place[2] = {base, out};
      uint64_t rest = i;
      for (uint32_t d = request.rank; d-- > 0;) {
        const auto index = static_cast<int64_t>(rest % request.sizes[d]);
        rest /= request.sizes[d];
        place[0] += index * request.strides[kOperandA][d];
        place[1] += index * request.strides[kOperandOut][d];
      }
      same = same && place[0] == place[1];
      for (int k = 0; k < 2; ++k) bytes[k].insert({place[k], place[k] + 1});
    }
    bool common = false;
    for (const int64_t byte : bytes[0]) common = common || bytes[1].contains(byte);
    const Overlap expected = !common ? Overlap::kDisjoint : same ? Overlap::kIdentical : Overlap::kPartial;
    const Overlap got = ClassifyOverlap(layout, kOperandA, static_cast<uintptr_t>(base), kOperandOut,
                                        static_cast<uintptr_t>(out));
    ASSERT_EQ(expected, got) << "case " << n << " seed " << Seed();
    ++seen[static_cast<int>(got)];
  }
  for (const uint64_t count : seen) EXPECT_GT(count, 0u);
}

// Outputs with arbitrary small strides: refused exactly when two elements share a byte.
TEST(OverlapTest, SelfOverlapAgainstSetsOfBytes) {
  Random random(Seed() + 42);
  const uint64_t cases = ByTier(20'000, 100'000, 1'000'000);
  uint64_t accepted = 0;
  for (uint64_t n = 0; n < cases; ++n) {
    OpRequest request{};
    request.op = OperatorId::kModulusFloor;
    request.type = DataType::kInt16;
    request.rank = static_cast<uint32_t>(random.Between(1, 4));
    uint64_t elements = 1;
    for (uint32_t i = 0; i < request.rank; ++i) {
      request.sizes[i] = 1 + random.Below(4);
      request.strides[kOperandOut][i] = random.Between(-20, 20);
      elements *= request.sizes[i];
    }
    std::set<int64_t> bytes;
    for (uint64_t i = 0; i < elements; ++i) {
      int64_t place = 0;
      uint64_t rest = i;
      for (uint32_t d = 0; d < request.rank; ++d) {
        place += static_cast<int64_t>(rest % request.sizes[d]) * request.strides[kOperandOut][d];
        rest /= request.sizes[d];
      }
      bytes.insert({place, place + 1});
    }
    Layout layout;
    const bool ok = MakeLayout(request, &layout).ok();
    ASSERT_EQ(ok, bytes.size() == 2 * elements) << "case " << n << " seed " << Seed();
    accepted += ok ? 1 : 0;
  }
  EXPECT_GT(accepted, 0u);
  EXPECT_LT(accepted, cases);
}

// Visits that end at once are paid for too: this layout has 2^28 of them, and would take long.
TEST(OverlapTest, CheapVisitsCountAgainstTheBudget) {
  OpRequest request{};
  request.op = OperatorId::kModulusFloor;
  request.type = DataType::kUint8;
  request.rank = 2;
  const int64_t n = int64_t{1} << 28;
  request.sizes = {static_cast<uint64_t>(n - 2), static_cast<uint64_t>(n)};
  request.strides[kOperandOut] = {n, n - 1};
  Layout layout;
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(MakeLayout(request, &layout).code, StatusCode::kOutputOverlapsItself);
  }
}

// Layouts made to exhaust the search get the safe answer, in bounded time.
TEST(OverlapTest, IntricateLayoutsAreBounded) {
  OpRequest request{};
  request.op = OperatorId::kModulusFloor;
  request.type = DataType::kInt8;
  request.rank = 8;
  const int64_t primes[] = {1000003, 1000033, 1000037, 1000039, 1000081, 1000099, 1000117, 1000121};
  for (uint32_t i = 0; i < 8; ++i) {
    request.sizes[i] = 40;
    request.strides[kOperandA][i] = primes[i];
    request.strides[kOperandOut][i] = primes[7 - i] + 2;
  }
  Layout layout;
  EXPECT_FALSE(MakeLayout(request, &layout).ok());
}

}  // namespace
}  // namespace residue::testing
