// Operands as people type them: which type they have if nobody says, and their values.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/data_type.h"
#include "core/type_set.h"

namespace residue::tool {

// Of those that an operator takes. As Python would: int64, or uint64, if all texts are integers that fit,
// else float64; where the operator does not take it, float64 or else the first that it takes. Fails if an
// integer fits neither.
DataType GuessType(std::span<const std::string_view> texts, TypeSet taken);

// Fails, naming the operand, if the text is no number of the type. A finite number that is beyond the type's
// largest becomes infinity; the first is told on standard error.
template <class T>
T ReadOperand(std::string_view text, std::string_view name);

// The same for a bit pattern in hexadecimal digits.
template <class T>
T ReadOperandBits(std::string_view text, std::string_view name);

}  // namespace residue::tool
