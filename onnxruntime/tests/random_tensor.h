// Tensors of random elements, and how tensors are compared.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "session.h"

namespace residue::ort::testing {

// Floats from -3 to 3, integers from 1 to 100.
std::string RandomBytes(ElementType type, size_t count, std::mt19937_64& random);
Tensor RandomTensor(ElementType type, const std::vector<int64_t>& shape, std::mt19937_64& random);

// What differs, or nothing. Bits are compared, except that any NaN is any other: the built-in provider's have
// the processor's signs.
std::string Difference(const Tensor& a, const Tensor& b);

}  // namespace residue::ort::testing
