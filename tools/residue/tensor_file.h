// A tensor and the ways it comes in and goes out: .npy files, columns of text, single numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/data_type.h"

namespace residue::tool {

struct Tensor {
  DataType type{};
  std::vector<uint64_t> shape;  // empty: one number
  std::string storage;          // holds the elements, maybe after a header
  size_t begin = 0;             // of the elements in it

  const void* data() const { return storage.data() + begin; }
};

// Fails, with the name in front, if it is no such file or has elements that Residue does not.
Tensor ReadTensor(const std::string& path);

// One field of a text, and its line.
struct Field {
  std::string_view text;
  uint64_t line;
};

// The fields of a text: one line for each element, `columns` fields in each, separated by blanks, or by a
// comma or semicolon with or without blanks. Empty lines, and lines that begin with #, are skipped. Fails if
// a line has another number of fields, or an empty one. The views are into the text.
std::vector<Field> ReadColumns(std::string_view text, size_t columns, std::string_view name);

// A .npy file if the name ends so, otherwise text: a line for each element of a vector, or for each row of
// the last dimension. An empty path is standard output. A file is replaced when the new one is whole; after
// Ctrl-C the old one stays, and the answer is false.
bool WriteTensor(const Tensor& tensor, const std::string& path);

}  // namespace residue::tool
