"""Operations of integers that the library computes in several steps."""
from __future__ import annotations

import numpy as np

from residue._trace import Trace, Value
from residue._values import BOOL, convert, formula_constant, make_node, negate

# The module typing takes as long to load as the rest of this package.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_LONGEST = np.dtype(np.uint64)


def shift(trace: Trace, name: str, inputs: list[Value]) -> Value:
    """Of integers that have a sign: their bits without it. A number of bits below 0 is then beyond all, as in NumPy."""
    dtype = inputs[0].dtype
    unsigned = np.dtype(f"u{dtype.itemsize}")
    if name == "left_shift":
        shifted = make_node(trace, name, unsigned, *(convert(trace, value, unsigned) for value in inputs))
        return convert(trace, shifted, dtype)
    # Where the sign is set, all bits are turned over before and after: what is shifted in is the sign.
    sign = make_node(trace, "negative", dtype, convert(trace, _is_less(trace, inputs[0]), dtype))
    bits = make_node(trace, "bitwise_xor", dtype, inputs[0], sign)
    shifted = make_node(trace, name, unsigned, convert(trace, bits, unsigned), convert(trace, inputs[1], unsigned))
    return make_node(trace, "bitwise_xor", dtype, convert(trace, shifted, dtype), sign)


def mixed_modulus(trace: Trace, name: str, inputs: list[Value], dtype: np.dtype[Any]) -> Value:
    """Of integers of which one has a sign and the other may be beyond it: that of their magnitudes, and then its sign."""
    a, b = inputs
    zero = formula_constant(trace, 0, _LONGEST)
    rest = make_node(trace, "mod_trunc", _LONGEST, _magnitude(trace, a), _magnitude(trace, b))
    result = rest
    if a.dtype.kind == "i":
        turned = make_node(trace, "subtract", _LONGEST, zero, rest)
        result = make_node(trace, "where", _LONGEST, _is_less(trace, a), turned, rest)
    if name == "mod_floor":
        # One of them has no sign: the signs differ where the other is below 0.
        differs = _is_less(trace, a if a.dtype.kind == "i" else b)
        some = negate(trace, make_node(trace, "equal", BOOL, rest, zero))
        shifted = make_node(trace, "add", _LONGEST, result, convert(trace, b, _LONGEST))
        result = make_node(trace, "where", _LONGEST, make_node(trace, "logical_and", BOOL, differs, some), shifted, result)
    return convert(trace, result, dtype)


def _is_less(trace: Trace, value: Value) -> Value:
    return make_node(trace, "less", BOOL, value, formula_constant(trace, 0, value.dtype))


def _magnitude(trace: Trace, value: Value) -> Value:
    bits = convert(trace, value, _LONGEST)
    if value.dtype.kind == "u":
        return bits
    turned = make_node(trace, "subtract", _LONGEST, formula_constant(trace, 0, _LONGEST), bits)
    return make_node(trace, "where", _LONGEST, _is_less(trace, value), turned, bits)
