// Element types: identity, size, names, and the C++ type that holds one element.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/half.h"

namespace residue {

enum class DataType : int32_t {
#define RESIDUE_TYPE(Name, C_NAME, value, Cpp, text) k##Name = (value),
#include "core/types.def"
};

inline constexpr DataType kAllDataTypes[] = {
#define RESIDUE_TYPE(Name, C_NAME, value, Cpp, text) DataType::k##Name,
#include "core/types.def"
};

template <class T>
struct DataTypeOfElement;
#define RESIDUE_TYPE(Name, C_NAME, value, Cpp, text)     \
  template <>                                            \
  struct DataTypeOfElement<Cpp> {                        \
    static constexpr DataType kType = DataType::k##Name; \
  };
#include "core/types.def"

template <class T>
inline constexpr DataType kDataTypeOf = DataTypeOfElement<T>::kType;

// Size of one element in bytes; 0 for a number that is not a type.
constexpr size_t SizeOf(DataType type) noexcept {
  switch (type) {
#define RESIDUE_TYPE(Name, C_NAME, value, Cpp, text) \
  case DataType::k##Name:                            \
    return sizeof(Cpp);
#include "core/types.def"
  }
  return 0;
}

// Short name as in names of rows ("f32"), or nullptr for a number that is not a type.
constexpr const char* ShortName(DataType type) noexcept {
  switch (type) {
#define RESIDUE_TYPE(Name, C_NAME, value, Cpp, text) \
  case DataType::k##Name:                            \
    return text;
#include "core/types.def"
  }
  return nullptr;
}

// DirectML's name ("FLOAT32"), or nullptr for a number that is not a type.
constexpr const char* DirectMlName(DataType type) noexcept {
  switch (type) {
#define RESIDUE_TYPE(Name, C_NAME, value, Cpp, text) \
  case DataType::k##Name:                            \
    return #C_NAME;
#include "core/types.def"
  }
  return nullptr;
}

// Calls visit with a value-initialised element of the C++ type of `type`; `type` must be a valid type.
template <class Visitor>
constexpr auto VisitType(DataType type, Visitor&& visit) {
  switch (type) {
#define RESIDUE_TYPE(Name, C_NAME, value, Cpp, text) \
  case DataType::k##Name:                            \
    return visit(Cpp{});
#include "core/types.def"
  }
  return visit(uint8_t{});
}

}  // namespace residue
