#include "core/status.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace residue {
namespace {

TEST(StatusTest, EveryCodeHasItsOwnSentence) {
  std::set<std::string> sentences;
#define RESIDUE_STATUS(Name, C_NAME, value, text) \
  EXPECT_TRUE(sentences.insert(StatusText(StatusCode::k##Name)).second);
#include "core/statuses.def"
  EXPECT_STREQ(StatusText(static_cast<StatusCode>(-7)), "unknown status");
}

TEST(StatusTest, FormatNamesFieldBothValuesAndTheFix) {
  const Status status{StatusCode::kInvalidRank, "rank", -1, 9, Relation::kAtMost, 8};
  char text[200];
  const size_t length = FormatStatus(status, text, sizeof(text));
  EXPECT_STREQ(text,
               "rank: 9 was provided, but at most 8 was expected: a tensor has 0 to 8 dimensions, at "
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

TEST(StatusTest, FormatKnowsNumbersThatHaveNoSign) {
  const Status status{StatusCode::kTooLarge, "sizes", 1, -1, Relation::kUnsignedAtMost, 4};
  char text[300];
  FormatStatus(status, text, sizeof(text));
  EXPECT_EQ(std::string(text).find("sizes[1]: 18446744073709551615 was provided, but at most 4 was "), 0u)
      << text;
}

TEST(StatusTest, FormatNamesFieldsThatAreNoNumbers) {
  char text[300];
  FormatStatus({StatusCode::kNullPointer, "problem", -1, 0, Relation::kNone}, text, sizeof(text));
  EXPECT_STREQ(text, "problem: a pointer that must be set is null");
}

TEST(StatusTest, FormatCutsAndReportsTheFullLength) {
  char text[5] = "????";
  const size_t length = FormatStatus({StatusCode::kOutOfMemory}, text, sizeof(text));
  EXPECT_STREQ(text, "ther");
  EXPECT_EQ(length, std::string(StatusText(StatusCode::kOutOfMemory)).size());
  EXPECT_EQ(FormatStatus({StatusCode::kOutOfMemory}, nullptr, 0), length);
}

}  // namespace
}  // namespace residue
