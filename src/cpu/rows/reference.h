// The reference: scalar functions, written to be read; modulus in integer arithmetic only. Every row must
// give the same bits. NaN results are the canonical quiet NaN of the type, except where an element is copied.
#pragma once

#include "core/data_type.h"
#include "core/params.h"
#include "cpu/rows/row.h"

namespace residue::reference {

// The remainder with the sign of a: C's % and fmod.
template <class T>
T ModulusTruncate(T a, T b) noexcept;

// The remainder with the sign of b: Python's %.
template <class T>
T ModulusFloor(T a, T b) noexcept;

// The element itself.
template <class T>
T Identity(T a) noexcept;

// x * scale + bias in T (float32 for halves), each operation rounded to nearest; floating-point types only.
template <class T>
T ScaleBias(T a, const ScaleBiasParams& params) noexcept;

// Sums, differences and products: integers modulo 2^n, floats rounded to nearest.
template <class T>
T Add(T a, T b) noexcept;
template <class T>
T Subtract(T a, T b) noexcept;
template <class T>
T Multiply(T a, T b) noexcept;

// One element of any operator whose results have the type of its operands; operators of one input do not look
// at b. The operator takes the type.
template <class T>
T Evaluate(OperatorId op, T a, T b, const Params& params) noexcept;
template <class T>
T Evaluate(OperatorId op, T a, T b) noexcept {
  return Evaluate(op, a, b, DefaultParams(op));
}

// The exceptions of one element of any operator.
template <class T>
Exceptions Detect(OperatorId op, T a, T b, const Params& params) noexcept;
template <class T>
Exceptions Detect(OperatorId op, T a, T b) noexcept {
  return Detect(op, a, b, DefaultParams(op));
}

// The row of last resort: one element after the other. nullptr if the operator does not take the type.
RowFn FindRow(RowKey key) noexcept;

}  // namespace residue::reference
