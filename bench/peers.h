// What others do with the same arrays in C and C++: the compiler's own loop, and SLEEF's vector fmod.
#pragma once

#include <cstddef>

#include "core/data_type.h"
#include "core/operator_id.h"

namespace residue::bench {

// out = a % b or fmod(a, b), and Python's correction for FLOOR, as a C programmer writes it. Integers must
// have no zero divisors. Halves are widened.
using PlainLoop = void (*)(const void* a, const void* b, void* out, std::size_t count);
PlainLoop FindPlainLoop(OperatorId op, DataType type) noexcept;

// SLEEF's fmod with the widest vectors this machine has, for float32 and float64 and TRUNCATE; else nullptr.
PlainLoop FindSleefLoop(OperatorId op, DataType type) noexcept;

}  // namespace residue::bench
