#include "tensor_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include "console.h"
#include "failure.h"
#include "npy.h"
#include "number.h"
#include "replace_file.h"
#include "text.h"

namespace residue::tool {
namespace {

namespace files = std::filesystem;

bool IsNpy(const std::string& path) { return Lower(files::path(path).extension().string()) == ".npy"; }

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

bool Put(std::string_view bytes, std::FILE* file) {
  return std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
}

// In pieces, so that Ctrl-C is heard. Ends early after it, or if something cannot be written.
void WriteAll(const Tensor& tensor, bool as_npy, std::FILE* file) {
  const std::string_view bytes = std::string_view(tensor.storage).substr(tensor.begin);
  if (as_npy) {
    bool is_fine = Put(NpyHeader(tensor.type, tensor.shape), file);
    for (size_t at = 0; at < bytes.size() && is_fine && !IsInterrupted(); at += kPieceBytes)
      is_fine = Put(bytes.substr(at, kPieceBytes), file);
    return;
  }
  const size_t count = bytes.size() / SizeOf(tensor.type);
  std::string text;
  bool is_fine = true;
  for (size_t i = 0; i < count && is_fine && !IsInterrupted();) {
    text.clear();
    i = AppendText(tensor, i, count, &text);
    is_fine = Put(text, file);
  }
}

// The number of fields of one line, which are added to the others.
size_t ReadLine(std::string_view line, uint64_t number, std::string_view name, std::vector<Field>* fields) {
  constexpr std::string_view kBlanks = " \t\r";
  constexpr std::string_view kEnds = " \t\r,;";
  const auto skip_blanks = [&] {
    line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
  };
  const size_t before = fields->size();
  skip_blanks();
  if (line.empty() || line.starts_with('#')) return 0;
  while (true) {
    const size_t end = std::min(line.find_first_of(kEnds), line.size());
    if (end == 0) Fail("{}:{}: column {} is empty", name, number, fields->size() - before + 1);
    fields->push_back({line.substr(0, end), number});
    line.remove_prefix(end);
    skip_blanks();
    if (line.empty()) return fields->size() - before;
    if (line.starts_with(',') || line.starts_with(';')) {
      line.remove_prefix(1);
      skip_blanks();
    }
  }
}

}  // namespace

Tensor ReadTensor(const std::string& path) {
  std::error_code error;
  if (!files::exists(path, error)) Fail("{}: there is no such file", path);
  if (!files::is_regular_file(path, error)) Fail("{}: this is not a plain file", path);
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

std::vector<Field> ReadColumns(std::string_view text, size_t columns, std::string_view name) {
  if (text.starts_with("\x93NUMPY")) Fail("{} is a .npy file; give its name instead of -", name);
  std::vector<Field> fields;
  for (uint64_t number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const size_t found = ReadLine(line, number, name, &fields);
    if (found != 0 && found != columns) {
      Fail("{}:{}: the number of columns is {}, but {} {} read", name, number, found, columns,
           columns == 1 ? "is" : "are");
    }
  }
  return fields;
}

bool WriteTensor(const Tensor& tensor, const std::string& name) {
  if (name.empty()) {
    WriteAll(tensor, false, stdout);
    if ((std::fflush(stdout) != 0 || std::ferror(stdout) != 0) && !IsInterrupted())
      Fail("standard output cannot be written");
    return !IsInterrupted();
  }
  return ReplaceFile(name, [&](std::FILE* file) { WriteAll(tensor, IsNpy(name), file); });
}

}  // namespace residue::tool
