#include "layout/layout.h"

#include <gtest/gtest.h>

#include <limits>
#include <utility>

#include "cpu/engine/plan.h"
#include "support/row_run.h"
#include "support/two_inputs.h"

namespace residue::testing {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr int64_t kMin = std::numeric_limits<int64_t>::min();

OpRequest Request(uint32_t rank, Sizes sizes, Strides a, Strides b, Strides out,
                  DataType type = DataType::kFloat32) {
  OpRequest request{};
  request.op = OperatorId::kModulusFloor;
  request.type = type;
  request.rank = rank;
  request.sizes = sizes;
  request.strides = {a, b, out};
  return request;
}

// Of the three operands there are.
using Steps = std::array<int64_t, kOperandCount>;
Steps OfAll(const OperandOffsets& offsets) { return {offsets[0], offsets[1], offsets[2]}; }
Steps StepsOf(const Layout& layout, size_t loop) { return OfAll(layout.loops[loop].stride); }

Layout Accept(const OpRequest& request) {
  Layout layout;
  const Status status = MakeLayout(request, &layout);
  EXPECT_TRUE(status.ok()) << StatusText(status.code);
  return layout;
}

Status Refuse(const OpRequest& request) {
  Layout layout;
  return MakeLayout(request, &layout);
}

TEST(LayoutTest, PackedTensorsBecomeOneLoop) {
  const Strides packed = {80, 20, 4};
  const Layout layout = Accept(Request(3, {3, 4, 5}, packed, packed, packed));
  EXPECT_EQ(layout.element_count, 60u);
  EXPECT_EQ(layout.loops[0].size, 60u);
  EXPECT_EQ(StepsOf(layout, 0), (Steps{4, 4, 4}));
  EXPECT_EQ(layout.loops[1].size, 1u);
  EXPECT_EQ(layout.loop_count, 2u);
}

TEST(LayoutTest, RowAndColumnBroadcastKeepTwoLoops) {
  const Strides packed = {20, 4};
  Layout layout = Accept(Request(2, {3, 5}, packed, {0, 4}, packed));
  EXPECT_EQ(layout.loops[0].size, 5u);
  EXPECT_EQ(layout.loops[1].size, 3u);
  layout = Accept(Request(2, {3, 5}, packed, {4, 0}, packed));
  EXPECT_EQ(StepsOf(layout, 0), (Steps{4, 0, 4}));
  EXPECT_EQ(StepsOf(layout, 1), (Steps{20, 4, 20}));
}

TEST(LayoutTest, OnesAreDroppedAndFullBroadcastMerges) {
  const Layout layout =
      Accept(Request(5, {1, 6, 1, 7, 1}, {99, 28, 99, 4, 99}, {0, 0, 0, 0, 0}, {1, 28, 1, 4, 1}));
  EXPECT_EQ(layout.loops[0].size, 42u);
  EXPECT_EQ(StepsOf(layout, 0), (Steps{4, 0, 4}));
}

// Column-major is as good as row-major; a reversed output is walked forwards.
TEST(LayoutTest, OrderAndDirectionOfTheOutputDoNotMatter) {
  const Strides columns = {4, 12};
  Layout layout = Accept(Request(2, {3, 5}, columns, columns, columns));
  EXPECT_EQ(layout.loops[0].size, 15u);
  const Strides backwards = {-20, -4};
  layout = Accept(Request(2, {3, 5}, backwards, backwards, backwards));
  EXPECT_EQ(layout.loops[0].size, 15u);
  EXPECT_EQ(StepsOf(layout, 0), (Steps{4, 4, 4}));
  EXPECT_EQ(OfAll(layout.origin), (Steps{-56, -56, -56}));
  EXPECT_EQ(layout.lowest[kOperandOut], -56);
  EXPECT_EQ(layout.highest[kOperandOut], 4);
}

TEST(LayoutTest, EmptyTensorsAndScalars) {
  EXPECT_EQ(Accept(Request(2, {0, 5}, {}, {}, {})).element_count, 0u);
  // A zero anywhere makes the rest harmless.
  EXPECT_EQ(Accept(Request(3, {UINT64_MAX, 0, UINT64_MAX}, {kMax, 1, kMin}, {}, {})).element_count, 0u);
  const Layout scalar = Accept(Request(0, {}, {}, {}, {}));
  EXPECT_EQ(scalar.element_count, 1u);
  EXPECT_EQ(StepsOf(scalar, 0), (Steps{4, 4, 4}));
}

TEST(LayoutTest, MoreElementsThan32BitsCount) {
  const uint64_t count = (uint64_t{1} << 40) + 3;
  const Layout layout = Accept(Request(1, {count}, {1}, {0}, {1}, DataType::kUint8));
  EXPECT_EQ(layout.loops[0].size, count);
  EXPECT_EQ(layout.highest[kOperandOut], static_cast<int64_t>(count));
  const Layout far = Accept(Request(2, {3, 1 << 20}, {int64_t{1} << 50, 8}, {0, 0}, {int64_t{1} << 50, 4}));
  EXPECT_EQ(far.loops[1].stride[kOperandA], int64_t{1} << 50);
}

TEST(LayoutTest, UnknownOperatorTypeAndRankAreRefused) {
  OpRequest request = Request(1, {4}, {4}, {4}, {4});
  request.op = static_cast<OperatorId>(99);
  Status status = Refuse(request);
  EXPECT_EQ(status.code, StatusCode::kInvalidOperator);
  EXPECT_STREQ(status.field, "op");
  EXPECT_EQ(status.provided, 99);
  request = Request(1, {4}, {4}, {4}, {4}, static_cast<DataType>(0));
  status = Refuse(request);
  EXPECT_EQ(status.code, StatusCode::kInvalidType);
  EXPECT_EQ(status.provided, 0);
  request = Request(9, {4}, {4}, {4}, {4});
  status = Refuse(request);
  EXPECT_EQ(status.code, StatusCode::kInvalidRank);
  EXPECT_EQ(status.provided, 9);
  EXPECT_EQ(status.expected, 8);
}

TEST(LayoutTest, OverflowingSizesAreRefused) {
  const Status status = Refuse(Request(2, {uint64_t{1} << 32, uint64_t{1} << 31}, {0, 0}, {0, 0}, {0, 0}));
  EXPECT_EQ(status.code, StatusCode::kTooLarge);
  EXPECT_STREQ(status.field, "sizes");
  EXPECT_EQ(status.index, 0) << "the larger one";
  EXPECT_EQ(status.expected, kMaxExtent / 4 >> 31);
  EXPECT_EQ(Refuse(Request(1, {UINT64_MAX}, {0}, {0}, {4})).code, StatusCode::kTooLarge);
}

TEST(LayoutTest, OverflowingStridesAreRefused) {
  for (const int64_t stride : {kMax, kMin, kMax / 2, kMin / 2, kMax - 3}) {
    const Status status = Refuse(Request(1, {4}, {4}, {stride}, {4}));
    EXPECT_EQ(status.code, StatusCode::kTooLarge) << stride;
    EXPECT_STREQ(status.field, "operands[1].strides");
    EXPECT_EQ(status.index, 0);
    EXPECT_EQ(status.provided, stride);
    EXPECT_EQ(status.relation, stride < 0 ? Relation::kAtLeast : Relation::kAtMost);
    EXPECT_EQ(status.expected, (stride < 0 ? 4 - kMaxExtent : kMaxExtent - 4) / 3);
  }
  // Each dimension fits, the sum does not.
  const int64_t half = kMax / 2 + 1;
  EXPECT_EQ(Refuse(Request(2, {2, 2}, {half, half}, {0, 0}, {8, 4})).code, StatusCode::kTooLarge);
  EXPECT_EQ(Refuse(Request(2, {2, 2}, {-half, half}, {0, 0}, {8, 4})).code, StatusCode::kTooLarge);
  // Strides of dimensions of one element are not looked at.
  EXPECT_TRUE(Refuse(Request(2, {1, 2}, {kMin, 4}, {kMax, 4}, {kMin, 4})).ok());
  // The largest step that fits does fit; one more does not.
  EXPECT_TRUE(Refuse(Request(1, {2}, {kMaxExtent - 4}, {0}, {kMaxExtent - 4})).ok());
  EXPECT_TRUE(Refuse(Request(1, {2}, {4 - kMaxExtent}, {0}, {4})).ok());
  for (const int64_t stride : {kMaxExtent - 3, 3 - kMaxExtent}) {
    const Status status = Refuse(Request(1, {2}, {stride}, {0}, {4}));
    EXPECT_EQ(status.code, StatusCode::kTooLarge);
    EXPECT_STREQ(status.field, "operands[0].strides");
    EXPECT_EQ(status.index, 0);
    EXPECT_EQ(status.provided, stride);
    EXPECT_EQ(status.expected, stride < 0 ? 4 - kMaxExtent : kMaxExtent - 4);
  }
}

TEST(LayoutTest, OverlappingOutputsAreRefused) {
  Status status = Refuse(Request(1, {3}, {4}, {4}, {0}));
  EXPECT_EQ(status.code, StatusCode::kOutputOverlapsItself);
  EXPECT_STREQ(status.field, "operands[2].strides");
  EXPECT_EQ(status.index, 0);
  EXPECT_EQ(status.provided, 0);
  EXPECT_EQ(status.expected, 4);
  EXPECT_EQ(Refuse(Request(1, {3}, {4}, {4}, {3})).code, StatusCode::kOutputOverlapsItself);
  status = Refuse(Request(1, {3}, {4}, {4}, {-3}));
  EXPECT_EQ(status.code, StatusCode::kOutputOverlapsItself);
  EXPECT_EQ(status.provided, -3);
  EXPECT_EQ(status.expected, -4);
  status = Refuse(Request(2, {3, 5}, {20, 4}, {20, 4}, {16, 4}));  // rows shorter than a row
  EXPECT_EQ(status.code, StatusCode::kOutputOverlapsItself);
  EXPECT_EQ(status.index, 0);
  EXPECT_EQ(status.provided, 16);
  EXPECT_EQ(status.expected, 20);
  // The dimension is named wherever it stands, the last of eight too.
  for (int32_t dimension = 0; dimension < int32_t{kMaxRank}; ++dimension) {
    Strides strides;
    strides.fill(4);
    strides[static_cast<size_t>(dimension)] = 3;
    Sizes sizes;
    sizes.fill(1);
    sizes[static_cast<size_t>(dimension)] = 2;
    status = Refuse(Request(kMaxRank, sizes, strides, strides, strides));
    EXPECT_EQ(status.code, StatusCode::kOutputOverlapsItself);
    EXPECT_EQ(status.index, dimension);
    EXPECT_EQ(status.provided, 3);
  }
}

// The dimension that pushes the operand over is named, not the first one that there is no room left for.
TEST(LayoutTest, TheDimensionThatIsTooLongIsRefused) {
  const int64_t far = kMaxExtent / 2;
  Status status = Refuse(Request(3, {100, 4, 2}, {4, far, 400}, {0, 0, 0}, {4, 800, 400}));
  EXPECT_STREQ(status.field, "operands[0].strides");
  EXPECT_EQ(status.index, 1);
  EXPECT_EQ(status.provided, far);
  EXPECT_EQ(status.expected, (kMaxExtent - 800) / 3);
  // Two are, and the outer one cannot clear the inner one before that is shorter.
  status = Refuse(Request(3, {2, 4, 100}, {0, 0, 0}, {0, 0, 0}, {-4 * far, far, 4}));
  EXPECT_STREQ(status.field, "operands[2].strides");
  EXPECT_EQ(status.index, 1);
  EXPECT_EQ(status.expected, (far - 400) / 3);
  status = Refuse(Request(3, {2, 4, 100}, {0, 0, 0}, {0, 0, 0}, {-4 * far, status.expected, 4}));
  EXPECT_EQ(status.index, 0);
  EXPECT_EQ(status.relation, Relation::kAtLeast);
  EXPECT_EQ(status.expected, -(kMaxExtent - (far - 400) / 3 * 3 - 400));
}

// The step named is the smallest that fits, between others if it can.
TEST(LayoutTest, OverlapIsMendedWhereThereIsRoom) {
  const auto refused = [](Sizes sizes, Strides out) {
    return Refuse(Request(3, sizes, {0, 0, 0}, {0, 0, 0}, out));
  };
  Status status = refused({2, 5, 3}, {1 << 20, 4, 4});  // 20 and 40 bytes lie between
  EXPECT_EQ(status.index, 1);
  EXPECT_EQ(status.expected, 12);
  status = refused({2, 5, 3}, {56, 4, 4});  // 12 * 5 is more than 56
  EXPECT_EQ(status.index, 1);
  EXPECT_EQ(status.expected, 68);
  status = refused({1, 2, 2}, {0, kMaxExtent / 2, 1});
  EXPECT_EQ(status.expected, 4);
  status = refused({2, 2, 2}, {104, 100, 0});  // 4 would push 100 against 104
  EXPECT_EQ(status.index, 2);
  EXPECT_EQ(status.expected, 208);
  status = refused({1, 2, 4}, {0, 100, 100});  // 4 would do too, but who wrote 100 wants a long step
  EXPECT_EQ(status.index, 1);
  EXPECT_EQ(status.expected, 304);
  // No step is left for so many elements before the other dimension makes room.
  status = refused({1, uint64_t{1} << 54, 2}, {0, 1, kMaxExtent / 4 - 4});
  EXPECT_EQ(status.code, StatusCode::kOutputOverlapsItself);
  EXPECT_EQ(status.index, 2);
  EXPECT_EQ(status.provided, kMaxExtent / 4 - 4);
  EXPECT_EQ(status.relation, Relation::kAtMost);
  EXPECT_EQ(status.expected, 12);
  // Or a smaller step than its own.
  status = refused({1, 100, 4}, {0, -kMaxExtent / 150, kMaxExtent / 150});
  EXPECT_EQ(status.code, StatusCode::kOutputOverlapsItself);
  EXPECT_EQ(status.index, 1);
  EXPECT_EQ(status.relation, Relation::kAtLeast);
  EXPECT_EQ(status.expected, -4);
}

// Not nested, yet every element has its own bytes: the exact answer accepts it.
TEST(LayoutTest, InterleavedOutputsAreAccepted) {
  EXPECT_TRUE(Refuse(Request(2, {2, 3}, {0, 0}, {0, 0}, {12, 8})).ok());   // 0 8 16 / 12 20 28
  EXPECT_FALSE(Refuse(Request(2, {2, 3}, {0, 0}, {0, 0}, {16, 8})).ok());  // 0 8 16 / 16 ...
  EXPECT_TRUE(Refuse(Request(2, {3, 2}, {0, 0}, {0, 0}, {8, 12})).ok());
  EXPECT_TRUE(Refuse(Request(2, {3, 3}, {0, 0}, {0, 0}, {8, 12})).ok());   // 3 * 8 = 2 * 12 is out of reach
  EXPECT_FALSE(Refuse(Request(2, {4, 3}, {0, 0}, {0, 0}, {8, 12})).ok());  // and now it is not
}

TEST(PlanTest, TheReachFollowsTheInnermostStrides) {
  const auto reach = [](Strides a, Strides b, Strides out) {
    Plan plan;
    EXPECT_TRUE(MakePlan(Request(2, {3, 50}, a, b, out), BestTarget(), &plan).ok());
    return plan.reach;
  };
  const Strides packed = {200, 4};
  EXPECT_EQ(reach(packed, packed, packed), Reach::kDirect);
  EXPECT_EQ(reach(packed, {0, 0}, packed), Reach::kDirect);
  EXPECT_EQ(reach(packed, {4, 0}, packed), Reach::kDirect);
  EXPECT_EQ(reach({4, 0}, packed, packed), Reach::kDirect);
  EXPECT_EQ(reach({0, 0}, {0, 0}, packed), Reach::kDirect);
  EXPECT_EQ(reach({4, 12}, packed, packed), Reach::kSquares);
  EXPECT_EQ(reach(packed, packed, {400, 8}), Reach::kBlocks);
  EXPECT_EQ(reach(packed, {200, -4}, packed), Reach::kBlocks);
}

// Short rows are computed together, if there are several and they do not merge into one.
TEST(PlanTest, ShortRowsAreComputedTogether) {
  const auto reach = [](uint64_t rows, uint64_t columns, Strides b) {
    Plan plan;
    const auto step = static_cast<int64_t>(columns * 4);
    EXPECT_TRUE(MakePlan(Request(2, {rows, columns}, {step, 4}, b, {step, 4}), BestTarget(), &plan).ok());
    return plan.reach;
  };
  EXPECT_EQ(reach(9, 31, {0, 4}), Reach::kShortRows);
  EXPECT_EQ(reach(9, 31, {4, 0}), Reach::kShortRows);
  EXPECT_EQ(reach(9, 32, {0, 4}), Reach::kDirect);
  EXPECT_EQ(reach(9, 31, {124, 4}), Reach::kDirect);
  EXPECT_EQ(reach(1, 31, {0, 4}), Reach::kDirect);
}

// The loop along which an input is packed becomes the rows of the tiles, wherever it was.
TEST(PlanTest, AnExchangedInputsLoopComesSecond) {
  Layout layout;
  // out[x][y][z], a[z][y][x] with a gap after each x
  ASSERT_TRUE(MakeLayout(Request(3, {4, 5, 6}, {4, 20, 100}, {120, 24, 4}, {120, 24, 4}), &layout).ok());
  ASSERT_EQ(layout.loop_count, 3u);
  EXPECT_EQ(layout.loops[0].size, 6u);
  EXPECT_EQ(layout.loops[1].size, 4u);
  EXPECT_EQ(layout.loops[1].stride[kOperandA], 4);
  EXPECT_EQ(layout.loops[2].size, 5u);
}

// One that is the same all along the columns gains nothing by it.
TEST(PlanTest, ABroadcastInputsLoopStays) {
  Layout layout;
  ASSERT_TRUE(MakeLayout(Request(3, {4, 5, 6}, {4, 0, 0}, {160, 32, 4}, {120, 24, 4}), &layout).ok());
  ASSERT_EQ(layout.loop_count, 3u);
  EXPECT_EQ(layout.loops[1].size, 5u);
  EXPECT_EQ(layout.loops[2].size, 4u);
}

TEST(PlanTest, TheTargetCanBeCapped) {
  for (const Target target : SupportedTargets()) {
    Plan plan;
    ASSERT_TRUE(MakePlan(Request(1, {5}, {4}, {4}, {4}), target, &plan).ok());
    EXPECT_EQ(plan.target, TargetOfRows(target, plan.request.type));
  }
}

// An output of bytes may have more elements than there is room for in an input of floats: then elements of
// the input have to share their places, and the strides told say so.
TEST(LayoutTest, LargerElementsThanTheOutputsAreToldToShare) {
  const uint64_t sizes[] = {uint64_t{1} << 57, 2};
  int64_t input[] = {8, 4};
  const int64_t output[] = {2, 1};
  LayoutRequest request;
  request.rank = 2;
  request.sizes = sizes;
  request.operand_count = 2;
  request.first_written = 1;
  request.operands[0] = {input, 4, "input"};
  request.operands[1] = {output, 1, "output"};
  for (const auto& [dimension, stride] : {std::pair(1, 0), std::pair(0, 1)}) {
    Layout layout;
    const Status status = MakeLayout(request, &layout);
    EXPECT_EQ(status.code, StatusCode::kTooLarge);
    EXPECT_STREQ(status.field, "input");
    EXPECT_EQ(status.index, dimension);
    EXPECT_EQ(status.provided, input[dimension]);
    EXPECT_EQ(status.relation, Relation::kAtMost);
    EXPECT_EQ(status.expected, stride);
    input[dimension] = stride;
  }
  Layout layout;
  EXPECT_TRUE(MakeLayout(request, &layout).ok());
}

}  // namespace
}  // namespace residue::testing
