#include "npy.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "core/checked_math.h"
#include "failure.h"

namespace residue::tool {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

// "<f4": byte order, kind, size.
std::string Descriptor(DataType type) {
  const char* name = ShortName(type);
  return fmt::format("{}{}{}", SizeOf(type) == 1 ? '|' : '<', name[0], SizeOf(type));
}

std::optional<DataType> ParseDescriptor(std::string_view text) {
  for (const DataType type : kAllDataTypes) {
    const std::string known = Descriptor(type);
    // One byte has no order, and files of this machine may say '='.
    if (text == known || (text.size() == 3 && text.substr(1) == known.substr(1) &&
                          (text[0] == '=' || (SizeOf(type) == 1 && text[0] == '<')))) {
      return type;
    }
  }
  return std::nullopt;
}

// What follows 'key': in the header, a Python dictionary.
std::string_view ValueOf(std::string_view header, std::string_view key, const std::string& name) {
  const size_t at = header.find(key);
  if (at == std::string_view::npos) Fail("{}: the .npy header has no {}", name, key);
  std::string_view rest = header.substr(at + key.size());
  const size_t begin = rest.find_first_not_of(" :");
  return begin == std::string_view::npos ? std::string_view() : rest.substr(begin);
}

std::vector<uint64_t> ParseShape(std::string_view text, const std::string& name) {
  const size_t end = text.find(')');
  if (!text.starts_with('(') || end == std::string_view::npos) Fail("{}: the .npy shape is no tuple", name);
  text = text.substr(1, end - 1);
  std::vector<uint64_t> shape;
  while (true) {
    const size_t digits = text.find_first_not_of(" ,");
    if (digits == std::string_view::npos) return shape;
    text.remove_prefix(digits);
    uint64_t size = 0;
    const auto [next, error] = std::from_chars(text.data(), text.data() + text.size(), size);
    if (error != std::errc()) Fail("{}: the .npy shape has something that is not a size", name);
    text.remove_prefix(static_cast<size_t>(next - text.data()));
    shape.push_back(size);
  }
}

uint64_t LittleEndian(std::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

}  // namespace

std::optional<uint64_t> BytesOf(DataType type, std::span<const uint64_t> shape) {
  if (std::ranges::find(shape, uint64_t{0}) != shape.end()) return 0;  // however large the others are
  uint64_t bytes = SizeOf(type);
  for (const uint64_t size : shape) {
    if (!CheckedMultiply(bytes, size, &bytes)) return std::nullopt;
  }
  return bytes;
}

NpyArray ReadNpy(std::string_view file, const std::string& name) {
  if (!file.starts_with(kMagic) || file.size() < 10) Fail("{}: this is not a .npy file", name);
  const unsigned version = static_cast<unsigned char>(file[6]);
  const size_t length_bytes = version == 1 ? 2 : 4;
  if (version < 1 || version > 3) Fail("{}: the .npy version is {}, but 1 to 3 are known", name, version);
  const size_t begin = 8 + length_bytes;
  if (file.size() < begin) Fail("{}: the .npy header is cut off", name);
  const uint64_t length = LittleEndian(file.substr(8, length_bytes));
  if (length > file.size() - begin) Fail("{}: the .npy header is cut off", name);
  const std::string_view header = file.substr(begin, length);
  std::string_view descriptor = ValueOf(header, "'descr'", name);
  if (!descriptor.starts_with('\'') || descriptor.find('\'', 1) == std::string_view::npos)
    Fail("{}: the .npy elements are not plain numbers", name);
  descriptor = descriptor.substr(1, descriptor.find('\'', 1) - 1);
  const std::optional<DataType> type = ParseDescriptor(descriptor);
  if (!type) {
    Fail("{}: the .npy element type is '{}', but must be a little-endian number of 8 to 64 bits", name,
         descriptor);
  }
  const std::vector<uint64_t> shape = ParseShape(ValueOf(header, "'shape'", name), name);
  if (shape.size() > 1 && !ValueOf(header, "'fortran_order'", name).starts_with("False"))
    Fail("{}: the .npy array is in Fortran order; save it with numpy.ascontiguousarray", name);
  const std::optional<uint64_t> bytes = BytesOf(*type, shape);
  if (!bytes) Fail("{}: the .npy shape is too large", name);
  const std::string_view elements = file.substr(begin + length);
  if (elements.size() != *bytes)
    Fail("{}: the .npy shape needs {} bytes, but {} are there", name, *bytes, elements.size());
  return {*type, shape, elements};
}

std::string NpyHeader(DataType type, std::span<const uint64_t> shape) {
  std::string tuple;
  for (const uint64_t size : shape) tuple += fmt::format("{},", size);
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", Descriptor(type), tuple);
  // The elements begin at a multiple of 64 bytes.
  constexpr size_t kBefore = 10;
  while ((kBefore + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  const auto length = static_cast<uint16_t>(header.size());
  return std::string(kMagic) + '\x01' + '\0' + static_cast<char>(length & 0xFF) +
         static_cast<char>(length >> 8) + header;
}

}  // namespace residue::tool
