#include "tensor_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>

#include "console.h"
#include "failure.h"
#include "npy.h"
#include "number.h"
#include "text.h"

namespace residue::tool {
namespace {

bool IsNpy(const std::string& path) {
  return Lower(std::filesystem::path(path).extension().string()) == ".npy";
}

constexpr size_t kPieceBytes = size_t{1} << 20;

// Some elements as text, from index `from` on; returns the index behind the last.
size_t AppendText(const Tensor& tensor, size_t from, size_t count, std::string* text) {
  const size_t width = tensor.shape.size() < 2 ? 1 : tensor.shape.back();
  size_t i = from;
  VisitType(tensor.type, [&]<class T>(T) {
    for (; i < count && text->size() < kPieceBytes; ++i) {
      T value;
      std::memcpy(&value, static_cast<const char*>(tensor.data()) + i * sizeof(T), sizeof(T));
      *text += ValueText(value);
      *text += (i + 1) % width == 0 ? '\n' : ' ';
    }
  });
  return i;
}

// In pieces, so that Ctrl-C is heard; false after it.
bool WriteAll(const Tensor& tensor, bool as_npy, std::ostream* stream) {
  const size_t bytes = tensor.storage.size() - tensor.begin;
  if (as_npy) {
    *stream << NpyHeader(tensor.type, tensor.shape);
    for (size_t at = 0; at < bytes && *stream; at += kPieceBytes) {
      if (IsInterrupted()) return false;
      stream->write(static_cast<const char*>(tensor.data()) + at,
                    static_cast<std::streamsize>(std::min(kPieceBytes, bytes - at)));
    }
    return true;
  }
  const size_t count = bytes / SizeOf(tensor.type);
  std::string text;
  for (size_t i = 0; i < count && *stream;) {
    if (IsInterrupted()) return false;
    text.clear();
    i = AppendText(tensor, i, count, &text);
    *stream << text;
  }
  return true;
}

}  // namespace

Tensor ReadTensor(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) Fail("{}: there is no such file", path);
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const std::streamoff size = file.tellg();
  Tensor tensor;
  tensor.storage.resize(static_cast<size_t>(std::max<std::streamoff>(size, 0)));
  file.seekg(0);
  if (!file.read(tensor.storage.data(), size)) Fail("{}: the file cannot be read", path);
  const NpyArray array = ReadNpy(tensor.storage, path);
  tensor.type = array.type;
  tensor.shape = array.shape;
  tensor.begin = static_cast<size_t>(array.bytes.data() - tensor.storage.data());
  return tensor;
}

std::vector<std::string_view> ReadColumns(std::string_view text, size_t columns, std::string_view name) {
  constexpr std::string_view kBlanks = " \t\r,;";
  std::vector<std::string_view> fields;
  for (uint64_t number = 1; !text.empty(); ++number) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const size_t before = fields.size();
    while (true) {
      line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
      if (line.empty() || (line.starts_with('#') && fields.size() == before)) break;
      fields.push_back(line.substr(0, line.find_first_of(kBlanks)));
      line.remove_prefix(fields.back().size());
    }
    const size_t found = fields.size() - before;
    if (found != 0 && found != columns)
      Fail("{}:{}: there are {} columns, but {} are read", name, number, found, columns);
  }
  return fields;
}

void WriteTensor(const Tensor& tensor, const std::string& path) {
  if (path.empty()) {
    WriteAll(tensor, false, &std::cout);
    std::cout.flush();
    if (!std::cout) Fail("standard output cannot be written");
    return;
  }
  // Devices and pipes are written to as they are; a file is replaced when the new one is whole.
  std::error_code error;
  const bool is_special =
      std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error);
  const std::string partial = is_special ? path : fmt::format("{}.{}.partial", path, getpid());
  std::ofstream file(partial, std::ios::binary);
  const bool is_whole = WriteAll(tensor, IsNpy(path), &file);
  file.close();
  if (is_whole && file && !is_special) std::filesystem::rename(partial, path, error);
  const bool is_written = file && !error;
  if (!is_special && (!is_whole || !is_written)) {
    std::error_code ignored;
    std::filesystem::remove(partial, ignored);
  }
  if (!is_written) Fail("'{}' cannot be written", path);
}

}  // namespace residue::tool
