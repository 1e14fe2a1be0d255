#include "base/status.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace residue {
namespace {

TEST(StatusTest, EveryCodeHasItsOwnSentence) {
  std::set<std::string> sentences;
#define RESIDUE_STATUS(Name, C_NAME, value, text) \
  EXPECT_TRUE(sentences.insert(StatusText(StatusCode::k##Name)).second);
#include "base/statuses.inc"
  EXPECT_STREQ(StatusText(static_cast<StatusCode>(-7)), "unknown status");
}

TEST(StatusTest, FormatNamesFieldBothValuesAndTheFix) {
  const Status status{StatusCode::kInvalidRank, "rank", -1, 9, Relation::kAtMost, 8};
  char text[200];
  const size_t length = FormatStatus(status, text, sizeof(text));
  EXPECT_STREQ(text,
               "rank: 9 was provided, but at most 8 was expected: a tensor has 0 to 8 dimensions, and at "
               "most 1 if its elements go in order");
  EXPECT_EQ(length, std::string(text).size());
}

TEST(StatusTest, FormatNamesTheElementOfAField) {
  const Status status{StatusCode::kOutputOverlapsItself, "out_strides", 2, 0, Relation::kAtLeast, 4};
  char text[300];
  FormatStatus(status, text, sizeof(text));
  EXPECT_EQ(std::string(text).find("out_strides[2]: 0 was provided, but at least 4 was expected: "), 0u)
      << text;
}

TEST(StatusTest, FormatNamesTheOnlyValueThatIsRight) {
  const Status status{StatusCode::kSizeMismatch, "count", -1, 3, Relation::kEqualTo, 4};
  char text[300];
  FormatStatus(status, text, sizeof(text));
  EXPECT_EQ(std::string(text).find("count: 3 was provided, but 4 was expected: "), 0u) << text;
}

TEST(StatusTest, FormatCutsAndReportsTheFullLength) {
  char text[5] = "????";
  const size_t length = FormatStatus({StatusCode::kOutOfMemory}, text, sizeof(text));
  EXPECT_STREQ(text, "memo");
  EXPECT_EQ(length, std::string(StatusText(StatusCode::kOutOfMemory)).size());
  EXPECT_EQ(FormatStatus({StatusCode::kOutOfMemory}, nullptr, 0), length);
}

}  // namespace
}  // namespace residue
