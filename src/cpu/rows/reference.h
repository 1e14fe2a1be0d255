// The reference: scalar functions, written to be read, in integer arithmetic where that is possible. Every
// row must give the same bits. NaN results are the canonical quiet NaN of the type, except where an element
// is copied.
#pragma once

#include "core/data_type.h"
#include "core/params.h"
#include "cpu/rows/reference_activation.h"
#include "cpu/rows/reference_arithmetic.h"
#include "cpu/rows/reference_bits.h"
#include "cpu/rows/reference_cast.h"
#include "cpu/rows/reference_function.h"
#include "cpu/rows/reference_modulus.h"
#include "cpu/rows/reference_order.h"
#include "cpu/rows/reference_sequence.h"
#include "cpu/rows/row.h"

namespace residue::reference {

// The element itself.
template <class T>
T Identity(T a) noexcept {
  return a;
}

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

// The row of last resort: one element after the other. nullptr if the operator does not take the types.
RowFn FindRow(RowKey key) noexcept;

}  // namespace residue::reference
