"""Comparisons of integers that have no common type."""
from __future__ import annotations

import operator

import numpy as np

from residue._trace import Node, Trace, Value
from residue._values import BOOL, constant_of, convert, formula_constant, make_node, misfit, negate

# What compares two operands, as Python does it.
COMPARISONS = {"equal": operator.eq, "greater": operator.gt, "greater_equal": operator.ge, "less": operator.lt,
                "less_equal": operator.le}


def compare_integer(trace: Trace, name: str, values: list[Value], i: int) -> Value | None:
    """The comparison of integers with number i, if that has no type and those need not hold it."""
    integer, other = trace.values[values[i].number], values[1 - i]
    if integer.weak is not int or other.dtype.kind not in "iu":
        return None
    number, another = constant_of(integer), constant_of(other)
    if number is None:
        # What is computed of such numbers is an int64.
        if not isinstance(integer.source, Node) or not np.can_cast(other.dtype, integer.dtype, "safe"):
            return None
        wide = [convert(trace, value, integer.dtype) for value in values]
        return make_node(trace, name, BOOL, *wide)
    if misfit(number, other.dtype) is None:
        return None
    # All that the type holds is on the same side of the number.
    side = int(np.iinfo(other.dtype).min if another is None else another)
    numbers = (int(number), side) if i == 0 else (side, int(number))
    answer = COMPARISONS[name](*numbers)
    if another is not None:
        return trace.constant(answer, BOOL, bool if other.weak else None)
    return make_node(trace, "equal" if answer else "greater", BOOL, other, other)


def compare_signs(trace: Trace, name: str, values: list[Value]) -> Value:
    """The comparison of integers of which one has a sign: below 0 it is less than any other, and else it has none."""
    i = 0 if values[0].dtype.kind == "i" else 1
    zero = formula_constant(trace, 0, values[i].dtype)
    positive = convert(trace, make_node(trace, "maximum", values[i].dtype, values[i], zero), values[1 - i].dtype)
    answer = make_node(trace, name, BOOL, *((positive, values[1]) if i == 0 else (values[0], positive)))
    is_less = make_node(trace, "less", BOOL, values[i], zero)
    if COMPARISONS[name](*((0, 1) if i == 0 else (1, 0))):  # what is less is an answer
        return make_node(trace, "logical_or", BOOL, is_less, answer)
    return make_node(trace, "logical_and", BOOL, negate(trace, is_less), answer)
