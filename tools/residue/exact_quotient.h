// The exact quotient that belongs to a remainder: an integer of up to 2,100 bits.
#pragma once

#include <string>

#include "core/operator_id.h"

namespace residue::tool {

// a / b rounded as the operator does, in decimal digits; "none" if there is none (a zero divisor, infinity,
// NaN).
template <class T>
std::string QuotientText(OperatorId op, T a, T b);

}  // namespace residue::tool
