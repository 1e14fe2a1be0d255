// The museum: real modulus bugs of other runtimes and our own, each with the right answer. Every entry with
// numbers runs on every target, in every form and alias mode, its pairs at every index of body and tail.
// Entries that state a rule instead are listed with the test that holds the rule.
#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <rapidjson/filereadstream.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "support/kernel_run.h"
#include "support/placement.h"

namespace residue::testing {
namespace {

// Rules that are not about numbers, and where each is tested.
const std::map<std::string, std::string>& RuleTests() {
  static const std::map<std::string, std::string> tests = {
#include "museum/rules.inc"
  };
  return tests;
}

rapidjson::Document LoadMuseum() {
  rapidjson::Document museum;
  std::FILE* file = std::fopen(RESIDUE_TEST_DATA "/bug-museum.json", "r");
  if (file == nullptr) return museum;
  char buffer[65536];
  rapidjson::FileReadStream stream(file, buffer, sizeof(buffer));
  museum.ParseStream(stream);
  std::fclose(file);
  return museum;
}

template <class T>
T ParseElement(const std::string& text) {
  if constexpr (std::is_same_v<T, Float16>) {
    return DoubleToHalf(std::strtod(text.c_str(), nullptr));
  } else if constexpr (std::is_same_v<T, float>) {
    return std::strtof(text.c_str(), nullptr);
  } else if constexpr (std::is_same_v<T, double>) {
    return std::strtod(text.c_str(), nullptr);
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<T>(std::strtoll(text.c_str(), nullptr, 10));
  } else {
    return static_cast<T>(std::strtoull(text.c_str(), nullptr, 10));
  }
}

// The numbers of a field, from its bit patterns where the entry gives them.
template <class T>
std::vector<T> ReadNumbers(const rapidjson::Value& object, const std::string& field) {
  std::vector<T> numbers;
  const std::string bits_field = field + "_bits";
  if (object.HasMember(bits_field.c_str())) {
    for (const auto& item : object[bits_field.c_str()].GetArray()) {
      numbers.push_back(FromBits<T>(std::strtoull(item.GetString(), nullptr, 16)));
    }
  } else if (object.HasMember(field.c_str())) {
    for (const auto& item : object[field.c_str()].GetArray())
      numbers.push_back(ParseElement<T>(item.GetString()));
  }
  return numbers;
}

// "NaN equals NaN regardless of payload": our results are canonical, so the expectation is made so too.
template <class T>
T Canonical(T value) {
  if constexpr (!std::integral<T>) {
    using F = reference::FloatBits<T>;
    if (F::MagnitudeBits(value) > F::kInfinity) return FromBits<T>(F::kNan);
  }
  return value;
}

template <class T>
void CheckNumbers(OperatorId op, const rapidjson::Value& entry, const char* result_field, size_t* checked) {
  const auto a = ReadNumbers<T>(entry["inputs"], "a");
  const auto b = ReadNumbers<T>(entry["inputs"], "b");
  auto expected = ReadNumbers<T>(entry["right"], result_field);
  if (expected.empty()) return;
  ASSERT_EQ(a.size(), expected.size());
  ASSERT_TRUE(b.size() == a.size() || b.size() == 1);
  std::vector<T> divisors(a.size());
  for (size_t i = 0; i < a.size(); ++i) divisors[i] = b[b.size() == 1 ? 0 : i];
  for (T& value : expected) value = Canonical(value);

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
        RunKernel(op, Form::kVectorVector, target, long_a.data(), long_b.data(), out.data(), count));
    ASSERT_TRUE(SameBits(op, Form::kVectorVector, target, long_a.data(), long_b.data(), long_expected.data(),
                         out.data(), count));
  }
  for (size_t i = 0; i < a.size(); ++i) {
    ASSERT_NO_FATAL_FAILURE(CheckAtEveryPlace(op, a[i], divisors[i], expected[i]));
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
