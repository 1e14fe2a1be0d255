// gtest plumbing for tests that run once per element type.
#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "core/data_type.h"

namespace residue {

// Parameters in test names and messages.
inline void PrintTo(DataType type, std::ostream* stream) { *stream << DirectMlName(type); }

}  // namespace residue

namespace residue::testing {

using AllElementTypes = ::testing::Types<Float16, float, double, int8_t, int16_t, int32_t, int64_t, uint8_t,
                                         uint16_t, uint32_t, uint64_t>;
using FloatElementTypes = ::testing::Types<Float16, float, double>;

struct TypeNames {
  template <class T>
  static std::string GetName(int) {
    return ShortName(kDataTypeOf<T>);
  }
};

}  // namespace residue::testing
