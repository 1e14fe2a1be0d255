// Which rows of a pass become a chain, and which must not.
#include <gtest/gtest.h>

#include "cpu/engine/link.h"

namespace residue::testing {
namespace {

Exceptions RunRow(const Row&) noexcept { return kNoException; }
Exceptions RunChain(const Row&) noexcept { return kNoException; }
Exceptions RunOtherChain(const Row&) noexcept { return kNoException; }
void RunStage() {}
void RunRawStage() {}

constexpr ValueId kInput = 0;
constexpr ValueId kOutput = 2;
constexpr ValueId kBlock0 = BlockValue(0);
constexpr ValueId kBlock1 = BlockValue(1);
constexpr ValueId kBlock2 = BlockValue(2);

PlannedRow Row1(ValueId in, ValueId out, RowFn chain = &RunChain) {
  return {{&RunRow, 1, {in}, out, {}}, {&RunRow, chain == nullptr ? nullptr : &RunStage, chain}, nullptr};
}
PlannedRow Row2(ValueId a, ValueId b, ValueId out, RowFn chain = nullptr) {
  return {{&RunRow, 2, {a, b}, out, {}}, {&RunRow, chain == nullptr ? nullptr : &RunStage, chain}, nullptr};
}

class LinkTest : public ::testing::Test {
 protected:
  // How many links each row has; 1 if it is no chain.
  std::vector<uint32_t> Link(const std::vector<PlannedRow>& rows) {
    links_.clear();
    linked_ = LinkRows(rows, &links_, &block_count_);
    std::vector<uint32_t> lengths;
    for (const RowCall& row : linked_) {
      const bool is_chain = row.run == &RunChain || row.run == &RunOtherChain;
      lengths.push_back(is_chain ? ReadParams<ChainParams>(row.params.bytes).count : 1);
    }
    return lengths;
  }

  std::vector<ChainLink> links_;
  std::vector<RowCall> linked_;
  uint32_t block_count_ = 0;
};

using Lengths = std::vector<uint32_t>;

TEST_F(LinkTest, RowsThatFollowEachOther) {
  std::vector<PlannedRow> rows = {Row1(kInput, kBlock0), Row1(kBlock0, kBlock1), Row1(kBlock1, kOutput)};
  for (PlannedRow& row : rows) row.params = &row;
  EXPECT_EQ(Link(rows), Lengths{3});
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(links_[i].params, &rows[i]);
    EXPECT_EQ(links_[i].run, &RunRow);
    EXPECT_EQ(links_[i].stage, &RunStage);
  }
  EXPECT_EQ(linked_[0].in[0], kInput);
  EXPECT_EQ(linked_[0].out, kOutput);
  EXPECT_EQ(block_count_, 0u);
  EXPECT_EQ(links_.size(), 3u);
  EXPECT_EQ(ReadParams<ChainParams>(linked_[0].params.bytes).links, links_.data());
}

// A NaN is made the quiet one by the last of those that can leave it to the next.
TEST_F(LinkTest, RawStagesStandBeforeOthersThatHaveThem) {
  std::vector<PlannedRow> rows = {Row1(kInput, kBlock0)};
  while (rows.size() < 4) rows.push_back(Row1(kBlock0, kBlock0));
  rows.push_back(Row1(kBlock0, kOutput));
  for (const size_t i : {0u, 1u, 3u, 4u}) rows[i].code.raw_stage = &RunRawStage;
  EXPECT_EQ(Link(rows), Lengths{5});
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(links_[i].stage, i == 0 || i == 3 ? &RunRawStage : &RunStage) << i;
  }
}

TEST_F(LinkTest, OneRowIsNoChain) {
  EXPECT_EQ(Link({Row1(kInput, kOutput)}), Lengths{1});
  EXPECT_EQ(linked_[0].run, &RunRow);
  EXPECT_TRUE(links_.empty());
}

TEST_F(LinkTest, ABlockMayBeWrittenInItsPlace) {
  EXPECT_EQ(Link({Row1(kInput, kBlock0), Row1(kBlock0, kBlock0), Row1(kBlock0, kOutput)}), Lengths{3});
}

TEST_F(LinkTest, WhatIsReadAgainStaysInItsBlock) {
  EXPECT_EQ(Link({Row1(kInput, kBlock1), Row1(kBlock1, kBlock2), Row2(kBlock1, kBlock2, kOutput)}),
            (Lengths{1, 1, 1}));
  EXPECT_EQ(block_count_, 2u);
}

TEST_F(LinkTest, ABlockThatIsWrittenAgainIsAnother) {
  EXPECT_EQ(Link({Row1(kInput, kBlock0), Row1(kBlock0, kBlock1), Row1(1, kBlock0, nullptr),
                  Row2(kBlock0, kBlock1, kOutput)}),
            (Lengths{2, 1, 1}));
  EXPECT_EQ(block_count_, 2u);
}

TEST_F(LinkTest, BlocksThatAreLeftAreNumberedAnew) {
  EXPECT_EQ(Link({Row1(kInput, kBlock0), Row1(kBlock0, kBlock2), Row2(kBlock2, 1, kOutput)}),
            (Lengths{2, 1}));
  EXPECT_EQ(block_count_, 1u);
  EXPECT_EQ(linked_[0].out, BlockValue(0));
  EXPECT_EQ(linked_[1].in[0], BlockValue(0));
  EXPECT_EQ(linked_[1].in[1], 1);
}

TEST_F(LinkTest, WhatIsInMemoryStaysThere) {
  EXPECT_EQ(Link({Row1(kInput, kOutput), Row1(kOutput, ValueId{3})}), (Lengths{1, 1}));
}

TEST_F(LinkTest, OnlyRowsThatCan) {
  EXPECT_EQ(Link({Row1(kInput, kBlock0), Row1(kBlock0, kBlock1, nullptr), Row1(kBlock1, kOutput)}),
            (Lengths{1, 1, 1}));
  EXPECT_EQ(Link({Row1(kInput, kBlock0), Row1(kBlock0, kOutput, &RunOtherChain)}), (Lengths{1, 1}));
  EXPECT_EQ(Link({Row1(kInput, kBlock0), Row1(1, kOutput)}), (Lengths{1, 1})) << "not the row before's";
  EXPECT_EQ(Link({Row2(kInput, 1, kBlock0), Row1(kBlock0, kBlock1), Row1(kBlock1, kOutput)}),
            (Lengths{1, 2}));
}

// Rows of two inputs: the first comes from the row before, and the second from anywhere else.
TEST_F(LinkTest, WhatRowsReadBesides) {
  EXPECT_EQ(Link({Row2(5, 4, kBlock0, &RunChain), Row2(kBlock0, 3, kBlock1, &RunChain),
                  Row2(kBlock1, 4, kBlock0, &RunChain), Row1(kBlock0, kBlock1),
                  Row2(kBlock1, 5, kOutput, &RunChain)}),
            Lengths{5});
  EXPECT_EQ(block_count_, 0u);
  ASSERT_EQ(linked_[0].input_count, 3u);
  EXPECT_EQ(linked_[0].in[0], 5);
  EXPECT_EQ(linked_[0].in[1], 4);
  EXPECT_EQ(linked_[0].in[2], 3);
  EXPECT_EQ(linked_[0].out, kOutput);
  const uint8_t sides[] = {1, 2, 1, kNoSide, 0};
  for (size_t i = 0; i < 5; ++i) EXPECT_EQ(links_[i].side, sides[i]) << i;
  EXPECT_EQ(ReadParams<ChainParams>(linked_[0].params.bytes).inputs, 3u);
}

TEST_F(LinkTest, AChainReadsNoMoreThanARow) {
  EXPECT_EQ(Link({Row2(5, 4, kBlock0, &RunChain), Row2(kBlock0, 3, kBlock1, &RunChain),
                  Row2(kBlock1, 6, kBlock0, &RunChain), Row2(kBlock0, 7, kOutput, &RunChain)}),
            (Lengths{2, 2}));
  EXPECT_EQ(block_count_, 1u);
}

TEST_F(LinkTest, WhatIsReadTwiceOrAsTheSecondStaysInItsBlock) {
  EXPECT_EQ(Link({Row1(kInput, kBlock0), Row2(kBlock0, kBlock0, kOutput, &RunChain)}), (Lengths{1, 1}));
  EXPECT_EQ(Link({Row1(kInput, kBlock0), Row2(1, kBlock0, kOutput, &RunChain)}), (Lengths{1, 1}));
  EXPECT_EQ(Link({Row2(kInput, kInput, kBlock0, &RunChain), Row1(kBlock0, kOutput)}), Lengths{2});
}

// A block that a row of the chain reads may be the one that a later row of it writes.
TEST_F(LinkTest, ABlockThatIsReadBesides) {
  EXPECT_EQ(Link({Row1(1, kBlock1, nullptr), Row1(kInput, kBlock0),
                  Row2(kBlock0, kBlock1, kBlock1, &RunChain), Row1(kBlock1, kOutput)}),
            (Lengths{1, 3}));
  EXPECT_EQ(block_count_, 1u);
  EXPECT_EQ(linked_[1].in[1], linked_[0].out);
}

TEST_F(LinkTest, LongChainsAreCut) {
  std::vector<PlannedRow> rows = {Row1(kInput, kBlock0)};
  while (rows.size() < 2 * kMostLinks) rows.push_back(Row1(kBlock0, kBlock0));
  rows.push_back(Row1(kBlock0, kOutput));
  EXPECT_EQ(Link(rows), (Lengths{kMostLinks, kMostLinks, 1}));
  EXPECT_EQ(block_count_, 1u);
  const auto second = ReadParams<ChainParams>(linked_[1].params.bytes);
  EXPECT_EQ(second.links, links_.data() + kMostLinks);
}

}  // namespace
}  // namespace residue::testing
