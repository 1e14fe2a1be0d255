// Reading JSON that anybody may have written: every value knows its place, and every error names it.
#pragma once

#include <rapidjson/document.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace residue::tool {

class Json {
 public:
  Json(const rapidjson::Value& value, std::string place) : value_(&value), place_(std::move(place)) {}

  const std::string& place() const { return place_; }
  const rapidjson::Value& raw() const { return *value_; }

  bool IsObject() const { return value_->IsObject(); }
  bool IsArray() const { return value_->IsArray(); }
  bool IsString() const { return value_->IsString(); }

  // A member of an object; the second fails if it is not there.
  std::optional<Json> Find(const char* name) const;
  Json At(const char* name) const;

  // Fails unless it is an object, or has a name twice.
  std::vector<std::pair<std::string, Json>> Members() const;
  std::vector<Json> Elements() const;
  Json Element(uint32_t index) const;  // of an array that has it

  std::string AsString() const;
  bool AsBool() const;
  uint32_t AsUint32() const;
  uint64_t AsUint64() const;
  std::vector<uint32_t> AsUint32Array() const;

  // Fails with this value's place in front.
  [[noreturn]] void Refuse(const std::string& why) const;

 private:
  const rapidjson::Value* value_;
  std::string place_;
};

// Comments and trailing commas are fine. Errors say `name`, line and column.
rapidjson::Document ParseJson(std::string_view text, const std::string& name);

}  // namespace residue::tool
