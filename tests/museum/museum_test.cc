// The museum: real modulus bugs of other runtimes and our own, each with the right answer. Every entry with
// numbers runs on every target, in every form and alias mode, its pairs at every index of body and tail.
// Entries that state a rule instead are listed with the test that holds the rule.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "support/museum.h"
#include "support/placement.h"
#include "support/row_run.h"

namespace residue::testing {
namespace {

// Rules that are not about numbers, and where each is tested.
const std::map<std::string, std::string>& RuleTests() {
  static const std::map<std::string, std::string> tests = {
#include "museum/rules.inc"
  };
  return tests;
}

template <class T>
void CheckNumbers(OperatorId op, const rapidjson::Value& entry, const char* result_field, size_t* checked) {
  const auto [a, divisors, expected] = ReadMuseumNumbers<T>(entry, result_field);
  if (expected.empty()) return;
  ASSERT_EQ(a.size(), expected.size());
  ASSERT_EQ(a.size(), divisors.size());

  // As reported, and repeated up to the length at which the bug showed.
  size_t count = a.size();
  if (entry["inputs"].HasMember("repeat_to_count")) count = entry["inputs"]["repeat_to_count"].GetUint64();
  std::vector<T> long_a(count);
  std::vector<T> long_b(count);
  std::vector<T> long_expected(count);
  for (size_t i = 0; i < count; ++i) {
    long_a[i] = a[i % a.size()];
    long_b[i] = divisors[i % a.size()];
    long_expected[i] = expected[i % a.size()];
  }
  std::vector<T> out(count);
  for (const Target target : SupportedTargets()) {
    ASSERT_NO_FATAL_FAILURE(
        RunOwnRow(op, Form::kVectorVector, target, long_a.data(), long_b.data(), out.data(), count));
    ASSERT_TRUE(SameBits(op, Form::kVectorVector, target, long_a.data(), long_b.data(), long_expected.data(),
                         out.data(), count));
  }
  for (size_t i = 0; i < a.size(); ++i) {
    ASSERT_NO_FATAL_FAILURE(CheckAtPlaces(op, a[i], divisors[i], expected[i]));
    ++*checked;
  }
}

void CheckEntry(const rapidjson::Value& entry, size_t* checked) {
  const std::string type_name = entry["dtype"].GetString();
  for (const DataType type : kAllDataTypes) {
    if (type_name != DirectMlName(type)) continue;
    VisitType(type, [&]<class T>(T) {
      ASSERT_NO_FATAL_FAILURE(CheckNumbers<T>(OperatorId::kModulusFloor, entry, "floor", checked));
      ASSERT_NO_FATAL_FAILURE(CheckNumbers<T>(OperatorId::kModulusTruncate, entry, "trunc", checked));
    });
  }
}

TEST(MuseumTest, EveryEntry) {
  const rapidjson::Document museum = LoadMuseum();
  ASSERT_TRUE(museum.IsObject());
  size_t entries = 0;
  size_t rules = 0;
  size_t numbers = 0;
  for (const auto& entry : museum["entries"].GetArray()) {
    const std::string id = entry["id"].GetString();
    SCOPED_TRACE(id + ": " + entry["source"].GetString());
    size_t checked = 0;
    ASSERT_NO_FATAL_FAILURE(CheckEntry(entry, &checked));
    if (checked == 0) {
      EXPECT_TRUE(RuleTests().contains(id)) << "an entry without numbers needs a line in rules.inc";
      ++rules;
    }
    numbers += checked;
    ++entries;
  }
  EXPECT_GE(entries, 140u);
  EXPECT_EQ(rules, RuleTests().size());
  RecordProperty("entries", static_cast<int>(entries));
  RecordProperty("numbers", static_cast<int>(numbers));
}

}  // namespace
}  // namespace residue::testing
