// A layout in pieces: wherever it is cut, the tiles of the pieces visit every element once, in the order of
// the loops, with the right elements of the inputs.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "cpu/engine/tile_walk.h"
#include "support/tier.h"
#include "verification/random.h"

namespace residue::testing {
namespace {

// What one element reads and writes, as bytes from the beginnings of the operands.
struct Visit {
  ptrdiff_t a;
  ptrdiff_t b;
  ptrdiff_t out;
  bool operator==(const Visit&) const = default;
};

class TileWalkTest : public ::testing::Test {
 protected:
  static constexpr uint32_t kOperands = 3;

  // Random strides on purpose: an output that overlaps itself shows in the order all the same.
  Layout RandomLayout() {
    Layout layout = {};
    layout.loop_count = static_cast<uint32_t>(2 + random_.Below(kMaxRank - 1));
    layout.element_count = 1;
    layout.operand_count = kOperands;
    for (uint32_t i = 0; i < layout.loop_count; ++i) {
      layout.loops[i].size = 1 + random_.Below(layout.loop_count > 4 ? 2 : 4);
      layout.element_count *= layout.loops[i].size;
      for (int64_t& stride : layout.loops[i].stride) stride = static_cast<int64_t>(random_.Below(50));
    }
    for (int64_t& origin : layout.origin) origin = static_cast<int64_t>(random_.Below(50));
    return layout;
  }

  static std::vector<Visit> InOrder(const Layout& layout) {
    std::vector<Visit> visits;
    for (uint64_t element = 0; element < layout.element_count; ++element) {
      OperandOffsets at = layout.origin;
      uint64_t rest = element;
      for (uint32_t i = 0; i < layout.loop_count; ++i) {
        const auto index = static_cast<int64_t>(rest % layout.loops[i].size);
        rest /= layout.loops[i].size;
        for (size_t k = 0; k < kOperands; ++k) at[k] += index * layout.loops[i].stride[k];
      }
      visits.push_back({at[0], at[1], at[2]});
    }
    return visits;
  }

  void Walk(const Layout& layout, uint64_t begin, uint64_t end, std::vector<Visit>* visits) {
    ForEachTile(layout, begin, end, [&](const Tile& tile) {
      for (size_t row = 0; row < tile.rows; ++row) {
        for (size_t column = 0; column < tile.columns; ++column) {
          const auto at = [&](size_t k) {
            return tile.offset[k] + static_cast<ptrdiff_t>(row) * layout.loops[1].stride[k] +
                   static_cast<ptrdiff_t>(column) * layout.loops[0].stride[k];
          };
          visits->push_back({at(0), at(1), at(2)});
        }
      }
    });
  }

  Random random_{Seed()};
};

TEST_F(TileWalkTest, InPieces) {
  for (int round = 0; round < 2000; ++round) {
    SCOPED_TRACE("RESIDUE_SEED=" + std::to_string(Seed()) + " round " + std::to_string(round));
    const Layout layout = RandomLayout();
    std::vector<Visit> visits;
    for (uint64_t begin = 0; begin < layout.element_count;) {
      const uint64_t end = begin + 1 + random_.Below(layout.element_count - begin);
      Walk(layout, begin, end, &visits);
      begin = end;
    }
    ASSERT_EQ(visits.size(), layout.element_count);
    ASSERT_TRUE(visits == InOrder(layout));
  }
}

// Fewer tiles are faster, and the rows' loops are for this.
TEST_F(TileWalkTest, TilesAreAsLargeAsTheLoopsAllow) {
  Layout layout = {};
  layout.loop_count = 3;
  layout.operand_count = kOperands;
  layout.element_count = 4 * 5 * 6;
  layout.loops[0] = {4, {1, 1, 1}};
  layout.loops[1] = {5, {4, 4, 4}};
  layout.loops[2] = {6, {20, 20, 20}};
  const auto count_tiles = [&](uint64_t begin, uint64_t end) {
    int tiles = 0;
    ForEachTile(layout, begin, end, [&](const Tile&) { ++tiles; });
    return tiles;
  };
  EXPECT_EQ(count_tiles(0, 120), 6) << "one for each plane";
  EXPECT_EQ(count_tiles(8, 40), 2) << "the rest of a plane, and a plane";
  EXPECT_EQ(count_tiles(1, 4), 1) << "the end of a row";
  EXPECT_EQ(count_tiles(3, 22), 3) << "the end of a row, rows, and the beginning of one";
}

}  // namespace
}  // namespace residue::testing
