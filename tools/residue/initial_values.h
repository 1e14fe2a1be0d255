// The bytes a resource begins with: a list, one value many times, a sequence, or a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "core/data_type.h"
#include "json.h"

namespace residue::tool {

// Where files are looked for, and how much a model may ask for.
struct ModelLimits {
  std::filesystem::path input_folder;
  std::filesystem::path output_folder;
  uint64_t most_bytes = 0;  // of all resources together
};

struct InitialValues {
  std::optional<DataType> type;
  std::vector<std::byte> bytes;
};

// `type` is what the model says, if it does; files may know better. Takes what it needs from
// limits->most_bytes.
InitialValues ReadInitialValues(const Json& values, std::optional<DataType> type, ModelLimits* limits);

// A model's type field, by DirectML's name in full or without its prefix.
DataType ReadType(const Json& value);

// One number as an element of the type, in the first bytes.
uint64_t ReadElementBits(const Json& value, DataType type);

// Takes bytes from what a model may have.
void Charge(const Json& place, uint64_t bytes, ModelLimits* limits);

}  // namespace residue::tool
