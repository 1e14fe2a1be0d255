// Reading the edge vectors of the specification: type, operands and both results, floats as bit patterns.
#pragma once

#include <concepts>
#include <cstdlib>
#include <istream>
#include <sstream>
#include <string>
#include <vector>

#include "verification/values.h"

namespace residue::testing {

template <class T>
struct Vector {
  T a;
  T b;
  T truncate;
  T floor;
};

template <class T>
T ParseCell(const std::string& cell) {
  if constexpr (std::integral<T>) {
    return static_cast<T>(std::is_signed_v<T> ? static_cast<uint64_t>(std::strtoll(cell.c_str(), nullptr, 10))
                                              : std::strtoull(cell.c_str(), nullptr, 10));
  } else {
    if (cell == "nan") return FromBits<T>(reference::FloatBits<T>::kNan);
    return FromBits<T>(std::strtoull(cell.c_str(), nullptr, 16));
  }
}

// The rows of one type, from the text of modulus_vectors.csv.
template <class T>
std::vector<Vector<T>> ReadVectors(std::istream& text) {
  std::vector<Vector<T>> vectors;
  std::string line;
  while (std::getline(text, line)) {
    std::istringstream cells(line);
    const auto next = [&] {
      std::string cell;
      std::getline(cells, cell, ',');
      return cell;
    };
    if (next() != DirectMlName(kDataTypeOf<T>)) continue;
    const T a = ParseCell<T>(next());
    const T b = ParseCell<T>(next());
    const T truncate = ParseCell<T>(next());
    vectors.push_back({a, b, truncate, ParseCell<T>(next())});
  }
  return vectors;
}

}  // namespace residue::testing
