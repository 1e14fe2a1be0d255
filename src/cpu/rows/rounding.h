// Which integer the quotient of a modulus is rounded to; that choice is the whole difference between
// operators.
#pragma once

#include <cstdint>

namespace residue {

enum class Rounding : uint8_t { kFloor, kTruncate };

}  // namespace residue
