// Models of one modulus, and the element types to try them with.
#pragma once

#include "host.h"
#include "residue/residue.h"

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

template <class T>
inline constexpr ElementType kElementTypeOf = ElementType::kUndefined;
template <>
inline constexpr ElementType kElementTypeOf<float> = ElementType::kFloat;
template <>
inline constexpr ElementType kElementTypeOf<double> = ElementType::kDouble;
template <>
inline constexpr ElementType kElementTypeOf<int8_t> = ElementType::kInt8;
template <>
inline constexpr ElementType kElementTypeOf<int16_t> = ElementType::kInt16;
template <>
inline constexpr ElementType kElementTypeOf<int32_t> = ElementType::kInt32;
template <>
inline constexpr ElementType kElementTypeOf<int64_t> = ElementType::kInt64;
template <>
inline constexpr ElementType kElementTypeOf<uint8_t> = ElementType::kUint8;
template <>
inline constexpr ElementType kElementTypeOf<uint16_t> = ElementType::kUint16;
template <>
inline constexpr ElementType kElementTypeOf<uint32_t> = ElementType::kUint32;
template <>
inline constexpr ElementType kElementTypeOf<uint64_t> = ElementType::kUint64;

// y = Mod(a, b) with dimensions that are not known when the session is made.
inline Model ModModel(ElementType type, int64_t fmod, size_t a_rank = 1, size_t b_rank = 1,
                      int64_t opset = 13) {
  const auto open = [](const std::string& name, size_t rank) {
    std::vector<std::string> dimensions;
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
