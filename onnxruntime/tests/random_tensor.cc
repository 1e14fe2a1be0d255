#include "random_tensor.h"

#include <cmath>
#include <cstring>

#include "core/half.h"

namespace residue::ort::testing {
namespace {

bool IsNan(ElementType type, const char* element) {
  if (type == ElementType::kFloat16) {
    uint16_t bits;
    std::memcpy(&bits, element, sizeof(bits));
    return (bits & 0x7FFF) > 0x7C00;
  }
  if (type == ElementType::kFloat) {
    float value;
    std::memcpy(&value, element, sizeof(value));
    return std::isnan(value);
  }
  double value;
  std::memcpy(&value, element, sizeof(value));
  return type == ElementType::kDouble && std::isnan(value);
}

}  // namespace

std::string RandomBytes(ElementType type, size_t count, std::mt19937_64& random) {
  std::string bytes;
  const auto add = [&](auto value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof(value)); };
  std::uniform_real_distribution<double> number(-3, 3);
  for (size_t i = 0; i < count; ++i) {
    switch (type) {
      case ElementType::kFloat:
        add(static_cast<float>(number(random)));
        break;
      case ElementType::kDouble:
        add(number(random));
        break;
      case ElementType::kFloat16:
        add(DoubleToHalf(number(random)).bits);
        break;
      case ElementType::kBool:
        add(static_cast<uint8_t>(random() & 1));
        break;
      default: {
        const uint64_t bits = (random() % 100) + 1;
        bytes.append(reinterpret_cast<const char*>(&bits), SizeOf(type));
      }
    }
  }
  return bytes;
}

Tensor RandomTensor(ElementType type, const std::vector<int64_t>& shape, std::mt19937_64& random) {
  size_t count = 1;
  for (const int64_t size : shape) count *= static_cast<size_t>(size);
  return {type, shape, RandomBytes(type, count, random)};
}

std::string Difference(const Tensor& a, const Tensor& b) {
  if (a.type != b.type || a.shape != b.shape || a.bytes.size() != b.bytes.size())
    return "another type or shape";
  const size_t size = SizeOf(a.type);
  for (size_t i = 0; i < a.bytes.size(); i += size) {
    const char* x = a.bytes.data() + i;
    const char* y = b.bytes.data() + i;
    if (std::memcmp(x, y, size) == 0) continue;
    if (size != 1 && IsNan(a.type, x) && IsNan(b.type, y)) continue;
    return "element " + std::to_string(i / size);
  }
  return "";
}

}  // namespace residue::ort::testing
