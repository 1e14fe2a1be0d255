// NumPy's .npy files, version 1 to 3: one array of numbers, in C order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/data_type.h"

namespace residue::tool {

struct NpyArray {
  DataType type;
  std::vector<uint64_t> shape;
  std::string_view bytes;  // of the file's text
};

// What a packed tensor of this shape takes; nothing if 64 bits do not hold it.
std::optional<uint64_t> BytesOf(DataType type, std::span<const uint64_t> shape);

// Fails with `name` in front.
NpyArray ReadNpy(std::string_view file, const std::string& name);

// The header; the elements follow it.
std::string NpyHeader(DataType type, std::span<const uint64_t> shape);

}  // namespace residue::tool
