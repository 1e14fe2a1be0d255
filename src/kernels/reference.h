// The judge: scalar twins, written to be read; modulus in integer arithmetic only. Every vector kernel must
// give the same bits. NaN results are the canonical quiet NaN of the type.
#pragma once

#include "base/attributes.h"
#include "base/data_type.h"
#include "kernels/kernel.h"

namespace residue::reference {

// The remainder with the dividend's sign: C's % and fmod.
template <class T>
T ModulusTruncate(T a, T b) noexcept;

// The remainder with the divisor's sign: Python's %.
template <class T>
T ModulusFloor(T a, T b) noexcept;

// The operand itself, or x * scale + bias in T (float32 for halves), each operation rounded to nearest.
template <class T>
T Identity(T a, const Attributes& attributes) noexcept;

// One element of any operator.
template <class T>
T Evaluate(OperatorId op, T a, T b, const Attributes& attributes = kNoAttributes) noexcept;

// The exceptions of one element of an operator that divides.
template <class T>
Exceptions Examine(T a, T b) noexcept;

// The kernel of last resort and what belongs to it: one element after the other.
TileFn FindTile(KernelKey key) noexcept;
ExamineFn FindExaminer(KernelKey key) noexcept;
ShortRowFn FindShortRow(KernelKey key) noexcept;  // nullptr for operators without exceptions

}  // namespace residue::reference
