#include "json.h"

#include <rapidjson/encodedstream.h>
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <set>

#include "failure.h"

namespace residue::tool {
namespace {

const char* KindOf(const rapidjson::Value& value) {
  switch (value.GetType()) {
    case rapidjson::kNullType:
      return "null";
    case rapidjson::kFalseType:
    case rapidjson::kTrueType:
      return "a boolean";
    case rapidjson::kObjectType:
      return "an object";
    case rapidjson::kArrayType:
      return "an array";
    case rapidjson::kStringType:
      return "a string";
    case rapidjson::kNumberType:
      return "a number";
  }
  return "nothing";
}

std::string ToText(const rapidjson::Value& value) {
  if (value.IsInt64()) return std::to_string(value.GetInt64());
  if (value.IsUint64()) return std::to_string(value.GetUint64());
  if (value.IsNumber()) return fmt::format("{}", value.GetDouble());
  return KindOf(value);
}

// Hands a reader's events to a document, but reads numbers itself: RapidJSON 1.1 rounds them either
// carelessly or, with full precision, by undefined operations on some spellings of zero.
class ExactNumbers {
 public:
  explicit ExactNumbers(rapidjson::Document* values) : values_(values) {}

  bool RawNumber(const char* text, rapidjson::SizeType length, bool) {
    const std::string digits(text, length);
    const char* end = digits.data() + digits.size();
    int64_t integer = 0;
    if (const auto read = std::from_chars(digits.data(), end, integer);
        read.ec == std::errc() && read.ptr == end) {
      // The sign of a zero counts, and integers have none.
      return integer == 0 && digits.starts_with('-') ? values_->Double(-0.0) : values_->Int64(integer);
    }
    uint64_t natural = 0;
    if (const auto read = std::from_chars(digits.data(), end, natural);
        read.ec == std::errc() && read.ptr == end)
      return values_->Uint64(natural);
    return values_->Double(std::strtod(digits.c_str(), nullptr));
  }
  bool Null() { return values_->Null(); }
  bool Bool(bool value) { return values_->Bool(value); }
  bool Int(int value) { return values_->Int(value); }
  bool Uint(unsigned value) { return values_->Uint(value); }
  bool Int64(int64_t value) { return values_->Int64(value); }
  bool Uint64(uint64_t value) { return values_->Uint64(value); }
  bool Double(double value) { return values_->Double(value); }
  bool String(const char* text, rapidjson::SizeType length, bool copy) {
    return values_->String(text, length, copy);
  }
  bool StartObject() { return Enter() && values_->StartObject(); }
  bool Key(const char* text, rapidjson::SizeType length, bool copy) {
    return values_->Key(text, length, copy);
  }
  bool EndObject(rapidjson::SizeType count) {
    --depth_;
    return values_->EndObject(count);
  }
  bool StartArray() { return Enter() && values_->StartArray(); }
  bool EndArray(rapidjson::SizeType count) {
    --depth_;
    return values_->EndArray(count);
  }

 private:
  // What is read is later written by functions that call themselves. Models need seven levels.
  bool Enter() { return ++depth_ <= kMostDepth; }

  static constexpr int kMostDepth = 100;
  rapidjson::Document* values_;
  int depth_ = 0;
};

}  // namespace

void Json::Refuse(const std::string& why) const { Fail("{}: {}", place_, why); }

std::optional<Json> Json::Find(const char* name) const {
  if (!IsObject()) Refuse(fmt::format("must be an object, but is {}", KindOf(*value_)));
  const auto member = value_->FindMember(name);
  if (member == value_->MemberEnd()) return std::nullopt;
  return Json(member->value, place_ + "." + name);
}

Json Json::At(const char* name) const {
  const std::optional<Json> member = Find(name);
  if (!member) Refuse(fmt::format("the field '{}' is missing", name));
  return *member;
}

std::vector<std::pair<std::string, Json>> Json::Members() const {
  if (!IsObject()) Refuse(fmt::format("must be an object, but is {}", KindOf(*value_)));
  std::vector<std::pair<std::string, Json>> members;
  std::set<std::string> names;
  for (const auto& member : value_->GetObject()) {
    std::string name(member.name.GetString(), member.name.GetStringLength());
    // Names are printed.
    if (OneLine(name) != name) Refuse(fmt::format("the name '{}' has control characters", name));
    if (!names.insert(name).second) Refuse(fmt::format("the name '{}' is there twice", name));
    members.emplace_back(name, Json(member.value, place_ + "." + name));
  }
  return members;
}

std::vector<Json> Json::Elements() const {
  if (!IsArray()) Refuse(fmt::format("must be an array, but is {}", KindOf(*value_)));
  std::vector<Json> elements;
  for (const auto& element : value_->GetArray())
    elements.emplace_back(element, fmt::format("{}[{}]", place_, elements.size()));
  return elements;
}

Json Json::Element(uint32_t index) const { return {(*value_)[index], fmt::format("{}[{}]", place_, index)}; }

std::string Json::AsString() const {
  if (!IsString()) Refuse(fmt::format("must be a string, but is {}", KindOf(*value_)));
  return {value_->GetString(), value_->GetStringLength()};
}

bool Json::AsBool() const {
  if (!value_->IsBool()) Refuse(fmt::format("must be true or false, but is {}", KindOf(*value_)));
  return value_->GetBool();
}

uint32_t Json::AsUint32() const {
  if (!value_->IsUint())
    Refuse(fmt::format("must be an integer from 0 to 4294967295, but is {}", ToText(*value_)));
  return value_->GetUint();
}

uint64_t Json::AsUint64() const {
  if (!value_->IsUint64())
    Refuse(fmt::format("must be an integer from 0 to 2^64 - 1, but is {}", ToText(*value_)));
  return value_->GetUint64();
}

std::vector<uint32_t> Json::AsUint32Array() const {
  std::vector<uint32_t> numbers;
  for (const Json& element : Elements()) numbers.push_back(element.AsUint32());
  return numbers;
}

rapidjson::Document ParseJson(std::string_view text, const std::string& name) {
  // Iterative: deep nesting must not overflow the stack.
  constexpr unsigned kFlags = rapidjson::kParseCommentsFlag | rapidjson::kParseTrailingCommasFlag |
                              rapidjson::kParseNumbersAsStringsFlag | rapidjson::kParseIterativeFlag |
                              rapidjson::kParseValidateEncodingFlag;
  rapidjson::MemoryStream bytes(text.data(), text.size());
  rapidjson::EncodedInputStream<rapidjson::UTF8<>, rapidjson::MemoryStream> stream(bytes);
  rapidjson::ParseResult result;
  rapidjson::Document document;
  auto read = [&](rapidjson::Document& values) {
    ExactNumbers handler(&values);
    rapidjson::Reader reader;
    result = reader.Parse<kFlags>(stream, handler);
    return !result.IsError();
  };
  document.Populate(read);
  if (result.IsError()) {
    const std::string_view before = text.substr(0, result.Offset());
    const auto line = std::ranges::count(before, '\n') + 1;
    const size_t line_start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    Fail("{}:{}:{}: {}", name, line, before.size() - line_start + 1,
         result.Code() == rapidjson::kParseErrorTermination ? "The nesting is too deep."
                                                            : rapidjson::GetParseError_En(result.Code()));
  }
  return document;
}

}  // namespace residue::tool
