// Models of one modulus, and the element types to try them with.
#pragma once

#include <bit>
#include <type_traits>

#include "residue/residue.h"
#include "session.h"

namespace residue::ort::testing {

struct TypeCase {
  ElementType onnx;
  residue_type type;
  const char* name;
};
inline constexpr TypeCase kTypeCases[] = {
    {ElementType::kFloat, RESIDUE_FLOAT32, "float32"},  {ElementType::kFloat16, RESIDUE_FLOAT16, "float16"},
    {ElementType::kDouble, RESIDUE_FLOAT64, "float64"}, {ElementType::kInt8, RESIDUE_INT8, "int8"},
    {ElementType::kInt16, RESIDUE_INT16, "int16"},      {ElementType::kInt32, RESIDUE_INT32, "int32"},
    {ElementType::kInt64, RESIDUE_INT64, "int64"},      {ElementType::kUint8, RESIDUE_UINT8, "uint8"},
    {ElementType::kUint16, RESIDUE_UINT16, "uint16"},   {ElementType::kUint32, RESIDUE_UINT32, "uint32"},
    {ElementType::kUint64, RESIDUE_UINT64, "uint64"},
};

// ONNX's type of a C++ number.
template <class T>
inline constexpr ElementType kElementTypeOf = [] {
  using enum ElementType;
  constexpr ElementType kSigned[] = {kInt8, kInt16, kInt32, kInt64};
  constexpr ElementType kUnsigned[] = {kUint8, kUint16, kUint32, kUint64};
  constexpr int kLog2OfSize = std::countr_zero(sizeof(T));
  if (std::is_floating_point_v<T>) return sizeof(T) == sizeof(float) ? kFloat : kDouble;
  return std::is_signed_v<T> ? kSigned[kLog2OfSize] : kUnsigned[kLog2OfSize];
}();

// y = Mod(a, b) with dimensions that are not known when the session is made.
inline Model ModModel(ElementType type, int64_t fmod, size_t a_rank = 1, size_t b_rank = 1,
                      int64_t opset = 13) {
  const auto open = [](const std::string& name, size_t rank) {
    Dimensions dimensions;
    for (size_t i = 0; i < rank; ++i) dimensions.push_back(name + std::to_string(i));
    return dimensions;
  };
  Model model;
  model.opset = opset;
  model.nodes = {{"Mod", {"a", "b"}, {"y"}, "", {{"fmod", fmod}}}};
  model.inputs = {{"a", type, open("a_", a_rank)}, {"b", type, open("b_", b_rank)}};
  model.outputs = {{"y", type, open("y_", std::max(a_rank, b_rank))}};
  return model;
}

// y = Mod of two constants, which ONNX Runtime may compute while it loads the model.
template <class T>
Model ConstantModel(T a, T b) {
  const auto constant = [](const char* name, T value) {
    const char* bytes = reinterpret_cast<const char*>(&value);
    return Initializer{name, kElementTypeOf<T>, {1}, std::string(bytes, sizeof(value))};
  };
  Model model;
  model.nodes = {{"Mod", {"a", "b"}, {"y"}, "", {}}};
  model.initializers = {constant("a", a), constant("b", b)};
  model.outputs = {TensorSpec::Of("y", kElementTypeOf<T>, {1})};
  return model;
}

// The result of one Mod on vectors.
template <class T>
std::vector<T> Mod(const std::vector<T>& a, const std::vector<T>& b, int64_t fmod, Use use,
                   int64_t opset = 13) {
  constexpr ElementType kType = kElementTypeOf<T>;
  const Session session(ModModel(kType, fmod, 1, 1, opset), {use, 1});
  const auto tensor = [](const std::vector<T>& values) {
    return Tensor::Of(kType, {static_cast<int64_t>(values.size())}, values);
  };
  return session.Run({tensor(a), tensor(b)})[0].template Values<T>();
}

}  // namespace residue::ort::testing
