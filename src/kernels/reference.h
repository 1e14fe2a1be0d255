// The judge: scalar modulus in integer arithmetic only, written to be read. Every vector kernel must give the
// same bits. NaN results are the canonical quiet NaN of the type.
#pragma once

#include "base/data_type.h"
#include "kernels/kernel.h"

namespace residue::reference {

// The remainder with the dividend's sign: C's % and fmod.
template <class T>
T ModulusTruncate(T a, T b) noexcept;

// The remainder with the divisor's sign: Python's %.
template <class T>
T ModulusFloor(T a, T b) noexcept;

// One element of any operator.
template <class T>
T Evaluate(OperatorId op, T a, T b) noexcept;

// The kernel of last resort: one element after the other.
TileFn FindTile(KernelKey key) noexcept;

}  // namespace residue::reference
