// Test data that the command carries with it; generated from tests/data by cmake/embed.cmake.
#pragma once

#include <string_view>

namespace residue::tool {

extern const std::string_view kMuseum;   // bug-museum.json
extern const std::string_view kVectors;  // modulus_vectors.csv

}  // namespace residue::tool
