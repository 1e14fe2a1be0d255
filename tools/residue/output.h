// JSON on standard output, the same way for every subcommand.
#pragma once

#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace residue::tool {

class JsonOutput {
 public:
  // Prints what was written.
  ~JsonOutput();

  void Begin() { writer_.StartObject(); }
  void Begin(std::string_view name);
  void BeginArray(std::string_view name);
  void End() { writer_.EndObject(); }
  void EndArray() { writer_.EndArray(); }
  void Text(std::string_view name, std::string_view value);
  void Text(std::string_view value);
  void Number(std::string_view name, double value);
  void Number(std::string_view name, uint64_t value);

 private:
  void Key(std::string_view name);

  rapidjson::StringBuffer buffer_;
  rapidjson::PrettyWriter<rapidjson::StringBuffer> writer_{buffer_};
};

}  // namespace residue::tool
