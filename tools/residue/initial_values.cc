#include "initial_values.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>

#include "core/checked_math.h"
#include "failure.h"
#include "model_path.h"
#include "npy.h"
#include "number.h"
#include "text.h"

namespace residue::tool {
namespace {

double ReadDouble(const Json& value) {
  if (value.raw().IsNumber()) return value.raw().GetDouble();
  const std::string text = value.IsString() ? Lower(value.AsString()) : "";
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (text == "inf") return std::numeric_limits<double>::infinity();
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  value.Refuse("must be a number, \"nan\", \"inf\" or \"-inf\"");
}

template <class T>
T ReadElement(const Json& value) {
  if constexpr (std::is_same_v<T, Float16>) {
    return DoubleToHalf(ReadDouble(value));
  } else if constexpr (std::floating_point<T>) {
    return static_cast<T>(ReadDouble(value));
  } else {
    const auto& raw = value.raw();
    if (raw.IsInt64() && std::in_range<T>(raw.GetInt64())) return static_cast<T>(raw.GetInt64());
    if (raw.IsUint64() && std::in_range<T>(raw.GetUint64())) return static_cast<T>(raw.GetUint64());
    if (raw.IsDouble() && raw.GetDouble() == 0) return 0;  // as -0 is read
    value.Refuse(fmt::format("must be an integer from {} to {}", std::numeric_limits<T>::min(),
                             std::numeric_limits<T>::max()));
  }
}

// Integers wrap, as everywhere.
template <class T>
T Sum(T x, T y) {
  if constexpr (std::is_same_v<T, Float16>) {
    return DoubleToHalf(static_cast<double>(HalfToFloat(x)) + static_cast<double>(HalfToFloat(y)));
  } else if constexpr (std::floating_point<T>) {
    return x + y;
  } else {
    return static_cast<T>(static_cast<uint64_t>(x) + static_cast<uint64_t>(y));
  }
}

template <class T>
void Append(T value, std::vector<std::byte>* bytes) {
  const auto* begin = reinterpret_cast<const std::byte*>(&value);
  bytes->insert(bytes->end(), begin, begin + sizeof(T));
}

std::vector<std::byte> ReadList(const Json& values, DataType type, ModelLimits* limits) {
  Charge(values, values.raw().Size() * SizeOf(type), limits);
  std::vector<std::byte> bytes;
  bytes.reserve(values.raw().Size() * SizeOf(type));
  VisitType(type, [&]<class T>(T) {
    for (uint32_t i = 0; i < values.raw().Size(); ++i) Append(ReadElement<T>(values.Element(i)), &bytes);
  });
  return bytes;
}

// [{"type": "UINT32", "value": 42}, ...]
std::vector<std::byte> ReadMixedList(const Json& values, ModelLimits* limits) {
  std::vector<std::byte> bytes;
  for (const Json& element : values.Elements()) {
    const DataType type = ReadType(element.At("type"));
    Charge(element, SizeOf(type), limits);
    VisitType(type, [&]<class T>(T) { Append(ReadElement<T>(element.At("value")), &bytes); });
  }
  return bytes;
}

std::vector<std::byte> ReadSequence(const Json& values, DataType type, ModelLimits* limits) {
  const bool is_constant = values.Find("value").has_value();
  const uint32_t count = values.At("valueCount").AsUint32();
  Charge(values, uint64_t{count} * SizeOf(type), limits);
  std::vector<std::byte> bytes(uint64_t{count} * SizeOf(type));
  VisitType(type, [&]<class T>(T) {
    T value = ReadElement<T>(values.At(is_constant ? "value" : "valueStart"));
    const T delta = is_constant ? T{} : ReadElement<T>(values.At("valueDelta"));
    for (uint32_t i = 0; i < count; ++i) {
      std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
      if (!is_constant) value = Sum(value, delta);
    }
  });
  return bytes;
}

std::string ReadFile(const Json& place, const std::filesystem::path& path, ModelLimits* limits) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    place.Refuse(fmt::format("there is no file '{}'", path.string()));
  const uint64_t size = std::filesystem::file_size(path, error);
  if (error) place.Refuse(fmt::format("the file '{}' cannot be read", path.string()));
  Charge(place, size, limits);
  std::string text(size, '\0');
  std::ifstream file(path, std::ios::binary);
  if (!file.read(text.data(), static_cast<std::streamsize>(size)))
    place.Refuse(fmt::format("the file '{}' cannot be read", path.string()));
  return text;
}

InitialValues ReadFromFile(const Json& values, std::optional<DataType> type, ModelLimits* limits) {
  const Json place = values.At("sourcePath");
  const std::filesystem::path path = PathInside({limits->input_folder, ""}, place, "--input_path");
  const std::string extension = Lower(path.extension().string());
  if (extension == ".png" || extension == ".jpg")
    place.Refuse("images are not supported; use .npy or raw numbers");
  const std::string text = ReadFile(place, path, limits);
  std::string_view elements = text;
  if (extension == ".npy") {
    const NpyArray array = ReadNpy(text, path.string());
    if (type && *type != array.type) {
      place.Refuse(fmt::format("the file has {}, but initialValuesDataType is {}", TypeText(array.type),
                               TypeText(*type)));
    }
    type = array.type;
    elements = array.bytes;
  }
  if (!type) place.Refuse("a file of raw numbers needs initialValuesDataType beside initialValues");
  if (elements.size() % SizeOf(*type) != 0) {
    place.Refuse(fmt::format("the file has {} bytes, which is no multiple of the {} of {}", elements.size(),
                             SizeOf(*type), TypeText(*type)));
  }
  const auto* begin = reinterpret_cast<const std::byte*>(elements.data());
  return {type, {begin, begin + elements.size()}};
}

}  // namespace

void Charge(const Json& place, uint64_t bytes, ModelLimits* limits) {
  if (bytes > limits->most_bytes) {
    place.Refuse(fmt::format("needs {} bytes, but only {} are left for this model on this machine", bytes,
                             limits->most_bytes));
  }
  limits->most_bytes -= bytes;
}

uint64_t ReadElementBits(const Json& value, DataType type) {
  return VisitType(type, [&]<class T>(T) {
    const T element = ReadElement<T>(value);
    uint64_t bits = 0;
    std::memcpy(&bits, &element, sizeof(element));
    return bits;
  });
}

DataType ReadType(const Json& value) {
  const std::string name = value.AsString();
  const std::optional<DataType> type = ParseType(name);
  if (!type)
    value.Refuse(fmt::format(
        "the type is '{}', but must be one of FLOAT16, FLOAT32, FLOAT64, INT8 to INT64, UINT8 to UINT64",
        name));
  return *type;
}

InitialValues ReadInitialValues(const Json& values, std::optional<DataType> type, ModelLimits* limits) {
  if (values.IsArray()) {
    return {type, type ? ReadList(values, *type, limits) : ReadMixedList(values, limits)};
  }
  if (!values.IsObject()) values.Refuse("must be an array of numbers or an object");
  int kinds = 0;
  for (const char* kind : {"value", "valueStart", "sourcePath"})
    kinds += values.Find(kind).has_value() ? 1 : 0;
  if (kinds != 1) values.Refuse("must have one of value, valueStart and sourcePath");
  if (values.Find("sourcePath")) return ReadFromFile(values, type, limits);
  if (!type) values.Refuse("needs initialValuesDataType beside it");
  return {type, ReadSequence(values, *type, limits)};
}

}  // namespace residue::tool
