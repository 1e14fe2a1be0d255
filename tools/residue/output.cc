#include "output.h"

#include <cmath>
#include <cstdio>

namespace residue::tool {

JsonOutput::~JsonOutput() { std::printf("%s\n", buffer_.GetString()); }

void JsonOutput::Key(std::string_view name) {
  writer_.Key(name.data(), static_cast<rapidjson::SizeType>(name.size()));
}

void JsonOutput::Begin(std::string_view name) {
  Key(name);
  writer_.StartObject();
}

void JsonOutput::BeginArray(std::string_view name) {
  Key(name);
  writer_.StartArray();
}

void JsonOutput::Text(std::string_view name, std::string_view value) {
  Key(name);
  Text(value);
}

void JsonOutput::Text(std::string_view value) {
  writer_.String(value.data(), static_cast<rapidjson::SizeType>(value.size()));
}

void JsonOutput::Number(std::string_view name, double value) {
  Key(name);
  // JSON has no infinity.
  if (std::isfinite(value)) {
    writer_.Double(value);
  } else {
    writer_.Null();
  }
}

void JsonOutput::Number(std::string_view name, uint64_t value) {
  Key(name);
  writer_.Uint64(value);
}

}  // namespace residue::tool
